//! Reports of changes: lines for people, a diff, or lines of JSON.

use std::convert::Infallible;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use utfall_bind::repair::Object;
use utfall_repair::{Change, Piece, Reason, Skipped};
use utfall_tree::{Digest, Digester};

use crate::cli::{Format, RepairArgs};
use crate::descriptor;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::input::{self, Source};
use crate::likely::{Advice, Likely};
use crate::output::Output;
use crate::stdout::{self, failed};
use crate::{json, message, screen};

const REMOVED: Style = AnsiColor::Red.on_default();
const ADDED: Style = AnsiColor::Green.on_default();
const PLACE: Style = AnsiColor::Cyan.on_default();
/// The number of characters of a text shown.
const SHOWN: usize = 60;

/// The state of a text during its repair.
pub(super) struct Seen {
    changes: u64,
    bytes: u64,
    bytes_after: u64,
    /// Digests of the text before and after.
    digesters: Option<(Digester, Digester)>,
}

/// The state at the end of the text.
#[derive(Clone, Copy)]
pub(super) struct Count {
    pub(super) changes: u64,
    bytes: u64,
    bytes_after: u64,
    digests: Option<(Digest, Digest)>,
}

impl Count {
    /// Whether the original is a file's content.
    pub(super) fn is_of(&self, file: &Path) -> io::Result<bool> {
        let Some((before, _)) = self.digests else { return Ok(false) };
        Ok(Digest::of_file(file)? == before)
    }
}

impl Seen {
    /// Digests are omitted unless they are needed.
    pub(super) fn nothing(with_digests: bool) -> Self {
        let digesters = with_digests.then(Default::default);
        Self { changes: 0, bytes: 0, bytes_after: 0, digesters }
    }

    pub(super) fn add(&mut self, piece: &Piece<'_>) {
        self.changes += piece.changes.len() as u64;
        self.bytes += piece.bytes.len() as u64;
        let Ok(()) = piece.repaired(|bytes| {
            self.bytes_after += bytes.len() as u64;
            if let Some((_, after)) = &mut self.digesters {
                after.add(bytes);
            }
            Ok::<_, Infallible>(())
        });
        if let Some((before, _)) = &mut self.digesters {
            before.add(piece.bytes);
        }
    }

    pub(super) fn count(&self) -> Count {
        let Self { changes, bytes, bytes_after, digesters } = self;
        let digests = digesters.as_ref().map(|(before, after)| (before.finish(), after.finish()));
        Count { changes: *changes, bytes: *bytes, bytes_after: *bytes_after, digests }
    }
}

/// The kind of output on standard output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Nothing,
    Text,
    Json,
    Diff,
}

pub(super) struct Report {
    what: What,
    out: BufWriter<stdout::Raw>,
    /// The report in a file.
    file: Option<InFile>,
    name: FileName,
    seen: Seen,
    /// The encoding that this file looks like, if it is invalid.
    likely: Option<Likely>,
    /// How many places of this file were skipped, by reason.
    skipped: Vec<(Reason, u64)>,
    /// How many places of all files were skipped.
    all_skipped: u64,
    is_quiet: bool,
    /// Whether REPORT already has the last line of this file.
    is_kept: bool,
    changes: u64,
    files: u64,
    /// Whether the previous piece was the start of a line.
    goes_on: bool,
    is_coloured: bool,
    /// Whether to escape characters that act on a terminal.
    is_plain: bool,
    has_failed: bool,
}

/// The file REPORT.
struct InFile {
    path: PathBuf,
    output: Output,
    /// Buffered lines.
    room: Vec<u8>,
}

/// Bytes of REPORT written at a time.
const HELD: usize = 64 * 1024;

impl InFile {
    /// When files are replaced, their changes must be recorded even if the run is interrupted.
    /// Otherwise REPORT appears whole or not at all.
    fn open(path: &Path, args: &RepairArgs) -> Result<Self, Failure> {
        // Here a dash is the name of a file.
        let path = if path == Path::new("-") { Path::new("./-") } else { path };
        let sources: Vec<Source> = input::sources(&args.files);
        let writes_text = !args.dry_run && !args.diff && args.in_place.is_none();
        let is_same = match &args.output {
            Some(out) if out != Path::new("-") => is_same(out, path),
            _ => writes_text && descriptor::is_stdout(path),
        };
        if is_same {
            let name = message::path(path);
            return Err(Failure::Usage(format!("{name} is both OUT and REPORT")));
        }
        let output = match args.in_place.is_some() {
            true => Output::open_at_once(path, &sources)?,
            false => Output::open_apart(path, &sources)?,
        };
        Ok(Self { path: path.into(), output, room: Vec::new() })
    }

