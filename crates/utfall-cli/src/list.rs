//! `utfall list`: the registry.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use utfall::{Encoding, Info, SplitPoint};

use crate::cli::{ListArgs, ListFormat};
use crate::failure::Failure;
use crate::json::VERSION;
use crate::{label, message, stdout};

pub(crate) fn run(args: &ListArgs) -> Result<(), Failure> {
    let encodings = label::matching(args.filter.as_deref().unwrap_or_default());
    if let (true, Some(filter)) = (encodings.is_empty(), &args.filter) {
        return Err(label::unknown(filter));
    }
    let mut out = BufWriter::new(stdout::lock());
    let result = match args.format {
        ListFormat::Text => text(&encodings, &mut out),
        ListFormat::Table => table(&encodings, &mut out),
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

fn text(encodings: &[Encoding], out: &mut impl Write) -> io::Result<()> {
    for encoding in encodings {
        let info = encoding.info();
        writeln!(out, "{}", info.name)?;
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
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    number: u16,
    iana_registered: bool,
    aliases: &'static [&'static str],
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
    let list = List { version: VERSION, r#type: "list", encodings: rows };
    serde_json::to_writer_pretty(&mut *out, &list)?;
    writeln!(out)
}
