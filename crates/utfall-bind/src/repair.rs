//! Mojibake repaired, as `utfall repair` does.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_128;
use utfall::{Decoder, Encoding, Status};
use utfall_repair::{Change, Loss, Options, Piece, Reason, Repairer, Skipped, Step};

use crate::file_name::FileName;
use crate::json::line;
use crate::likely::{self, Likely};

/// Bytes of a text repaired at a time.
const PIECE: usize = 256 * 1024;

/// The result of a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of changes.
    pub changes: u64,
    /// The size of the repaired text.
    pub bytes: u64,
}

/// Repairs a text: writes the result to `out`, and what `utfall repair --json` reports of it to `report`: an
/// object of type `change` for each change, `skipped` for each skipped place, and `file`. The action is
/// `repaired` if `out` is given, else `to_repair`. Each line of the report is written in one piece.
///
/// # Errors
/// Returns the first error of `out` or `report`.
///
/// ```
/// use utfall_bind::repair::repair;
/// let (mut text, mut report) = (Vec::new(), Vec::new());
/// let options = utfall_repair::Options::default();
/// let summary =
///     repair("dÃ©jÃ\u{A0} vu".as_bytes(), options, "(memory)", Some(&mut text), &mut report)?;
/// assert_eq!(text, "déjà vu".as_bytes());
/// assert_eq!(summary.changes, 2);
/// assert!(String::from_utf8(report).unwrap().contains(r#""after_text":"é""#));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn repair(
    text: &[u8],
    options: Options,
    name: &str,
    out: Option<&mut dyn Write>,
    report: &mut dyn Write,
) -> io::Result<Summary> {
    let action = if out.is_some() { "repaired" } else { "to_repair" };
    let mut work = Work { text, name, out, report, seen: Seen::default() };
    let mut repairer = Repairer::new(options);
    for piece in text.chunks(PIECE) {
        repairer.push(piece, |piece| work.piece(&piece))?;
    }
    repairer.finish(|piece| work.piece(&piece))?;
    work.end(action)
}

/// A repair in progress.
struct Work<'a, 'o> {
    text: &'a [u8],
    name: &'a str,
    out: Option<&'o mut dyn Write>,
    report: &'a mut dyn Write,
    seen: Seen,
}

/// The state of the repaired text so far.
struct Seen {
    changes: u64,
    bytes: u64,
    digest: XxHash3_128,
    /// Validates the repaired text, until it is known to be invalid.
    decoder: Option<Decoder<'static>>,
    likely: Option<Likely>,
}

impl Default for Seen {
    fn default() -> Self {
        let decoder = Decoder::new(Encoding::Utf8, utfall::Options::default());
        let digest = XxHash3_128::new();
        Self { changes: 0, bytes: 0, digest, decoder: Some(decoder), likely: None }
    }
}

impl Work<'_, '_> {
    fn piece(&mut self, piece: &Piece<'_>) -> io::Result<()> {
        let Self { text, out, seen, .. } = self;
        piece.repaired(|bytes| {
            seen.validate(bytes, false, (text, piece.offset));
            seen.bytes += bytes.len() as u64;
            seen.digest.write(bytes);
            out.as_mut().map_or(Ok(()), |out| out.write_all(bytes))
        })?;
        seen.changes += piece.changes.len() as u64;
        for change in piece.changes {
            line(&mut *self.report, &Object::change(FileName::of_text(self.name), change))?;
        }
        for skipped in piece.skipped {
            line(&mut *self.report, &Object::skipped(FileName::of_text(self.name), skipped))?;
        }
        Ok(())
    }

    fn end(self, action: &str) -> io::Result<Summary> {
        let Self { text, name, report, mut seen, .. } = self;
        seen.validate(b"", true, (text, text.len() as u64));
        let object = Object::File {
            file: FileName::of_text(name),
            action: if seen.changes == 0 { "unchanged" } else { action }.into(),
            changes: seen.changes,
            bytes: text.len() as u64,
            bytes_after: seen.bytes,
            digest: Some(format!("{:032x}", XxHash3_128::oneshot(text))),
            digest_after: Some(format!("{:032x}", seen.digest.finish_128())),
            likely: seen.likely.map(Likely::object),
            message: None,
        };
        line(report, &object)?;
        Ok(Summary { changes: seen.changes, bytes: seen.bytes })
    }
}

impl Seen {
    /// If the repaired text is invalid, it may never have been UTF-8.
    fn validate(&mut self, bytes: &[u8], is_last: bool, (text, offset): (&[u8], u64)) {
        let Some(decoder) = &mut self.decoder else { return };
        if let Status::Error(_) = decoder.validate(bytes, is_last).status {
            self.decoder = None;
            self.likely = Likely::of(likely::sample(text, 0, offset), Encoding::Utf8);
        }
    }
}

