//! A session in a terminal as SVG. Every piece of text has its position and its length in columns,
//! so that the grid holds in any font.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use unicode_width::UnicodeWidthChar as _;

use super::theme::{Theme, escaped};
use crate::tools::target_dir;

/// Run one after the other, in a directory with `examples/mixed` and [`MENU`].
const COMMANDS: [&str; 5] = [
    "utfall detect mixed/*",
    "utfall convert -f detect -t UTF-8 --in-place mixed",
    "utfall undo",
    "utfall repair --diff menu.txt",
    "utfall explain 'é€'",
];

/// A line whose UTF-8 was read as windows-1252.
const MENU: (&str, &str) = ("menu.txt", "Le cafÃ© de FranÃ§ois\n");

const COLUMNS: usize = 80;
/// The width of a column and the height of a line, for the font below.
const COLUMN: f64 = 8.4;
const LINE: f64 = 20.0;
const FONT: &str =
    "font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const MARGIN: f64 = 20.0;
/// The bar with the three dots of a window.
const BAR: f64 = 34.0;

/// The commands with their prompts, and the output of the program in `folder` to a terminal.
pub(crate) fn recorded(root: &Path, folder: &Path) -> Result<String, String> {
    let work = target_dir(root).join("picture");
    let failed = |error: std::io::Error| format!("{}: {error}", work.display());
    if work.exists() {
        fs::remove_dir_all(&work).map_err(failed)?;
    }
    let files = work.join("files");
    fs::create_dir_all(files.join("mixed")).map_err(failed)?;
    for entry in fs::read_dir(root.join("examples/mixed")).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        fs::copy(&path, files.join("mixed").join(path.file_name().unwrap_or_default()))
            .map_err(failed)?;
    }
    fs::write(files.join(MENU.0), MENU.1).map_err(failed)?;

    let program = folder.join(format!("utfall{}", env::consts::EXE_SUFFIX));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [folder.to_owned()].into_iter().chain(env::split_paths(&path));
    let path = env::join_paths(folders).map_err(|error| error.to_string())?;
    if !program.exists() {
        return Err(format!("{} is not built", program.display()));
    }
    let mut text = String::new();
    for command in COMMANDS {
        let mut shell = Command::new("sh");
        // A command may fail; only its output matters.
        shell.args(["-c", &format!("{{ {command}; }} 2>&1; true")]).current_dir(&files).env_clear();
        shell.env("PATH", &path).env("HOME", &work).env("CLICOLOR_FORCE", "1");
        shell.env("TERM", "xterm-256color").env("COLUMNS", COLUMNS.to_string());
        shell.stdin(Stdio::null());
        let output = shell.output().map_err(|error| format!("sh: {error}"))?;
        let output =
            String::from_utf8(output.stdout).map_err(|error| format!("{command}: {error}"))?;
        let gap = if text.is_empty() { "" } else { "\n" };
        write!(text, "{gap}\x1B[2m$\x1B[0m \x1B[1m{command}\x1B[0m\n{output}").unwrap();
    }
    Ok(text)
}

/// The style of a piece of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Style {
    is_bold: bool,
    is_dim: bool,
    is_italic: bool,
    is_underlined: bool,
    /// One of the colours of [`Theme::ansi`].
    colour: Option<usize>,
}

/// Text in one style, from a column on.
#[derive(Debug, PartialEq, Eq)]
struct Piece {
    column: usize,
    columns: usize,
    text: String,
    style: Style,
}

pub(crate) fn svg(text: &str, theme: &Theme) -> String {
    let lines = lines(text);
    let width = COLUMN * COLUMNS as f64 + 2.0 * MARGIN;
    let height = BAR + LINE * lines.len() as f64 + MARGIN;
    let Theme { background, border, .. } = theme;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<title>A session with utfall in a terminal</title>\n<style>\n\
         text {{ {FONT}; fill: {}; white-space: pre }}\n.b {{ font-weight: 600 }}\n.d {{ fill: {} }}\n\
         .i {{ font-style: italic }}\n.u {{ text-decoration: underline }}\n",
        theme.text, theme.dim
    );
    for (number, colour) in theme.ansi.iter().enumerate() {
        writeln!(svg, ".c{number} {{ fill: {colour} }}").unwrap();
    }
    writeln!(
        svg,
        "</style>\n<rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{background}\" \
         stroke=\"{border}\"/>",
        width - 1.0,
        height - 1.0
    )
    .unwrap();
    for dot in 0..3 {
        let x = MARGIN + 5.0 + 18.0 * f64::from(dot);
        writeln!(svg, "<circle cx=\"{x}\" cy=\"19\" r=\"5\" fill=\"{border}\"/>").unwrap();
    }
    for (number, line) in lines.iter().enumerate() {
        let y = BAR + LINE * number as f64 + 15.0;
        for Piece { column, columns, text, style } in line {
            let x = MARGIN + COLUMN * *column as f64;
            let length = COLUMN * *columns as f64;
            writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y}\" textLength=\"{length:.1}\"{}>{}</text>",
                class(*style),
                escaped(text)
            )
            .unwrap();
        }
    }
    svg += "</svg>\n";
    svg
}

