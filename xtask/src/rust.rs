//! Rust source text as words: enough to count and compare uses of names, without a parser.

use std::fs;
use std::path::{Path, PathBuf};

/// The words and the punctuation characters of Rust source text, without
/// comments, strings, characters and lifetimes.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let char_at = |at: usize| chars.get(at).copied().unwrap_or('\0');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        match (char_at(at), char_at(at + 1)) {
            ('/', '/') => {
                while at < chars.len() && char_at(at) != '\n' {
                    at += 1;
                }
            }
            ('/', '*') => {
                let mut depth = 0;
                loop {
                    match (char_at(at), char_at(at + 1)) {
                        ('/', '*') => (depth, at) = (depth + 1, at + 2),
                        ('*', '/') => (depth, at) = (depth - 1, at + 2),
                        _ => at += 1,
                    }
                    if depth == 0 || at >= chars.len() {
                        break;
                    }
                }
            }
            ('"', _) => {
                at += 1;
                while at < chars.len() && char_at(at) != '"' {
                    at += if char_at(at) == '\\' { 2 } else { 1 };
                }
                at += 1;
            }
            // '\n', '\'', '\u{41}'
            ('\'', '\\') => {
                at += 3;
                while at < chars.len() && char_at(at) != '\'' {
                    at += 1;
                }
                at += 1;
            }
            ('\'', _) if char_at(at + 2) == '\'' => at += 3,
            // A lifetime or a label.
            ('\'', _) => {
                at += 1;
                while is_word(char_at(at)) {
                    at += 1;
                }
            }
            (c, _) if is_word(c) => {
                let start = at;
                while is_word(char_at(at)) {
                    at += 1;
                }
                let mut word: String = chars[start..at].iter().collect();
                if ["r", "br", "cr"].contains(&word.as_str()) {
                    let mut hashes = 0;
                    while char_at(at + hashes) == '#' {
                        hashes += 1;
                    }
                    if char_at(at + hashes) == '"' {
                        at = raw_string_end(&chars, at + hashes + 1, hashes);
                        continue;
                    }
                    // `r#unsafe` is a name.
                    if hashes == 1 {
                        at += 1;
                        word.push('#');
                        while is_word(char_at(at)) {
                            word.push(char_at(at));
                            at += 1;
                        }
                    }
                }
                tokens.push(word);
            }
            (c, _) => {
                if !c.is_whitespace() {
                    tokens.push(c.to_string());
                }
                at += 1;
            }
        }
    }
    tokens
}

/// The position after the raw string whose text begins at `at`.
fn raw_string_end(chars: &[char], mut at: usize, hashes: usize) -> usize {
    while at < chars.len() {
        let after = &chars[at + 1..];
        if chars[at] == '"' && after.len() >= hashes && after[..hashes].iter().all(|&c| c == '#') {
            return at + 1 + hashes;
        }
        at += 1;
    }
    at
}

/// The entries of a directory, sorted, so that every machine prints the same table.
pub(crate) fn folder(path: &Path) -> Result<Vec<PathBuf>, String> {
    let error = |e| format!("{}: {e}", path.display());
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).map_err(error)? {
        entries.push(entry.map_err(error)?.path());
    }
    entries.sort();
    Ok(entries)
}

/// Adds the Rust files of a directory and those below it.
pub(crate) fn rust_files(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in folder(path)? {
        if entry.is_dir() {
            rust_files(&entry, files)?;
        } else if entry.extension().is_some_and(|e| e == "rs") {
            files.push(entry);
        }
    }
    Ok(())
}

/// The tokens without items that only tests have.
pub(crate) fn without_tests(tokens: &[String]) -> Vec<String> {
    let test: Vec<&str> = "# [ cfg ( test ) ]".split(' ').collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].iter().map(String::as_str).take(test.len()).eq(test.iter().copied()) {
            at = item_end(tokens, at + test.len());
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// The position after the item that begins at `at`: after its `;` or its last brace.
fn item_end(tokens: &[String], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while at < tokens.len() {
        match tokens[at].as_str() {
            "{" | "(" | "[" => depth += 1,
            token @ ("}" | ")" | "]") => {
                depth = depth.saturating_sub(1);
                // A list of imports also ends with a semicolon.
                let is_last = tokens.get(at + 1).is_none_or(|next| next != ";");
                if token == "}" && depth == 0 && is_last {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_tests_are_left_out() {
        let text = "use a; #[cfg(test)] use b::{c, d}; fn e() {} #[cfg(test)] mod f { fn g() {} } \
                    #[cfg(test)] fn h([i]: [u8; 1]) { j() } struct K;";
        let kept = without_tests(&tokens(text)).join(" ");
        assert_eq!(kept, "use a ; fn e ( ) { } struct K ;");
    }
}
