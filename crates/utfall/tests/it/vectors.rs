//! The third-party conformance vectors in `testdata/vectors`, with decoders and encoders: whole,
//! split at every place, and into outputs of every size.
//!
//! Skipped cases are counted, and their reasons printed. `testdata/dissents.tsv` lists the cases
//! whose source expects a different result, with the section of `docs/decisions.md` that explains
//! why. Such a case fails the test if it stops dissenting.

use utfall::{
    Bom, Decoder, Encoder, Encoding, Escape, Granularity, Options, Policy, Status, Substitute,
    Transcoder, Utf7Tolerance,
};
use utfall_oracle::vectors::{self, Account, Case, Outcome, bytes, points};

use crate::common::encode_with;

/// The options of a case, or the reason why it cannot be run.
fn options(case: &Case) -> Result<Options, String> {
    let decodes = case.direction != "encode";
    let mut options = Options::default()
        .with_on_ill_formed(policy(&case.mode)?)
        .with_on_unencodable(policy(&case.mode)?);
    for name in case.leniences() {
        options.utf7_tolerance |= Utf7Tolerance::from_name(name).expect("a name of the library");
    }
    if !decodes && case.source.contains("CPython") {
        options.substitute = Substitute::new("?");
    }
    for option in case.options.split(';').filter(|option| *option != "-") {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        match (name, value) {
            ("bom", "strip") => options.bom = Bom::Strip,
            ("bom", "none") => options.bom = Bom::Strip,
            ("bom", "keep") => options.bom = Bom::Keep,
            ("bom", "write") => options.bom = Bom::Add,
            ("bom", "optional") => {}
            ("fffd", "maximal-subpart" | "one-per-ill-formed-run") => {}
            ("fffd", "per-byte") => options.granularity = Granularity::PerByte,
            ("fffd", "kuhn" | "perl") => options.granularity = Granularity::Perl,
            ("replacement", "U+FFFC") => options.replacement = Substitute::new("\u{FFFC}"),
            ("set-o", "encoded") => options.utf7.shift_set_o = true,
            ("set-o", "direct" | "any") => {}
            ("unshift", "always-minus") => options.utf7.explicit_close = true,
            ("unshift", "implicit" | "implicit-where-possible") => {}
            ("lf", "15" | "25") => {}
            ("encoder-choice" | "chunks" | "outs" | "source" | "source-skips" | "final", _) => {}
            ("implementation", _) if !case.leniences().is_empty() => {}
            ("had-errors" | "stream" | "endian" | "default" | "input" | "to" | "from", _) => {}
            ("capacity" | "status" | "read_u16" | "u16chunks", _) => {}
            ("fffd", _) => return Err(format!("{option}: a count of U+FFFD that is not offered")),
            _ => return Err(format!("{option}: an option of its source alone")),
        }
    }
    Ok(options)
}

fn policy(mode: &str) -> Result<Policy, String> {
    Ok(match mode {
        "strict" | "lax" | "dotnet" | "windows-cp65000" | "-" => Policy::Strict,
        "replace" => Policy::Replace,
        "ignore" => Policy::Skip,
        "surrogateescape" => Policy::SurrogateEscape,
        "backslashreplace" => Policy::Escape(Escape::Python),
        "escape-c" => Policy::Escape(Escape::Python),
        "xmlcharrefreplace" => Policy::Escape(Escape::Xml),
        _ => return Err(format!("mode {mode}: not offered")),
    })
}

/// The encoding under test, or the reason why there is none.
fn encoding(case: &Case) -> Result<Encoding, String> {
    let label = match case.option("lf") {
        Some("25") => "UTF-EBCDIC/CDRA",
        _ => &case.encoding,
    };
    let label = match (label, case.option("endian")) {
        ("utf-16", Some("le")) => "utf-16le",
        ("utf-32", Some("le")) => "utf-32le",
        (label, _) => label,
    };
    Encoding::for_label(label).ok_or_else(|| format!("{label}: no such encoding"))
}

fn run(case: &Case) -> Outcome {
    let outcome = match case.direction.as_str() {
        "decode" => decode(case),
        "encode" => encode(case),
        "transcode" => transcode(case),
        "concat" => concat(case),
        direction => Err(format!("direction {direction}: not a conversion")),
    };
    match outcome {
        Ok(Ok(())) => Outcome::Passed,
        Ok(Err(why)) => Outcome::Failed(why),
        Err(reason) => Outcome::NotRun(reason),
    }
}

/// `Err` is a reason to skip, `Ok(Err)` a failure.
type Checked = Result<Result<(), String>, String>;

/// The result of decoding.
#[derive(Debug, PartialEq)]
struct Decoding {
    points: Vec<u32>,
    error: Option<utfall::Error>,
    errors: u64,
}