fn class(style: Style) -> String {
    let colour = style.colour.map(|number| format!("c{number}"));
    let names = [
        style.is_bold.then(|| "b".to_owned()),
        style.is_dim.then(|| "d".to_owned()),
        style.is_italic.then(|| "i".to_owned()),
        style.is_underlined.then(|| "u".to_owned()),
        colour,
    ];
    let names: Vec<String> = names.into_iter().flatten().collect();
    if names.is_empty() { String::new() } else { format!(" class=\"{}\"", names.join(" ")) }
}

/// The lines of a terminal after text with escape sequences was written to it.
fn lines(text: &str) -> Vec<Vec<Piece>> {
    let mut lines = vec![Vec::new()];
    let mut style = Style::default();
    let mut column = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(sequence) = rest.strip_prefix("\x1B[") {
            let end = sequence.find(|c: char| ('@'..='~').contains(&c)).unwrap_or(0);
            if sequence[end..].starts_with('m') {
                style = styled(style, &sequence[..end]);
            }
            rest = &sequence[(end + 1).min(sequence.len())..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        let width = c.width().unwrap_or(0);
        if c == '\n' || column + width > COLUMNS {
            lines.push(Vec::new());
            column = 0;
        }
        if c != '\n' {
            put(lines.last_mut().expect("there is always a line"), c, column, width, style);
            column += width;
        }
    }
    if lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    // Invisible pieces are removed.
    for line in &mut lines {
        line.retain(|piece| !piece.text.trim().is_empty());
    }
    lines
}

/// Adds a character to a line. Words are separate pieces, so that columns hold in any font, and so
/// are wide characters.
fn put(line: &mut Vec<Piece>, c: char, column: usize, width: usize, style: Style) {
    let is_alike = |piece: &Piece| {
        let last = piece.text.chars().next_back();
        let is_gap = last == Some(' ') && c == ' ' || piece.text.ends_with("  ");
        let is_wide = last.and_then(|last| last.width()).unwrap_or(0) != width && width > 0;
        piece.style == style && piece.column + piece.columns == column && !is_gap && !is_wide
    };
    match line.last_mut() {
        Some(piece) if is_alike(piece) => {
            piece.text.push(c);
            piece.columns += width;
        }
        _ => line.push(Piece { column, columns: width, text: c.to_string(), style }),
    }
}

/// A style after the parameters of an SGR sequence.
fn styled(mut style: Style, parameters: &str) -> Style {
    let mut numbers = parameters.split(';').map(|number| number.parse().unwrap_or(0));
    while let Some(number) = numbers.next() {
        match number {
            0 => style = Style::default(),
            1 => style.is_bold = true,
            2 => style.is_dim = true,
            3 => style.is_italic = true,
            4 => style.is_underlined = true,
            22 => (style.is_bold, style.is_dim) = (false, false),
            23 => style.is_italic = false,
            24 => style.is_underlined = false,
            30..=37 => style.colour = Some(number - 30),
            90..=97 => style.colour = Some(number - 90),
            // Of 256 colours, the first sixteen are those above.
            38 if numbers.next() == Some(5) => {
                style.colour =
                    numbers.next().filter(|colour| *colour < 16).map(|colour| colour % 8);
            }
            39 => style.colour = None,
            _ => {}
        }
    }
    style
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_widths_and_long_lines_are_those_of_a_terminal() {
        let text = format!("\x1B[1;31ma\x1B[0m b日c\n\n{}d", "x".repeat(COLUMNS));
        let lines = lines(&text);
        let red = Style { is_bold: true, colour: Some(1), ..Style::default() };
        let piece = |column, columns, text: &str, style| Piece {
            column,
            columns,
            text: text.into(),
            style,
        };
        let plain = Style::default();
        let first = [
            piece(0, 1, "a", red),
            piece(1, 2, " b", plain),
            piece(3, 2, "日", plain),
            piece(5, 1, "c", plain),
        ];
        assert_eq!(lines[0], first);
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[3], [piece(0, 1, "d", plain)]);
    }

    #[test]
    fn markup_in_output_is_text() {
        assert!(svg("<a&b>", &super::super::THEMES[0]).contains(">&lt;a&amp;b&gt;</text>"));
    }
}
