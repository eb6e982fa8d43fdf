//! `utfall cost`: the size of texts in mail, measured in one pass and bounded memory.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use utfall::{Bom, Decoder, Encoding, Options, Status};
use utfall_mime::cost::{Costs, Meter, Purpose, Row, Way};

use crate::cli::{CostArgs, Format};
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::input::{self, Input, Source};
use crate::stdout::{self, failed};
use crate::{convert, json, label, likely, message, output, screen};

/// Bytes decoded at a time.
const ROOM: usize = 64 << 10;
/// The maximum width of a line of names.
const WIDTH: usize = 100;

const PURPOSES: [(Purpose, &str, &str); 3] = [
    (Purpose::Body7Bit, "body_7bit", "best in a body, 7-bit transport"),
    (Purpose::Body8Bit, "body_8bit", "best in a body, 8-bit transport"),
    (Purpose::Header, "header", "best in header fields"),
];

pub(crate) fn run(args: &CostArgs) -> Result<(), Failure> {
    let from = label::find_from(args.from.as_deref(), args.labels.get())?;
    let sources = input::sources(&args.files);
    output::refuse_as_stdout(&sources)?;
    input::tell_of_terminal(&args.files);
    let mut out = BufWriter::new(stdout::lock());
    for (index, source) in sources.iter().enumerate() {
        let mut input = Input::open(source)?;
        let mark = Encoding::for_bom(input.first_bytes()?).map(|(encoding, _)| encoding);
        let known = from.or(mark);
        let encoding = known.unwrap_or(Encoding::Utf8);
        let costs = measure(&mut input, encoding, known.is_some())?;
        let report = Report { source, name: input.name(), encoding, costs: &costs };
        match args.format {
            Format::Text if index > 0 => {
                writeln!(out).and_then(|()| report.text(&mut out)).map_err(failed)?;
            }
            Format::Text => report.text(&mut out).map_err(failed)?,
            Format::Json => report.json(&mut out).map_err(failed)?,
        }
    }
    out.flush().map_err(failed)
}

fn measure(input: &mut Input, encoding: Encoding, is_known: bool) -> Result<Costs, Failure> {
    let options = Options::default().with_bom(Bom::Strip);
    let mut decoder = Decoder::new(encoding, options).track_position();
    let mut meter = Meter::new();
    let mut room = vec![0; ROOM];
    loop {
        input.advance()?;
        let piece = input.piece();
        let (last, mut read) = (piece.is_empty(), 0);
        loop {
            let progress = decoder.decode_to_utf8(&piece[read..], &mut room, last);
            read += progress.read;
            // They are whole characters: nothing is lost.
            meter.push(&String::from_utf8_lossy(&room[..progress.written]));
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(error) if !is_known => {
                    return Err(likely::cannot_tell(input, error.offset()));
                }
                Status::Error(error) => {
                    let position = decoder.error_position().unwrap_or_default();
                    return Err(convert::without_policies((error, position), encoding, input));
                }
            }
        }
        if last {
            return Ok(meter.finish());
        }
    }
}

struct Report<'a> {
    source: &'a Source,
    name: &'a str,
    encoding: Encoding,
    costs: &'a Costs,
}

