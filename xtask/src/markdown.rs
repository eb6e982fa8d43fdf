//! Extracts fenced code blocks from the project's own Markdown pages. Only the plain form is
//! supported: fences of three back-quotes at the start of a line.

/// Finds the first block whose info string is `info`.
pub(crate) fn first_block(page: &str, info: &str) -> Option<String> {
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(found) = line.strip_prefix("```") {
            let block = block(&mut lines)?;
            if found.trim() == info {
                return Some(block);
            }
        }
    }
    None
}

/// Finds the first line that begins with `prefix` and ends with `-->`. Returns the text between
/// them, and the block with the info string `info`, which must follow after at most empty lines.
pub(crate) fn marked_block<'a>(
    page: &'a str,
    prefix: &str,
    info: &str,
) -> Result<(&'a str, String), String> {
    let mut lines = page.lines();
    let marked = lines
        .find_map(|line| line.trim().strip_prefix(prefix)?.strip_suffix("-->"))
        .ok_or_else(|| format!("there is no line `{prefix} … -->`"))?;
    let next = lines.find(|line| !line.trim().is_empty());
    if next.and_then(|line| line.strip_prefix("```")).map(str::trim) != Some(info) {
        return Err(format!("no ```{info} block follows directly on `{prefix}{marked}-->`"));
    }
    match block(&mut lines) {
        Some(block) => Ok((marked.trim(), block)),
        None => Err(format!("the block after `{prefix}{marked}-->` has no end")),
    }
}

/// The lines up to the closing fence.
fn block<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Option<String> {
    let mut text = String::new();
    for line in lines {
        if line.trim_end() == "```" {
            return Some(text);
        }
        text += line;
        text.push('\n');
    }
    None
}

/// The first command of a shell block: skips comments and empty lines, drops a `$ ` prompt, and
/// joins lines that end with `\`.
pub(crate) fn first_command(block: &str) -> Option<String> {
    let mut lines =
        block.lines().map(str::trim).skip_while(|line| line.is_empty() || line.starts_with('#'));
    let first = lines.next()?;
    let mut command = first.strip_prefix("$ ").unwrap_or(first).to_owned();
    while let Some(start) = command.strip_suffix('\\') {
        command = format!("{start}{}", lines.next()?);
    }
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
text
```rust
fn f() {}
```
```sh
# comment

$ a \\
  b
c
```
<!-- toy: mod src/x.rs -->

```rust
mod y;
```
<!-- toy: row src/z.rs -->
text
";

    #[test]
    fn first_block_and_command() {
        let block = first_block(PAGE, "sh").unwrap();
        assert_eq!(first_command(&block).unwrap(), "a b");
        assert_eq!(first_block(PAGE, "rust").unwrap(), "fn f() {}\n");
        assert_eq!(first_block(PAGE, "toml"), None);
        assert_eq!(first_command("# nothing\n"), None);
    }

    #[test]
    fn marked_blocks() {
        assert_eq!(
            marked_block(PAGE, "<!-- toy: mod", "rust"),
            Ok(("src/x.rs", "mod y;\n".to_owned()))
        );
        assert_eq!(
            marked_block(PAGE, "<!-- toy: file", "rust").unwrap_err(),
            "there is no line `<!-- toy: file … -->`"
        );
        assert_eq!(
            marked_block(PAGE, "<!-- toy: row", "rust").unwrap_err(),
            "no ```rust block follows directly on `<!-- toy: row src/z.rs -->`"
        );
    }
}