    fn object(&mut self, object: &Object<'_>) -> Result<(), Failure> {
        json::line(&mut self.room, object).map_err(failed)?;
        if self.room.len() < HELD { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let written = self.output.write(&self.room).map_err(Failure::of_all);
        self.room.clear();
        written
    }
}

/// Whether two names mean the same file, which need not exist.
fn is_same(one: &Path, other: &Path) -> bool {
    let resolved = |path: &Path| {
        let path = utfall_tree::resolved_links(path).ok()?;
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        Some((folder.unwrap_or(Path::new(".")).canonicalize().ok()?, path.file_name()?.to_owned()))
    };
    resolved(one).is_some_and(|one| Some(one) == resolved(other))
}

impl Report {
    pub(super) fn new(args: &RepairArgs) -> Result<Self, Failure> {
        let what = match args.format {
            _ if args.diff => What::Diff,
            Format::Text => What::Text,
            Format::Json => What::Json,
        };
        Self::with(what, args)
    }

    /// A report that writes nothing to standard output, which has the text.
    pub(super) fn silent(args: &RepairArgs) -> Result<Self, Failure> {
        if args.format == Format::Json {
            return Err(Failure::UsageWithHelp {
                text: "--format is for the report of --dry-run and --in-place".into(),
                help: "--report REPORT writes one beside the text".into(),
            });
        }
        Self::with(What::Nothing, args)
    }

    fn with(what: What, args: &RepairArgs) -> Result<Self, Failure> {
        let file = match &args.report {
            Some(path) => Some(InFile::open(path, args)?),
            None => None,
        };
        let stdout = io::stdout();
        Ok(Self {
            what,
            is_coloured: anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
            is_plain: stdout.is_terminal(),
            out: BufWriter::new(stdout::lock()),
            file,
            name: FileName::default(),
            seen: Seen::nothing(false),
            likely: None,
            skipped: Vec::new(),
            all_skipped: 0,
            is_quiet: args.quiet,
            is_kept: false,
            changes: 0,
            files: 0,
            goes_on: false,
            has_failed: false,
        })
    }

    /// Changes in all files.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Begins the next file.
    pub(super) fn begin(&mut self, name: FileName) {
        self.name = name;
        self.seen = Seen::nothing(self.what == What::Json || self.file.is_some());
        self.likely = None;
        self.skipped.clear();
        self.is_kept = false;
        self.goes_on = false;
    }

    /// Sets the encoding that this file looks like if the rest of it is invalid.
    pub(super) fn looks_like(&mut self, likely: Option<Likely>, source: &Source) {
        self.likely = likely;
        if let Some(likely) = likely.filter(|_| !self.is_quiet) {
            let (name, advice) = (self.name.shown(), likely.advice_to_convert(source));
            message::warning(&format!("{name}: {advice}"));
        }
    }

    /// The part of this file seen so far.
    pub(super) fn count(&self) -> Count {
        self.seen.count()
    }

    pub(super) fn piece(&mut self, piece: &Piece<'_>) -> Result<(), Failure> {
        let is_first = self.seen.changes == 0;
        self.seen.add(piece);
        if !piece.changes.is_empty() && self.what == What::Diff {
            self.diff(piece, is_first).map_err(failed)?;
        }
        self.goes_on = piece.goes_on;
        for change in piece.changes {
            if self.what == What::Text {
                self.line(change).map_err(failed)?;
            }
            if self.what == What::Json || self.file.is_some() {
                self.object(&Object::change(self.name.clone(), change))?;
            }
        }
        self.skip(piece.skipped)
    }