impl Report<'_> {
    /// The purposes for which a form of a row is the shortest.
    fn is_best_for(&self, row: &Row, way: Way) -> impl Iterator<Item = &'static str> {
        let is_best = move |purpose| {
            self.costs.best(purpose).is_some_and(|(best, by)| best == row && by == way)
        };
        PURPOSES.into_iter().filter(move |(purpose, ..)| is_best(*purpose)).map(|(_, name, _)| name)
    }

    fn text(&self, out: &mut impl Write) -> io::Result<()> {
        let (name, costs) = (self.name, self.costs);
        let characters = message::count(costs.characters, "character");
        let title = format!("{name}: {characters} of {}; bytes per character:", self.encoding);
        writeln!(out, "{}", screen::line(&title))?;
        if costs.characters == 0 {
            return Ok(());
        }
        let in_body = |row: &Row| {
            let ways = Way::ALL.into_iter().filter(|way| !way.is_for_headers());
            ways.map(|way| row.size(way)).collect::<Vec<_>>()
        };
        // Of charsets with the same costs in bodies, the first is shown, and any that is the best
        // for a purpose.
        let mut shown: Vec<(&Row, Vec<String>)> = Vec::new();
        for row in &costs.rows {
            let is_best = Way::ALL.iter().any(|way| self.is_best_for(row, *way).next().is_some());
            let like = shown.iter_mut().find(|(first, _)| in_body(first) == in_body(row));
            match like {
                Some((_, names)) if !is_best => names.push(row.name()),
                _ => shown.push((row, Vec::new())),
            }
        }
        let width = shown.iter().map(|(row, _)| row.name().len()).max().unwrap_or(0);
        let mut line = format!("{:width$}", "charset");
        for way in Way::ALL {
            line += &format!("  {:>w$} ", way.name(), w = column(way));
        }
        writeln!(out, "{}", line.trim_end())?;
        for (row, _) in &shown {
            let mut line = format!("{:width$}", row.name());
            for way in Way::ALL {
                let cost = row.size(way).and_then(|size| costs.per_character(way, size.bytes));
                let cost = cost.map_or_else(|| "-".into(), |cost| format!("{cost:.2}"));
                let is_best = self.is_best_for(row, way).next().is_some();
                let mark = if is_best { '*' } else { ' ' };
                line += &format!("  {cost:>w$}{mark}", w = column(way));
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        for (row, names) in shown.iter().filter(|(_, names)| !names.is_empty()) {
            wrapped(out, &format!("as {} in a body:", row.name()), names)?;
        }
        for (purpose, _, title) in PURPOSES {
            let Some((row, way)) = costs.best(purpose) else { continue };
            let bytes = row.size(way).unwrap_or_default().bytes;
            let Some(cost) = costs.per_character(way, bytes) else { continue };
            writeln!(out, "{title}: {}, {}, {cost:.2}", row.name(), way.name())?;
        }
        Ok(())
    }

    fn json(&self, out: &mut impl Write) -> io::Result<()> {
        let (file, costs) = (FileName::of_source(self.source), self.costs);
        for row in &costs.rows {
            for way in Way::ALL {
                let Some(size) = row.size(way) else { continue };
                let object = Object::Cost {
                    file: file.clone(),
                    charset: row.charset.name(),
                    set_d_only: row.set_d_only,
                    form: way.name(),
                    bytes: size.bytes,
                    framing_bytes: size.framing,
                    bytes_per_character: costs.per_character(way, size.bytes),
                    best_for: self.is_best_for(row, way).collect(),
                };
                json::line(&mut *out, &object)?;
            }
        }
        let object = Object::File {
            file,
            encoding: self.encoding.name(),
            characters: costs.characters,
            header_characters: costs.field_characters,
        };
        json::line(out, &object)
    }
}

/// The width of a column.
fn column(way: Way) -> usize {
    way.name().len().max("12.34".len())
}

/// A title and names, separated by commas, wrapped.
fn wrapped(out: &mut impl Write, title: &str, names: &[String]) -> io::Result<()> {
    let mut line = title.to_owned();
    for (index, name) in names.iter().enumerate() {
        let comma = if index + 1 < names.len() { "," } else { "" };
        if line.len() + name.len() + 2 > WIDTH {
            writeln!(out, "{line}")?;
            line = " ".into();
        }
        line += &format!(" {name}{comma}");
    }
    writeln!(out, "{line}")
}

/// A line of JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Object {
    Cost {
        #[serde(flatten)]
        file: FileName,
        charset: &'static str,
        set_d_only: bool,
        form: &'static str,
        bytes: u64,
        framing_bytes: u64,
        bytes_per_character: Option<f64>,
        best_for: Vec<&'static str>,
    },
    File {
        #[serde(flatten)]
        file: FileName,
        encoding: &'static str,
        characters: u64,
        header_characters: u64,
    },
}