/// An object of the report. `docs/json.md` describes the fields.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Object<'a> {
    /// A change.
    Change {
        /// The file.
        #[serde(flatten)]
        file: FileName,
        /// The line, from 1.
        line: u64,
        /// The offset in the original.
        offset: u64,
        /// The offset in the repaired text.
        offset_after: u64,
        /// The original bytes.
        before_hex: String,
        /// The repaired bytes.
        after_hex: String,
        /// The original, with U+FFFD for invalid UTF-8.
        before_text: String,
        /// The repaired text, with U+FFFD for invalid UTF-8.
        after_text: String,
        /// The wrong decodings of the text, the first first.
        steps: Vec<JsonStep>,
        /// From 0 to 1.
        confidence: f64,
    },
    /// A place that looks misread, but was skipped.
    Skipped {
        /// The file.
        #[serde(flatten)]
        file: FileName,
        /// The line, from 1.
        line: u64,
        /// The offset in the original.
        offset: u64,
        /// The text as it is, with U+FFFD for invalid UTF-8.
        before_text: String,
        /// The text that a repair would write, with U+FFFD for invalid UTF-8.
        after_text: String,
        /// Why it was skipped: `topic`, `charsets`, `quoted`, `restored`, `list`, `half_word`,
        /// `other_damage`, or `binary` for the whole text.
        reason: Cow<'a, str>,
    },
    /// A file, after its changes.
    File {
        /// The file.
        #[serde(flatten)]
        file: FileName,
        /// `repaired`, `to_repair`, `unchanged` or `failed`.
        action: Cow<'a, str>,
        /// The number of changes.
        changes: u64,
        /// The size of the original.
        bytes: u64,
        /// The size of the repaired text.
        bytes_after: u64,
        /// XXH3 of the original, 128 bits in hexadecimal.
        #[serde(skip_serializing_if = "Option::is_none")]
        digest: Option<String>,
        /// XXH3 of the repaired text.
        #[serde(skip_serializing_if = "Option::is_none")]
        digest_after: Option<String>,
        /// The encoding that an invalid text looks like.
        #[serde(skip_serializing_if = "Option::is_none")]
        likely: Option<likely::Object>,
        /// Why it failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
}

/// A step of a chain of wrong decodings.
#[derive(Debug, Serialize, Deserialize)]
pub struct JsonStep {
    step: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    charset: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u8>,
}

impl JsonStep {
    fn new(step: &Step) -> Self {
        let named = |step: &str| Self { step: step.into(), charset: None, loss: None, bytes: None };
        match step {
            Step::Misread { charset, loss } => Self {
                charset: Some(charset.name().into()),
                loss: loss.map(|loss| match loss {
                    Loss::Space => "space".into(),
                    Loss::Trimmed => "trimmed".into(),
                    Loss::Dropped => "dropped".into(),
                    Loss::Replaced(sign) => format!("replaced by U+{:04X}", u32::from(sign)),
                }),
                ..named("misread")
            },
            Step::Surrogates => named("surrogates"),
            Step::Overlong(bytes) => Self { bytes: Some(*bytes), ..named("overlong") },
            Step::Utf16Le => named("utf_16le"),
            Step::Utf16Be => named("utf_16be"),
            Step::Controls => named("c1_controls"),
            Step::StrayMark => named("stray_bom"),
            Step::JsonEscapes { .. } => named("json_escapes"),
            Step::HtmlEntities(_) => named("html_entities"),
            Step::PercentEncoding { .. } => named("percent_encoding"),
        }
    }
}

impl Object<'_> {
    /// The object of a place that was skipped.
    #[must_use]
    pub fn skipped(file: FileName, skipped: &Skipped) -> Self {
        let reason = match skipped.reason {
            Reason::Topic => "topic",
            Reason::Charsets => "charsets",
            Reason::Quoted => "quoted",
            Reason::Restored => "restored",
            Reason::List => "list",
            Reason::HalfWord => "half_word",
            Reason::OtherDamage => "other_damage",
            Reason::Binary => "binary",
            _ => "other",
        };
        Self::Skipped {
            file,
            line: skipped.line,
            offset: skipped.offset,
            before_text: String::from_utf8_lossy(&skipped.before).into_owned(),
            after_text: String::from_utf8_lossy(&skipped.after).into_owned(),
            reason: reason.into(),
        }
    }

    /// The object of a change.
    #[must_use]
    pub fn change(file: FileName, change: &Change) -> Self {
        let hexadecimal = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        Self::Change {
            file,
            line: change.line,
            offset: change.offset,
            offset_after: change.offset_after,
            before_hex: hexadecimal(&change.before),
            after_hex: hexadecimal(&change.after),
            before_text: String::from_utf8_lossy(&change.before).into_owned(),
            after_text: String::from_utf8_lossy(&change.after).into_owned(),
            steps: change.chain.steps().iter().map(JsonStep::new).collect(),
            // Only significant digits.
            confidence: (change.confidence * 1e6).floor() / 1e6,
        }
    }
}