    /// Counts skipped places, and reports them in JSON.
    pub(super) fn skip(&mut self, skipped: &[Skipped]) -> Result<(), Failure> {
        for skipped in skipped {
            if self.what == What::Json || self.file.is_some() {
                self.object(&Object::skipped(self.name.clone(), skipped))?;
            }
            match self.skipped.iter_mut().find(|(reason, _)| *reason == skipped.reason) {
                Some((_, count)) => *count += 1,
                None => self.skipped.push((skipped.reason, 1)),
            }
        }
        self.all_skipped += skipped.len() as u64;
        Ok(())
    }

    /// Whether REPORT is, or will be, this file.
    pub(super) fn is(&self, path: &Path) -> bool {
        self.file.as_ref().is_some_and(|file| is_same(&file.path, path))
    }

    /// Completes the lines of a file in REPORT before the file is replaced, so that the original
    /// can be restored whatever happens. If replacing fails, another line follows.
    pub(super) fn keep(&mut self, action: &'static str) -> Result<(), Failure> {
        let object = self.of_file(action, self.count());
        match &mut self.file {
            Some(file) => file.object(&object)?,
            None => return Ok(()),
        }
        self.is_kept = true;
        self.file.as_mut().map_or(Ok(()), InFile::flush)
    }

    /// Ends a file.
    pub(super) fn end(&mut self, action: &'static str) -> Result<(), Failure> {
        self.end_with(action, self.count())
    }

    /// Ends a file without an error.
    pub(super) fn unchanged(&mut self, count: Count) -> Result<(), Failure> {
        self.end_with("unchanged", count)
    }

    fn end_with(&mut self, action: &'static str, count: Count) -> Result<(), Failure> {
        if self.what == What::Text {
            self.tell_of_skipped().map_err(failed)?;
        }
        self.files += u64::from(count.changes > 0);
        self.changes += count.changes;
        let object = self.of_file(action, count);
        match self.is_kept {
            true => self.show(&object),
            false => self.object(&object),
        }
    }

    fn of_file(&self, action: &'static str, count: Count) -> Object<'static> {
        let Count { changes, bytes, bytes_after, digests } = count;
        let hexadecimal = |digest: Digest| format!("{:032x}", digest.hash);
        Object::File {
            file: self.name.clone(),
            action: if changes == 0 { "unchanged" } else { action }.into(),
            changes,
            bytes,
            bytes_after,
            digest: digests.map(|(before, _)| hexadecimal(before)),
            digest_after: digests.map(|(_, after)| hexadecimal(after)),
            likely: self.likely.map(Likely::object),
            message: None,
        }
    }

    /// Reports an inaccessible file, and continues with others.
    pub(super) fn failed(&mut self, file: FileName, reason: &str) -> Result<(), Failure> {
        self.has_failed = true;
        message::error(&format!("{}: {reason}", file.shown()));
        let object = Object::File {
            file,
            action: "failed".into(),
            changes: 0,
            bytes: 0,
            bytes_after: 0,
            digest: None,
            digest_after: None,
            likely: None,
            message: Some(reason.into()),
        };
        self.object(&object)
    }

    /// Continues after a failure that concerns one file.
    pub(super) fn survive(
        &mut self,
        name: FileName,
        result: Result<(), Failure>,
    ) -> Result<(), Failure> {
        match result {
            Err(Failure::Io { what, error }) if error.kind() != io::ErrorKind::BrokenPipe => {
                let reason = format!("{what}: {}", message::io_reason(&error));
                self.failed(name, &reason)
            }
            result => result,
        }
    }

    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        if self.what == What::Text {
            let changes = message::count(self.changes, "change");
            let text = format!("{changes} in {}", message::count(self.files, "file"));
            writeln!(self.out, "{text}").map_err(failed)?;
        }
        self.out.flush().map_err(failed)?;
        match self.file.take() {
            Some(mut file) => file.flush().and_then(|()| file.output.finish()),
            None => Ok(()),
        }
    }

    /// The exit status for unreadable files.
    pub(super) fn status(&self) -> Result<(), Failure> {
        if self.has_failed { Err(Failure::Unreadable) } else { Ok(()) }
    }

    /// Reports the number of changes on standard error.
    pub(super) fn note(&self) {
        if self.changes > 0 {
            let changes = message::count(self.changes, "change");
            message::note(&format!("{changes}; --dry-run and --diff show them"));
        }
        if self.all_skipped > 0 {
            let places = message::count(self.all_skipped, "place");
            message::note(&format!("{places} skipped; --dry-run says why, --force repairs more"));
        }
    }

