//! `utfall-api FILE`: lists the public API of the crate whose rustdoc JSON is in FILE, one item per
//! line, in an order independent of the source.
#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::env;
use std::process::ExitCode;

use public_api::Builder;

/// Auto traits and the like, which every type has or lacks without a promise.
const NOT_PROMISED: [&str; 6] = [
    "core::marker::Freeze",
    "core::marker::StructuralPartialEq",
    "core::marker::Unpin",
    "core::marker::UnsafeUnpin",
    "core::panic::unwind_safe::RefUnwindSafe",
    "core::panic::unwind_safe::UnwindSafe",
];

fn main() -> ExitCode {
    let Some(file) = env::args_os().nth(1) else {
        eprintln!("usage: utfall-api <rustdoc JSON>");
        return ExitCode::from(2);
    };
    match Builder::from_rustdoc_json(&file).omit_blanket_impls(true).build() {
        Ok(api) => {
            let lines: Vec<String> = api.items().map(ToString::to_string).collect();
            print!("{}", listing(lines.iter().map(String::as_str)));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("utfall-api: {}: {error}", file.display());
            ExitCode::FAILURE
        }
    }
}

/// The lines with API promises, without duplicates.
fn listing<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut seen = BTreeSet::new();
    let mut text = String::new();
    // The trait and type of the last `impl` line.
    let mut last = None;
    for line in lines {
        if line.starts_with("impl") {
            last = implemented(line);
        }
        let promised = match last {
            Some((name, _)) if line.starts_with("impl") => !NOT_PROMISED.contains(&name),
            // The trait determines the functions.
            Some((_, of)) => !is_function_of(line, of),
            None => true,
        };
        // Items with two names would appear twice.
        if promised && seen.insert(line) {
            text += line;
            text.push('\n');
        }
    }
    text
}

/// The trait and the type of `impl … Trait for Type`, without parameters.
fn implemented(line: &str) -> Option<(&str, &str)> {
    let (before, of) = line.strip_prefix("impl")?.split_once(" for ")?;
    // After the parameters of the impl, and the `!` of a negative one.
    let name = before.rsplit_once("> ").map_or(before, |(_, name)| name);
    let of = of.split(['<', ' ']).next()?;
    Some((name.trim_start().trim_start_matches('!'), of))
}

/// Whether `line` describes a function of the type `of`.
fn is_function_of(line: &str, of: &str) -> bool {
    let path = line.split_once("fn ").map(|(_, path)| path);
    path.and_then(|path| path.strip_prefix(of))
        .is_some_and(|rest| rest.starts_with("::") || rest.starts_with('<'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_promised_is_told_once() {
        let lines = [
            "pub struct a::b::Form",
            "pub a::b::Form::width: u8",
            "impl a::b::Form",
            "pub fn a::b::Form::name(&self) -> &str",
            "impl core::clone::Clone for a::b::Form",
            "pub fn a::b::Form::clone(&self) -> a::b::Form",
            "impl<'a> core::iter::Iterator for a::b::Form",
            "pub type a::b::Form::Item = u8",
            "pub fn a::b::Form::next(&mut self) -> core::option::Option<u8>",
            "impl core::marker::Send for a::b::Form",
            "impl !core::marker::Sync for a::b::Form",
            "impl<T> core::marker::Freeze for a::b::Form",
            "impl<T> !core::marker::Unpin for a::b::Form where T: Copy",
            "pub fn a::b::form() -> a::b::Form",
            "pub struct a::Form",
            "pub a::Form::width: u8",
            "impl a::b::Form",
            "pub fn a::b::Form::name(&self) -> &str",
            "impl core::clone::Clone for a::b::Form",
            "pub fn a::b::Form::clone(&self) -> a::b::Form",
        ];
        let expected = [
            "pub struct a::b::Form",
            "pub a::b::Form::width: u8",
            "impl a::b::Form",
            "pub fn a::b::Form::name(&self) -> &str",
            "impl core::clone::Clone for a::b::Form",
            "impl<'a> core::iter::Iterator for a::b::Form",
            "pub type a::b::Form::Item = u8",
            "impl core::marker::Send for a::b::Form",
            "impl !core::marker::Sync for a::b::Form",
            "pub fn a::b::form() -> a::b::Form",
            "pub struct a::Form",
            "pub a::Form::width: u8",
        ];
        assert_eq!(listing(lines.into_iter()), expected.join("\n") + "\n");
    }
}
