//! `cargo xtask book`: the pages of `docs` as a book with search, made by mdBook.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::links;
use crate::steps;
use crate::tools::{self, target_dir};

/// The page whose lists are the table of contents.
const INDEX: &str = "docs/README.md";

const CONFIG: &str = r#"[book]
title = "utfall"
description = "Validate, convert, detect, explain and repair text in any encoding"
language = "en"
src = "src"

[build]
build-dir = "html"

[output.html]
git-repository-url = "https://github.com/utfall/utfall"
smart-punctuation = false
no-section-label = true

[output.html.search]
boost-title = 3
"#;

/// Builds the book, after installing mdBook if necessary.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let mdbook = tools::installed(
        root,
        "mdbook",
        "0.5.4",
        &["--no-default-features", "--features", "search"],
    )?;
    let book = target_dir(root).join("book");
    write_sources(root, &book)?;
    let mut build = Command::new(mdbook);
    steps::run(build.arg("build").arg(&book))?;
    println!("   {}", book.join("html/index.html").display());
    Ok(())
}

/// Writes the pages, with their links adjusted to the book.
fn write_sources(root: &Path, book: &Path) -> Result<(), String> {
    let failed = |error: io::Error| format!("{}: {error}", book.display());
    if book.exists() {
        fs::remove_dir_all(book).map_err(failed)?;
    }
    let index = read(&root.join(INDEX))?;
    let chapters = chapters(&index);
    let mut pages: BTreeMap<PathBuf, PathBuf> = chapters
        .iter()
        .filter_map(|chapter| chapter.page.as_ref())
        .map(|page| (page.clone(), in_book(page)))
        .collect();
    pages.insert(INDEX.into(), "README.md".into());
    for (page, to) in &pages {
        let text = with_links(&read(&root.join(page))?, page, &pages);
        write(&book.join("src").join(to), &text)?;
    }
    write(&book.join("src/SUMMARY.md"), &summary(&chapters))?;
    write(&book.join("book.toml"), CONFIG)
}

/// A line of the table of contents.
#[derive(Debug, PartialEq)]
struct Chapter {
    title: String,
    /// Path from the root of the repository. `None` for the title of a part.
    page: Option<PathBuf>,
    depth: usize,
}

/// The headings of the index, and the first link of each list item.
fn chapters(index: &str) -> Vec<Chapter> {
    let mut chapters = Vec::new();
    for line in index.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            chapters.push(Chapter { title: title.to_owned(), page: None, depth: 0 });
        }
        let text = line.trim_start();
        let item = text.strip_prefix("- [").and_then(|rest| rest.split_once("]("));
        let Some((title, rest)) = item else { continue };
        let Some((target, _)) = rest.split_once(')') else { continue };
        let page = links::resolved(Path::new(INDEX), target);
        let depth = (line.len() - text.len()) / 2;
        chapters.push(Chapter { title: title.to_owned(), page: Some(page), depth });
    }
    chapters
}

/// `SUMMARY.md` as mdBook reads it.
fn summary(chapters: &[Chapter]) -> String {
    let mut text = String::from("# Summary\n\n[utfall](README.md)\n");
    for Chapter { title, page, depth } in chapters {
        match page {
            None => text += &format!("\n# {title}\n\n"),
            Some(page) => {
                let indent = "  ".repeat(*depth);
                text += &format!("{indent}- [{title}]({})\n", slashed(&in_book(page)));
            }
        }
    }
    text
}

/// The path of a page in the book. `README` would become the index of its directory.
fn in_book(page: &Path) -> PathBuf {
    page.strip_prefix("docs").map_or_else(|_| Path::new("project").join(page), Path::to_owned)
}

/// Adjusts links: those to pages of the book to their paths there, those to other files to URLs.
fn with_links(text: &str, page: &Path, pages: &BTreeMap<PathBuf, PathBuf>) -> String {
    let mut links = links::links(text);
    links.sort_by_key(|link| link.range.start);
    let up = "../".repeat(pages[page].components().count() - 1);
    let mut new = String::new();
    let mut done = 0;
    for link in links {
        if links::is_elsewhere(&link.target) || link.target.starts_with('#') {
            continue;
        }
        let file = links::resolved(page, &link.target);
        let anchor = link.target.find('#').map_or("", |at| &link.target[at..]);
        let target = match pages.get(&file) {
            Some(to) => format!("{up}{}", slashed(to)),
            None => format!("{}{}", links::FILES, slashed(&file)),
        };
        new += &text[done..link.range.start];
        new += &target;
        new += anchor;
        done = link.range.end;
    }
    new + &text[done..]
}

fn slashed(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_the_lists_of_the_index() {
        let index = "# T\n\n## Tasks\n\n- [A](a.md): b, [c](d.md)\n  - [B](x/b.md)\n\n## More\n\n- [S](../S.md)\n";
        let expected = "# Summary\n\n[utfall](README.md)\n\n# Tasks\n\n- [A](a.md)\n  - [B](x/b.md)\n\n\
                        # More\n\n- [S](project/S.md)\n";
        assert_eq!(summary(&chapters(index)), expected);
    }

    #[test]
    fn links_lead_to_the_book_or_to_the_repository() {
        let page = |page: &str| (PathBuf::from(page), in_book(Path::new(page)));
        let pages = BTreeMap::from([page("docs/a.md"), page("docs/x/b.md"), page("S.md")]);
        let text =
            "[s](../../S.md#t) [a](../a.md) [c](../../Cargo.toml) [d](https://e.org) [f](#g)\n";
        let expected = "[s](../project/S.md#t) [a](../a.md) [c](https://github.com/utfall/utfall/blob/main/Cargo.toml) \
                        [d](https://e.org) [f](#g)\n";
        assert_eq!(with_links(text, Path::new("docs/x/b.md"), &pages), expected);
    }
}
