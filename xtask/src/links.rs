//! `cargo xtask links`: checks that the files and headings that links of Markdown pages refer to
//! exist. URLs are checked only if they lead to files of this repository.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The page that must link to every other page of its directory.
const INDEX: &str = "docs/README.md";

/// The URL of the files of this repository: the READMEs of crates are read elsewhere.
pub(crate) const FILES: &str = "https://github.com/utfall/utfall/blob/main/";

/// Directories without pages of this project.
const NOT_OURS: [&str; 4] = [".git", "target", "dist", "testdata"];

/// A link or image of a page.
#[derive(Debug)]
pub(crate) struct Link {
    /// The line it is on, from 1.
    pub(crate) line: usize,
    /// The range of its target in the page.
    pub(crate) range: Range<usize>,
    pub(crate) target: String,
}

/// Checks every page.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let mut pages = BTreeMap::new();
    for path in files(root)? {
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        pages.insert(path, text);
    }
    let mut broken = 0;
    let mut count = 0;
    for (page, text) in &pages {
        let name = page.strip_prefix(root).unwrap_or(page).display();
        for link in links(text) {
            count += 1;
            if let Some(reason) = reason(root, &pages, page, &link.target) {
                println!("{name}:{}: {}: {reason}", link.line, link.target);
                broken += 1;
            }
        }
    }
    for page in unlisted(root, &pages) {
        println!("{INDEX}: has no link to {page}");
        broken += 1;
    }
    match broken {
        0 => {
            println!("   {count} links in {} pages", pages.len());
            Ok(())
        }
        _ => Err(format!("{broken} broken links")),
    }
}

/// Why a link is broken, if it is.
fn reason(
    root: &Path,
    pages: &BTreeMap<PathBuf, String>,
    page: &Path,
    target: &str,
) -> Option<&'static str> {
    let (address, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = match address.strip_prefix(FILES) {
        Some(file) => root.join(file),
        None if is_elsewhere(target) => return None,
        None if address.is_empty() => page.to_owned(),
        None => resolved(page, address),
    };
    if !file.exists() {
        return Some("no such file");
    }
    let text = pages.get(&file).filter(|_| !anchor.is_empty())?;
    (!anchors(text).contains(anchor)).then_some("no such heading")
}

/// The pages in the directory of the index that it does not link to.
fn unlisted(root: &Path, pages: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let index = root.join(INDEX);
    let Some(text) = pages.get(&index) else { return vec![format!("{INDEX} itself")] };
    let linked: BTreeSet<PathBuf> =
        links(text).iter().map(|link| resolved(&index, &link.target)).collect();
    let folder = index.parent().unwrap_or(root);
    let is_unlisted =
        |page: &&PathBuf| page.starts_with(folder) && **page != index && !linked.contains(*page);
    let unlisted = pages.keys().filter(is_unlisted);
    unlisted.map(|page| page.strip_prefix(root).unwrap_or(page).display().to_string()).collect()
}

/// Whether a target is a URL rather than a file.
pub(crate) fn is_elsewhere(target: &str) -> bool {
    target.contains("://") || target.starts_with("mailto:")
}

/// The file that a relative target of `page` refers to, with `..` resolved.
pub(crate) fn resolved(page: &Path, target: &str) -> PathBuf {
    let file = target.split_once('#').map_or(target, |(file, _)| file);
    let mut path = page.parent().unwrap_or(page).to_owned();
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = path.pop(),
            part => path.push(part),
        }
    }
    path
}

/// The links of a page: inline, by reference, and those of HTML.
pub(crate) fn links(page: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for (line, start, text) in prose(page) {
        let masked = without_code(text);
        let found = inline(&masked).into_iter().chain(reference(&masked)).chain(html(&masked));
        links.extend(found.map(|range| Link {
            line,
            target: text[range.clone()].to_owned(),
            range: start + range.start..start + range.end,
        }));
    }
    links
}

/// The lines outside of fenced code, with their number and offset.
fn prose(page: &str) -> impl Iterator<Item = (usize, usize, &str)> {
    let mut in_code = false;
    let mut at = 0;
    page.split_inclusive('\n').enumerate().filter_map(move |(number, line)| {
        let start = at;
        at += line.len();
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        (!in_code && !is_fence).then_some((number + 1, start, line.trim_end()))
    })
}

/// A line of the same length, with code blanked out.
fn without_code(line: &str) -> String {
    let mut masked = String::new();
    for (at, part) in line.split('`').enumerate() {
        if at > 0 {
            masked.push('`');
        }
        match at % 2 {
            0 => masked += part,
            _ => masked.extend(part.bytes().map(|_| ' ')),
        }
    }
    masked
}