fn decode_in(
    encoding: Encoding,
    options: Options,
    pieces: &[&[u8]],
    room: usize,
    complete: bool,
) -> Decoding {
    let mut decoder = Decoder::new(encoding, options);
    let mut out = vec![0; room];
    let mut all = Vec::new();
    let mut error = None;
    'pieces: for (index, piece) in pieces.iter().enumerate() {
        let last = complete && index + 1 == pieces.len();
        let mut rest = *piece;
        loop {
            let progress = decoder.decode_to_code_points(rest, &mut out, last);
            rest = &rest[progress.read..];
            all.extend_from_slice(&out[..progress.written]);
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(found) => {
                    error = Some(found);
                    break 'pieces;
                }
            }
        }
    }
    Decoding { points: all, error, errors: decoder.counts().ill_formed }
}

fn decode(case: &Case) -> Checked {
    let encoding = encoding(case)?;
    let options = options(case)?;
    let input = bytes(&case.input);
    if matches!(case.option("default"), Some("le" | "heuristic"))
        && Encoding::for_bom(&input).is_none()
    {
        return Err("little-endian or guessed without a mark: decisions §2".into());
    }
    let complete = case.option("final") != Some("no");
    let whole = decode_in(encoding, options, &[&input], 4096, complete);

    if let Some(sizes) = case.option("chunks") {
        let pieces = chunks(&input, sizes);
        let cut = decode_in(encoding, options, &pieces, 4096, complete);
        if cut != whole {
            return Ok(Err(format!("chunks={sizes}: {cut:X?} instead of {whole:X?}")));
        }
    }
    if input.len() <= 80 {
        for at in 0..=input.len() {
            let (head, tail) = input.split_at(at);
            let cut = decode_in(encoding, options, &[head, &[], tail], 1 + at % 7, complete);
            if cut != whole {
                return Ok(Err(format!("cut at {at}: {cut:X?} instead of {whole:X?}")));
            }
        }
        let single: Vec<&[u8]> = input.chunks(1).chain([&[][..]]).collect();
        let cut = decode_in(encoding, options, &single, 1, complete);
        if cut != whole {
            return Ok(Err(format!("byte by byte: {cut:X?} instead of {whole:X?}")));
        }
    }
    Ok(check_decoding(case, &whole))
}

fn check_decoding(case: &Case, found: &Decoding) -> Result<(), String> {
    let expected = points(&case.expected);
    let same = found.points == expected
        || case.mode == "escape-c" && lower(&found.points) == lower(&expected);
    match (case.result.as_str(), &found.error) {
        ("error", None) => Err(format!("accepted as {:X?}", found.points)),
        ("error", Some(error)) => {
            // Sources differ in what they count as output before an error.
            if let Some(offset) =
                case.error_offset.filter(|offset| *offset as u64 != error.offset())
            {
                return Err(format!("offset {} instead of {offset}", error.offset()));
            }
            Ok(())
        }
        (_, Some(error)) => Err(format!("refused: {error}")),
        _ if case.options.contains("had-errors") && found.errors == 0 => {
            Err("reported no errors".into())
        }
        _ if case.kind == "cp" && !same => Err(format!("{:X?}", found.points)),
        _ => Ok(()),
    }
}

fn lower(points: &[u32]) -> String {
    points.iter().filter_map(|point| char::from_u32(*point)).collect::<String>().to_lowercase()
}

/// Splits the input according to `3,5` (then the rest) or `1*` (repeatedly).
fn chunks<'a>(input: &'a [u8], sizes: &str) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    let mut rest = input;
    if let Some(size) = sizes.strip_suffix('*') {
        pieces.extend(rest.chunks(size.parse().unwrap()));
        rest = &[];
    } else {
        for size in sizes.split(',') {
            let (piece, left) = rest.split_at(rest.len().min(size.parse().unwrap()));
            pieces.push(piece);
            rest = left;
        }
    }
    pieces.push(rest);
    pieces
}

fn encode(case: &Case) -> Checked {
    let encoding = encoding(case)?;
    let options = options(case)?;
    if case.option("u16chunks").is_some() || case.option("capacity").is_some() {
        return Ok(encode_utf16(case, encoding, options));
    }
    let mut input = points(&case.input);
    if case.option("input") == Some("utf-16-units") {
        let units: Vec<u16> = input.iter().map(|unit| *unit as u16).collect();
        input = char::decode_utf16(units)
            .map(|unit| unit.map_or_else(|e| e.unpaired_surrogate().into(), u32::from))
            .collect();
    }
    let whole = encode_with(encoding, options, &input, usize::MAX / 2, 4096);
    for (step, room) in [(1, 16), (1, 17), (2, 19), (3, 24), (usize::MAX / 2, 16)] {
        let cut = encode_with(encoding, options, &input, step, room);
        if cut != whole {
            return Ok(Err(format!("by {step} into {room}: {cut:X?} instead of {whole:X?}")));
        }
    }
    let expected = bytes(&case.expected);
    Ok(match (case.result.as_str(), whole) {
        ("error", Ok(found)) => Err(format!("accepted as {found:02X?}")),
        ("error", Err(error)) => match case.error_offset {
            Some(offset) if offset as u64 != error.offset() => {
                Err(format!("offset {} instead of {offset}", error.offset()))
            }
            _ => Ok(()),
        },
        (_, Err(error)) => Err(format!("refused: {error}")),
        // An SCSU encoder may choose its bytes, as long as they decode to the text.
        (_, Ok(found)) if case.encoding == "scsu" => {
            let ours = encoding.decode(&found);
            let theirs = encoding.decode(&expected);
            if ours == theirs && ours.is_ok() { Ok(()) } else { Err(format!("{ours:X?}")) }
        }
        (_, Ok(found)) if found == expected => Ok(()),
        (_, Ok(found)) => Err(format!("{found:02X?} instead of {expected:02X?}")),
    })
}

