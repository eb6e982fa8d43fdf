//! SARIF 2.1.0 (OASIS), which code scanning on GitHub and elsewhere reads. The log is one object.
//! Results are written as they arrive, so that memory is bounded.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use super::report::{Detail, Problem};
use super::rules::Level;
use crate::failure::Failure;
use crate::input::Source;
use crate::json;
use crate::stdout::Stdout;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// An unfinished log.
pub(crate) struct Sarif {
    /// The rules, in the order of the log.
    rules: Vec<&'static str>,
    has_results: bool,
    /// Notifications about unreadable files.
    notifications: Vec<Value>,
}

impl Sarif {
    /// Writes everything up to the results.
    pub(crate) fn begin(
        out: &mut Stdout,
        rules: impl Iterator<Item = (&'static str, String, Level)>,
    ) -> Result<Self, Failure> {
        let rules: Vec<_> = rules.collect();
        let descriptors: Vec<_> = rules
            .iter()
            .map(|(name, title, level)| {
                json!({
                    "id": name,
                    "shortDescription": { "text": title },
                    "helpUri": help(),
                    "defaultConfiguration": { "level": level.name() },
                })
            })
            .collect();
        let driver = json!({
            "name": "utfall",
            "version": env!("CARGO_PKG_VERSION"),
            "informationUri": env!("CARGO_PKG_REPOSITORY"),
            "rules": descriptors,
        });
        out.exact(&format!(
            "{{\"$schema\":{},\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{},\
             \"columnKind\":\"unicodeCodePoints\",\"results\":[",
            json::text(&SCHEMA),
            json::text(&json!({ "driver": driver })),
        ))?;
        let rules = rules.iter().map(|(name, ..)| *name).collect();
        Ok(Self { rules, has_results: false, notifications: Vec::new() })
    }

    pub(crate) fn result(
        &mut self,
        out: &mut Stdout,
        problem: &Problem<'_>,
    ) -> Result<(), Failure> {
        if self.has_results {
            out.part(",")?;
        }
        self.has_results = true;
        let (line, column) = (problem.position.line, problem.position.column);
        let mut text = problem.message.clone();
        if !problem.clause.is_empty() {
            text += &format!(" ({})", problem.clause);
        }
        out.exact(&json::text(&Finding {
            rule_id: problem.rule,
            rule_index: self.rules.iter().position(|rule| *rule == problem.rule),
            level: problem.level.name(),
            message: json!({ "text": text }),
            locations: [json!({
                "physicalLocation": {
                    "artifactLocation": location(problem.source),
                    "region": {
                        "startLine": line,
                        "startColumn": column,
                        "byteOffset": problem.offset,
                        "byteLength": problem.length,
                    },
                },
            })],
            properties: match &problem.detail {
                Detail::IllFormed { error, .. } => Some(json!({ "kind": error.kind().name() })),
                Detail::Lint { reads: Some(reads), .. } => Some(json!({ "original": reads })),
                Detail::Lint { text: Some(text), .. } => Some(json!({ "text": text })),
                Detail::Lint { looks_like: Some(like), .. } => Some(json!({ "looksLike": like })),
                Detail::Lint { .. } => None,
                Detail::Concealed { text } => Some(json!({ "text": text })),
            },
        }))
    }

    pub(crate) fn unreadable(&mut self, source: &Source, error: String) {
        self.notifications.push(json!({
            "level": "error",
            "message": { "text": error },
            "locations": [{ "physicalLocation": { "artifactLocation": location(source) } }],
        }));
    }

    /// Writes the rest.
    pub(crate) fn end(self, out: &mut Stdout, exit_status: u8) -> Result<(), Failure> {
        let invocation = json!({
            // With findings, the status is 1.
            "executionSuccessful": exit_status <= 1,
            "exitCode": exit_status,
            "toolExecutionNotifications": self.notifications,
        });
        out.exact(&format!("],\"invocations\":[{}]}}]}}", json::text(&invocation)))
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Value,
    locations: [Value; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Value>,
}

fn help() -> String {
    format!("{}/blob/main/docs/check.md", env!("CARGO_PKG_REPOSITORY"))
}

fn location(source: &Source) -> Value {
    match source {
        Some(path) => json!({ "uri": uri(path) }),
        None => json!({ "uri": "", "description": { "text": "standard input" } }),
    }
}

/// A path as a URI: relative paths as they are, absolute paths with a scheme. Bytes not allowed in
/// a URI are escaped, including those that are not UTF-8.
pub(super) fn uri(path: &Path) -> String {
    let bytes = bytes(path);
    let mut uri = String::new();
    if path.is_absolute() {
        uri += if bytes.first() == Some(&b'/') { "file://" } else { "file:///" };
    } else if bytes.split(|byte| *byte == b'/').next().is_some_and(|first| first.contains(&b':')) {
        // A reader could mistake the part before the colon for a scheme.
        uri += "./";
    }
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                uri.push(char::from(byte));
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(unix)]
fn bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(not(unix))]
fn bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().replace('\\', "/").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris() {
        assert_eq!(uri(Path::new("a b/ü#.txt")), "a%20b/%C3%BC%23.txt");
        assert_eq!(uri(Path::new("a:b/c")), "./a:b/c");
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            assert_eq!(uri(Path::new("/tmp/x")), "file:///tmp/x");
            assert_eq!(uri(Path::new(std::ffi::OsStr::from_bytes(b"\xFF"))), "%FF");
        }
    }
}
