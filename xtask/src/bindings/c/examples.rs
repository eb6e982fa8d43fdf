//! The examples of `docs/c.md`: a block of C, and the block after it, which is its output.

/// A program, and what it prints.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Example {
    pub(super) source: String,
    pub(super) output: String,
}

/// The examples of a page.
pub(super) fn of(page: &str) -> Result<Vec<Example>, String> {
    let mut examples = Vec::new();
    let mut rest = page;
    while let Some((_, block)) = rest.split_once("\n```c\n") {
        let (source, after) = block.split_once("```\n").ok_or("a block without an end")?;
        let output = after.trim_start_matches('\n').strip_prefix("```text\n");
        let output = output.and_then(|text| text.split_once("```\n"));
        let (output, after) = output.ok_or_else(|| format!("no output after\n{source}"))?;
        examples.push(Example { source: source.into(), output: output.into() });
        rest = after;
    }
    match examples.is_empty() {
        true => Err("the page has no examples".into()),
        false => Ok(examples),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_in_pairs() {
        let page = "# C\n\n```c\nint x;\n```\n\n```text\n1\n```\n\ntext\n";
        let example = Example { source: "int x;\n".into(), output: "1\n".into() };
        assert_eq!(of(page), Ok(vec![example]));
        assert!(of("\n```c\nint x;\n```\n\ntext\n").is_err());
        assert!(of("text\n").is_err());
    }
}