/// Encodes UTF-16: in the chunks of `u16chunks`, or into an output of `capacity` bytes.
fn encode_utf16(case: &Case, encoding: Encoding, options: Options) -> Result<(), String> {
    let units = |list: &str| {
        let mut units = Vec::new();
        for point in points(list) {
            match char::from_u32(point) {
                Some(scalar) => units.extend_from_slice(scalar.encode_utf16(&mut [0; 2])),
                None => units.push(point as u16),
            }
        }
        units
    };
    let pieces: Vec<Vec<u16>> = match case.option("u16chunks") {
        Some(list) => list.split('|').map(units).collect(),
        None => vec![units(&case.input)],
    };
    let capacity = case.option("capacity").map_or(4096, |bytes| bytes.parse().unwrap());
    let mut encoder = Encoder::new(encoding, options);
    let mut out = vec![0; capacity];
    let (mut read, mut written) = (0, 0);
    let mut status = Status::InputEmpty;
    for (index, piece) in pieces.iter().enumerate() {
        let last = index + 1 == pieces.len();
        let progress = encoder.encode_utf16(piece, &mut out[written..], last);
        read += progress.read;
        written += progress.written;
        status = progress.status;
    }
    if out[..written] != bytes(&case.expected) {
        return Err(format!("{:02X?}", &out[..written]));
    }
    match (case.option("status"), case.option("read_u16")) {
        (Some(name), _) if format!("{status:?}") != name => Err(format!("{status:?}")),
        (_, Some(count)) if read.to_string() != count => Err(format!("read {read}")),
        _ => Ok(()),
    }
}

fn transcode(case: &Case) -> Checked {
    let options = options(case)?;
    let name = |option| case.option(option).unwrap_or(&case.encoding);
    let (from, to) = (Encoding::for_label(name("from")), Encoding::for_label(name("to")));
    let (Some(from), Some(to)) = (from, to) else { return Err("no such encoding".into()) };
    let input = bytes(&case.input);
    let found = utfall::transcode(from, to, &input, options);
    for at in 0..=input.len() {
        let mut transcoder = Transcoder::new(from, to, options);
        let mut out = vec![0; 4096];
        let first = transcoder.transcode(&input[..at], &mut out, false);
        let mut written = first.written;
        let mut status = first.status;
        if status == Status::InputEmpty {
            let second = transcoder.transcode(&input[at..], &mut out[written..], true);
            written += second.written;
            status = second.status;
        }
        let cut = match status {
            Status::Error(error) => Err(error),
            _ => Ok(out[..written].to_vec()),
        };
        if cut != found.clone().map(|bytes| bytes.into_owned()) {
            return Ok(Err(format!("cut at {at}: {cut:X?} instead of {found:X?}")));
        }
    }
    Ok(match (case.result.as_str(), &found) {
        ("error", Ok(found)) => Err(format!("accepted as {found:02X?}")),
        ("error", Err(_)) => Ok(()),
        (_, Ok(found)) if **found == bytes(&case.expected) => Ok(()),
        (_, found) => Err(format!("{found:02X?}")),
    })
}

/// Concatenates two WTF-8 texts: a pair split between them becomes one sequence.
fn concat(case: &Case) -> Checked {
    let encoding = encoding(case)?;
    let texts: Vec<Vec<u8>> = match case.option("chunks") {
        Some(sizes) => chunks(&bytes(&case.input), sizes).into_iter().map(Vec::from).collect(),
        None => {
            let pair = String::from_utf8(bytes(&case.input)).unwrap();
            pair.split('|').map(bytes).collect()
        }
    };
    let mut points = Vec::new();
    for text in &texts {
        let part = decode_in(encoding, Options::default(), &[text], 4096, true);
        assert_eq!(part.error, None, "{}", case.id);
        points.extend(part.points);
    }
    let found = encode_with(encoding, Options::default(), &points, 1, 16).unwrap();
    Ok(if found == bytes(&case.expected) { Ok(()) } else { Err(format!("{found:02X?}")) })
}

#[test]
fn vectors() {
    let mut account = Account::default();
    for case in vectors::cases() {
        let outcome = run(&case);
        account.add(&case, outcome);
    }
    account.close();
}