/// `[text](target "title")`
fn inline(line: &str) -> Vec<Range<usize>> {
    let starts = line.match_indices("](").map(|(at, _)| at + 2);
    let target = |start: usize| {
        let end = line[start..].find([')', ' '])?;
        let range = start..start + end;
        let is_quoted = line[range.clone()].starts_with('<') && line[range.clone()].ends_with('>');
        Some(if is_quoted { range.start + 1..range.end - 1 } else { range })
    };
    starts.filter_map(target).filter(|range| !range.is_empty()).collect()
}

/// `[label]: target`
fn reference(line: &str) -> Option<Range<usize>> {
    let (label, target) = line.strip_prefix('[')?.split_once("]: ")?;
    let is_label = !label.contains(']') && !label.starts_with('^');
    let start = 1 + label.len() + 3;
    let end = target.find(' ').unwrap_or(target.len());
    is_label.then_some(start..start + end)
}

/// `src="target"` and similar attributes.
fn html(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for name in [" src=\"", " href=\"", " srcset=\""] {
        for (at, _) in line.match_indices(name) {
            let start = at + name.len();
            found.extend(line[start..].find('"').map(|length| start..start + length));
        }
    }
    found
}

/// The anchors of a page: its headings in GitHub's spelling, and ids in HTML.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for (_, _, line) in prose(page) {
        for name in ["id=\"", "name=\""] {
            let ids = line.match_indices(name).map(|(at, _)| &line[at + name.len()..]);
            anchors.extend(ids.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        }
        let Some(heading) = heading(line) else { continue };
        let slug = slug(heading);
        let numbered = (1..).map(|number| format!("{slug}-{number}"));
        let free = [slug.clone()].into_iter().chain(numbered).find(|slug| !anchors.contains(slug));
        anchors.extend(free);
    }
    anchors
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    if text.len() == line.len() { None } else { text.strip_prefix(' ') }
}

/// A heading as an anchor: in lower case, without punctuation, with hyphens for spaces.
fn slug(heading: &str) -> String {
    let mut text = String::new();
    let mut rest = heading.trim();
    // The target of a link is not part of its text.
    while let Some((before, after)) = rest.split_once("](") {
        text += before;
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    text += rest;
    let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The Markdown pages of the repository.
pub(crate) fn files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut pages = Vec::new();
    below(root, &mut pages).map_err(|error| format!("{}: {error}", root.display()))?;
    pages.sort();
    Ok(pages)
}

fn below(folder: &Path, pages: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let is_ours = !NOT_OURS.iter().any(|name| entry.file_name() == *name);
        if entry.file_type()?.is_dir() && is_ours {
            below(&path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_every_form_are_found_and_code_is_not() {
        let page = "[a](b.md) `[c](d.md)` ![é](<e f.png> \"g\")\n```\n[h](i.md)\n```\n[j]: k.md\n\
                    <img src=\"l.svg\"> [m](n.md#o)\n";
        let page = page.replace("e f.png", "e.png");
        let found: Vec<_> = links(&page).into_iter().map(|link| (link.line, link.target)).collect();
        let found: Vec<_> = found.iter().map(|(line, target)| (*line, target.as_str())).collect();
        let expected = [(1, "b.md"), (1, "e.png"), (5, "k.md"), (6, "n.md#o"), (6, "l.svg")];
        assert_eq!(found, expected);
        for link in links(&page) {
            assert_eq!(page[link.range.clone()], link.target);
        }
    }

    #[test]
    fn anchors_are_spelled_as_on_github() {
        let page = "# Status of `-c`\n## `//TRANSLIT`\n## [A](b.md) & c, d\n# Twice\n# Twice\n\
                    <a id=\"here\"></a>\n```\n# code\n```\n";
        let anchors = anchors(page);
        let expected = ["a--c-d", "here", "status-of--c", "translit", "twice", "twice-1"];
        assert!(anchors.iter().eq(expected.iter()), "{anchors:?}");
    }

    #[test]
    fn broken_links_are_told() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let page = root.join("docs/README.md");
        let pages = BTreeMap::from([(page.clone(), "# Tasks\n".to_owned())]);
        let reason = |target: &str| reason(root, &pages, &page, target);
        assert_eq!(reason("../Cargo.toml"), None);
        assert_eq!(reason("https://example.org/x"), None);
        let ours = |path: &str| reason(&format!("{FILES}{path}"));
        assert_eq!(ours("docs/README.md#tasks"), None);
        assert_eq!(ours("docs/README.md#reference"), Some("no such heading"));
        assert_eq!(ours("missing.md"), Some("no such file"));
        assert_eq!(reason("#tasks"), None);
        assert_eq!(reason("README.md#tasks"), None);
        assert_eq!(reason("#reference"), Some("no such heading"));
        assert_eq!(reason("missing.md"), Some("no such file"));
    }
}
