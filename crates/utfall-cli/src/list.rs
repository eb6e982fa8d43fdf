//! `utfall list`: the registry.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use utfall::{Encoding, Info, Labels, SplitPoint};

use crate::cli::{ListArgs, ListFormat};
use crate::failure::Failure;
use crate::json::VERSION;
use crate::{label, message, stdout};

pub(crate) fn run(args: &ListArgs) -> Result<(), Failure> {
    let filter = args.filter.as_deref().unwrap_or_default();
    let encodings = label::matching(filter);
    if encodings.is_empty() {
        return Err(label::unknown(filter));
    }
    let mut out = BufWriter::new(stdout::lock());
    let result = match args.format {
        ListFormat::Text => text(&encodings, &mut out),
        ListFormat::Table => table(&encodings, &mut out),
        ListFormat::Labels => labels(&encodings, &mut out),
        ListFormat::Json => json(&encodings, &mut out),
    };
    result.and_then(|()| out.flush()).map_err(stdout::failed)
}

fn table(encodings: &[Encoding], out: &mut impl Write) -> io::Result<()> {
    let rows = encodings
        .iter()
        .map(|encoding| encoding.info())
        .map(|info| (info.name, message::bytes(info.signature), info.specification));
    let head = ("NAME", "BOM".to_owned(), "SPECIFICATION");
    let rows: Vec<_> = std::iter::once(head).chain(rows).collect();
    let width = |of: fn(&(&str, String, &str)) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let (names, marks) = (width(|row| row.0.len()), width(|row| row.1.len()));
    for (name, mark, specification) in &rows {
        writeln!(out, "{name:names$}  {mark:marks$}  {specification}")?;
    }
    Ok(())
}

/// A label that vocabularies define differently.
struct Meanings {
    label: &'static str,
    default: Encoding,
    /// In the order of [`Labels::ALL`].
    each: [Encoding; 3],
}

/// The labels that mean one of these encodings to somebody, and another one to others.
fn meanings(encodings: &[Encoding]) -> Vec<Meanings> {
    let labels = Encoding::ALL.iter().flat_map(|encoding| {
        let info = encoding.info();
        let labels = std::iter::once(info.name).chain(info.aliases.iter().copied());
        labels.map(|label| (label, *encoding))
    });
    let meanings = labels.map(|(label, default)| {
        let of = |labels| Encoding::for_label_in(label, labels).unwrap_or(default);
        let each = [of(Labels::Whatwg), of(Labels::Iana), of(Labels::Glibc)];
        Meanings { label, default, each }
    });
    let is_wanted = |encoding: &Encoding| encodings.contains(encoding);
    meanings
        .filter(|row| row.each.iter().any(|encoding| *encoding != row.default))
        .filter(|row| is_wanted(&row.default) || row.each.iter().any(is_wanted))
        .collect()
}

fn labels(encodings: &[Encoding], out: &mut impl Write) -> io::Result<()> {
    let head = ["LABEL", "DEFAULT", "WHATWG", "IANA", "GLIBC"];
    let rows = meanings(encodings).into_iter().map(|row| {
        let [whatwg, iana, glibc] = row.each.map(Encoding::name);
        [row.label, row.default.name(), whatwg, iana, glibc]
    });
    let rows: Vec<_> = std::iter::once(head).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let [a, b, c, d] = [width(0), width(1), width(2), width(3)];
    for [label, default, whatwg, iana, glibc] in &rows {
        writeln!(out, "{label:a$}  {default:b$}  {whatwg:c$}  {iana:d$}  {glibc}")?;
    }
    Ok(())
}

fn text(encodings: &[Encoding], out: &mut impl Write) -> io::Result<()> {
    for encoding in encodings {
        let info = encoding.info();
        writeln!(out, "{}", info.name)?;
        writeln!(out, "  description:    {}", info.description)?;
        if !info.aliases.is_empty() {
            writeln!(out, "  aliases:        {}", info.aliases.join(", "))?;
        }
        writeln!(out, "  specification:  {}", info.specification)?;
        writeln!(out, "  properties:     {}", properties(info).join(", "))?;
        if !info.signature.is_empty() {
            writeln!(out, "  signature:      {}", message::bytes(info.signature))?;
        }
    }
    Ok(())
}

fn properties(info: &Info) -> Vec<&'static str> {
    let named = [
        (info.iana, "registered with IANA"),
        (info.is_self_synchronizing(), "self-synchronizing"),
        (info.ascii_transparent, "ASCII-transparent"),
        (info.seven_bit, "7-bit"),
        (info.stateful, "stateful"),
    ];
    let mut properties: Vec<_> =
        named.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name).collect();
    properties.push(match info.split_point {
        SplitPoint::Character => "cut before any character",
        SplitPoint::Line => "cut after a line end",
        _ => "cut nowhere",
    });
    properties
}

#[derive(Serialize)]
struct List {
    version: u32,
    r#type: &'static str,
    encodings: Vec<Row>,
    /// The labels that vocabularies define differently.
    labels: Vec<LabelRow>,
}

/// A label, and the name of the encoding that it means by default and in each vocabulary.
#[derive(Serialize)]
struct LabelRow {
    label: &'static str,
    default: &'static str,
    whatwg: &'static str,
    iana: &'static str,
    glibc: &'static str,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    number: u16,
    iana_registered: bool,
    aliases: &'static [&'static str],
    description: &'static str,
    specification: &'static str,
    self_synchronizing: bool,
    ascii_transparent: bool,
    seven_bit: bool,
    stateful: bool,
    /// `character`, `line` or `nowhere`.
    cut: String,
    /// Bytes in hexadecimal, empty if there is none.
    bom: String,
}

fn json(encodings: &[Encoding], out: &mut impl Write) -> io::Result<()> {
    let rows = encodings
        .iter()
        .map(|encoding| {
            let info = encoding.info();
            Row {
                name: info.name,
                number: *encoding as u16,
                iana_registered: info.iana,
                aliases: info.aliases,
                description: info.description,
                specification: info.specification,
                self_synchronizing: info.is_self_synchronizing(),
                ascii_transparent: info.ascii_transparent,
                seven_bit: info.seven_bit,
                stateful: info.stateful,
                cut: info.split_point.to_string(),
                bom: message::bytes(info.signature),
            }
        })
        .collect();
    let labels = meanings(encodings).into_iter().map(|row| {
        let [whatwg, iana, glibc] = row.each.map(Encoding::name);
        LabelRow { label: row.label, default: row.default.name(), whatwg, iana, glibc }
    });
    let labels = labels.collect();
    let list = List { version: VERSION, r#type: "list", encodings: rows, labels };
    serde_json::to_writer_pretty(&mut *out, &list)?;
    writeln!(out)
}
