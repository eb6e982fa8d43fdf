//! `cargo xtask unsafe-count`: how often, and where, the crates use `unsafe`.
//!
//! A scan of the words of each file outside comments and literals, not a parser: the contents of a
//! macro are counted once, where they are written. Types such as `unsafe fn(u8)` are not counted,
//! since they make no promise themselves.

use std::fs;
use std::ops::AddAssign;
use std::path::Path;

use crate::rust::{folder, rust_files, tokens};

/// Prints the table. Files without `unsafe` are only counted.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let mut files = Vec::new();
    for krate in folder(&root.join("crates"))? {
        let src = krate.join("src");
        if src.is_dir() {
            rust_files(&src, &mut files)?;
        }
    }
    let mut total = Count::default();
    let mut with_unsafe = 0;
    println!("blocks  fns  impls  other  file");
    for file in &files {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let count = count(&text);
        if count != Count::default() {
            let name = file.strip_prefix(root).unwrap_or(file);
            print_row(count, &name.display().to_string());
            total += count;
            with_unsafe += 1;
        }
    }
    let files = files.len();
    print_row(total, &format!("total, in {with_unsafe} of {files} files"));
    Ok(())
}

/// The number of uses of `unsafe`, by what follows it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Count {
    blocks: u32,
    fns: u32,
    impls: u32,
    /// Traits, `extern` blocks and attributes.
    other: u32,
}

impl AddAssign for Count {
    fn add_assign(&mut self, more: Count) {
        self.blocks += more.blocks;
        self.fns += more.fns;
        self.impls += more.impls;
        self.other += more.other;
    }
}

fn print_row(count: Count, name: &str) {
    let Count { blocks, fns, impls, other } = count;
    println!("{blocks:6}  {fns:3}  {impls:5}  {other:5}  {name}");
}

fn count(text: &str) -> Count {
    let tokens = tokens(text);
    let mut count = Count::default();
    for (at, token) in tokens.iter().enumerate() {
        if token != "unsafe" {
            continue;
        }
        let mut next = tokens[at + 1..].iter().map(String::as_str).peekable();
        // `unsafe extern "C" fn`; the string is not a token.
        let is_extern = next.next_if_eq(&"extern").is_some();
        match next.next() {
            Some("{") if !is_extern => count.blocks += 1,
            Some("fn") if next.peek() == Some(&"(") => {}
            Some("fn") => count.fns += 1,
            Some("impl") => count.impls += 1,
            _ => count.other += 1,
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_follows() {
        let text = r##"
            unsafe fn a() { unsafe { b() } }
            pub const unsafe extern "C" fn c(f: unsafe fn(u8), g: unsafe extern "C" fn(u8)) {}
            unsafe impl Send for T {}
            unsafe trait U {}
            unsafe extern "C" { fn d(); }
            #[unsafe(no_mangle)]
            fn e() { let x = unsafe
                { b() }; }
        "##;
        let expected = Count { blocks: 2, fns: 2, impls: 1, other: 3 };
        assert_eq!(count(text), expected);
    }

    #[test]
    fn passes_over_comments_and_literals() {
        let text = r####"
            // unsafe {
            /* unsafe { /* unsafe { */ unsafe { */
            "unsafe { \" unsafe {" b"unsafe {" r#" " unsafe { "# br##" "# unsafe { "##
            '"' 'u' '\'' '\u{22}' b'"' 'a: loop { break 'a }
            fn unsafe_name<'unsafe_>(r#unsafe: u8) {}
        "####;
        assert_eq!(count(text), Count::default());
        assert_eq!(count("'\"' unsafe { '\"' }").blocks, 1);
        assert_eq!(count("fn f<'a>(x: &'a str) { unsafe { } }").blocks, 1);
    }
}