    fn object(&mut self, object: &Object<'_>) -> Result<(), Failure> {
        self.show(object)?;
        self.file.as_mut().map_or(Ok(()), |file| file.object(object))
    }

    /// Writes to standard output alone.
    fn show(&mut self, object: &Object<'_>) -> Result<(), Failure> {
        match self.what {
            What::Json => json::line(&mut self.out, object).map_err(failed),
            _ => Ok(()),
        }
    }

    /// Writes a change as a line for people.
    fn line(&mut self, change: &Change) -> io::Result<()> {
        let (before, after) = (shown(&change.before), shown(&change.after));
        let line = format!(
            "{}: line {} (byte {}): {before} -> {after}: {} ({})",
            self.name.shown(),
            change.line,
            change.offset,
            change.chain,
            percent(change.confidence),
        );
        writeln!(self.out, "{}", screen::line(&line))
    }

    /// Reports the skipped places of this file, with the reasons.
    fn tell_of_skipped(&mut self) -> io::Result<()> {
        for (reason, count) in &self.skipped {
            // A warning has already suggested `utfall convert` for this file.
            if *reason == Reason::Binary && self.likely.is_some() {
                continue;
            }
            let (name, places) = (self.name.shown(), message::count(*count, "place"));
            let text = match reason {
                Reason::Binary => format!("{reason}; --force repairs it"),
                Reason::HalfWord | Reason::OtherDamage => format!("{places}, {reason}"),
                _ => format!("{places}, {reason}; --force repairs it"),
            };
            let line = format!("{name}: skipped: {text}");
            writeln!(self.out, "{}", screen::line(&line))?;
        }
        Ok(())
    }

    /// Writes a changed line as a hunk without context.
    fn diff(&mut self, piece: &Piece<'_>, is_first: bool) -> io::Result<()> {
        let style = |style: Style| if self.is_coloured { style } else { Style::new() };
        let (removed, added, place) = (style(REMOVED), style(ADDED), style(PLACE));
        if is_first {
            let name = self.name.in_diff();
            writeln!(self.out, "--- {name}\n+++ {name}")?;
        }
        let line = piece.changes[0].line;
        let part = if self.goes_on || piece.goes_on { " part of a line" } else { "" };
        writeln!(self.out, "{place}@@ -{line} +{line} @@{part}{place:#}")?;
        let mut after = Vec::new();
        piece.repaired(|bytes| {
            after.extend_from_slice(bytes);
            Ok::<_, io::Error>(())
        })?;
        for (sign, bytes, style) in [(b'-', piece.bytes, removed), (b'+', &after[..], added)] {
            write!(self.out, "{style}")?;
            self.out.write_all(&[sign])?;
            let text = bytes.strip_suffix(b"\n");
            match self.is_plain {
                true => {
                    let text = String::from_utf8_lossy(text.unwrap_or(bytes));
                    self.out.write_all(message::plain(&text).as_bytes())?;
                }
                false => self.out.write_all(text.unwrap_or(bytes))?,
            }
            writeln!(self.out, "{style:#}")?;
            if text.is_none() {
                writeln!(self.out, "\\ No newline at end of file")?;
            }
        }
        Ok(())
    }
}

/// A short text in quotes, or its bytes if it is not UTF-8.
fn shown(bytes: &[u8]) -> String {
    let cut = |text: String| match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    };
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            let mark = |character| match character {
                // Invisible characters may be the only change.
                '\u{200C}' | '\u{200D}' => format!("<U+{:04X}>", u32::from(character)),
                _ if screen::is_escaped(character) => format!("<U+{:04X}>", u32::from(character)),
                _ => character.to_string(),
            };
            format!("\"{}\"", cut(text.chars().take(SHOWN + 1).map(mark).collect()))
        }
        Err(_) => cut(message::bytes(&bytes[..bytes.len().min(SHOWN)])),
    }
}

/// `99.9 %`, rounded down.
fn percent(confidence: f64) -> String {
    format!("{:.1} %", (confidence * 1000.0).floor() / 10.0)
}
