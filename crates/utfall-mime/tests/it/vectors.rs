//! The third-party mail vectors in `testdata/vectors`: encoded words, parameters, Base64,
//! quoted-printable.
//!
//! Skipped cases are counted, and their reasons printed. `testdata/dissents.tsv` lists the cases
//! whose source expects a different result, with the section of `docs/decisions.md` that explains
//! why. Such a case fails the test if it stops dissenting.

use serde_json::Value;
use utfall::Encoding;
use utfall_mime::encoded_word::{self, LONGEST, Rules, Scheme};
use utfall_mime::{base64, parameter, quoted_printable};
use utfall_oracle::vectors::{self, Account, Case, Outcome, bytes, points};

/// `Err` is a reason to skip, `Ok(Err)` a failure.
type Checked = Result<Result<(), String>, String>;

fn run(case: &Case) -> Outcome {
    let checked = match (case.encoding.as_str(), case.direction.as_str()) {
        ("base64", "decode-bytes") => base64_decode(case),
        ("base64", _) => base64_encode(case),
        ("quoted-printable", "decode-bytes") => quoted_decode(case),
        ("quoted-printable", _) => quoted_encode(case),
        ("rfc2047" | "rfc2047-word", "decode") => words_decode(case),
        ("rfc2047-q" | "rfc2047-b", "decode-bytes") => payload_decode(case),
        ("rfc2047-q" | "rfc2047-b", _) => payload_encode(case),
        ("rfc2047" | "rfc2047-word", _) => words_encode(case),
        ("rfc2231", "decode") => parameters_decode(case),
        ("rfc2231", _) => parameters_encode(case),
        _ => Err(format!("{} {}", case.encoding, case.direction)),
    };
    match checked {
        Ok(Ok(())) => Outcome::Passed,
        Ok(Err(why)) => Outcome::Failed(why),
        Err(reason) => Outcome::NotRun(reason),
    }
}

#[track_caller]
fn same(found: impl AsRef<[u8]>, expected: impl AsRef<[u8]>) -> Result<(), String> {
    let (found, expected) = (found.as_ref(), expected.as_ref());
    match found == expected {
        true => Ok(()),
        false => {
            Err(format!("\"{}\" instead of \"{}\"", found.escape_ascii(), expected.escape_ascii()))
        }
    }
}

fn has(case: &Case, option: &str) -> bool {
    case.options.split(';').any(|one| one == option)
}

fn base64_decode(case: &Case) -> Checked {
    if case.option("alphabet").is_some() {
        return Err("the alphabet for URLs is not one of mail".into());
    }
    let input = bytes(&case.input);
    if case.mode == "strict" {
        return Ok(match (base64::decode_strict(&input), &*case.result) {
            (None, "error") => Ok(()),
            (Some(_), "ok") if case.kind == "none" => Ok(()),
            (Some(found), "ok") => same(found, bytes(&case.expected)),
            (found, _) => Err(format!("{found:?}")),
        });
    }
    let decoded = base64::decode(&input);
    let has_errors = decoded.errors > 0;
    if (case.result == "error" || has(case, "had-errors")) && !has_errors {
        return Ok(Err("no error".into()));
    }
    Ok(same(decoded.bytes, bytes(&case.expected)))
}

fn base64_encode(case: &Case) -> Checked {
    if case.option("alphabet").is_some() {
        return Err("the alphabet for URLs is not one of mail".into());
    }
    let input = bytes(&case.input);
    let mut found = match case.option("line-limit") {
        None | Some("none") => base64::encode(&input).into_bytes(),
        Some("76") => base64::encode_lines(&input, eol(case)),
        Some(limit) => return Err(format!("lines of {limit}")),
    };
    if has(case, "final-newline") && !found.is_empty() {
        found.extend_from_slice(eol(case));
    }
    Ok(same(found, bytes(&case.expected)))
}

fn eol(case: &Case) -> &'static [u8] {
    if case.option("linesep") == Some("LF") { b"\n" } else { b"\r\n" }
}

fn quoted_decode(case: &Case) -> Checked {
    let input = bytes(&case.input);
    if case.option("boundary").is_some() {
        return Err("the boundary after it: not the decoder's to see".into());
    }
    let decoded = quoted_printable::decode(&input);
    if case.result == "error" {
        let (errors, departures) = (decoded.errors, decoded.departures);
        return Ok(if errors + departures > 0 { Ok(()) } else { Err("accepted".into()) });
    }
    if case.mode == "strict" && decoded.errors + decoded.departures > 0 {
        return Ok(Err(format!("{decoded:?}")));
    }
    Ok(same(decoded.bytes, bytes(&case.expected)))
}

fn quoted_encode(case: &Case) -> Checked {
    if has(case, "quotetabs") {
        return Err("tabs and spaces are never encoded within a line".into());
    }
    let input = bytes(&case.input);
    let expected = bytes(&case.expected);
    let found = match &*case.mode {
        "text" if has(case, "end-soft-break") => quoted_printable::encode_softly(&input, eol(case)),
        "text" => quoted_printable::encode(&input, eol(case)),
        _ => quoted_printable::encode_binary(&input, eol(case)),
    };
    Ok(same(found, expected))
}

fn payload_decode(case: &Case) -> Checked {
    let input = bytes(&case.input);
    let scheme = if case.encoding == "rfc2047-q" { 'Q' } else { 'B' };
    let payload = String::from_utf8_lossy(input.strip_suffix(b"?=").unwrap_or(&input)).into_owned();
    // In ISO 8859-1, each byte is a character.
    let word = format!("=?x-octets?{scheme}?{payload}?=");
    let rules = if case.mode == "strict" { Rules::Strict } else { Rules::Lenient };
    let mut pieces = encoded_word::pieces(word.as_bytes(), rules);
    let found = match (pieces.next(), pieces.next()) {
        (Some(encoded_word::Piece::Word(word)), None) => Some(word.bytes().to_vec()),
        _ => None,
    };
    Ok(match (found, &*case.result) {
        (None, "error") => Ok(()),
        (Some(found), "ok") => same(found, bytes(&case.expected)),
        // The input stays unchanged.
        (None, "ok") => same(&input, bytes(&case.expected)),
        (found, _) => Err(format!("{found:?}")),
    })
}

fn payload_encode(case: &Case) -> Checked {
    let text: String = bytes(&case.input).iter().map(|byte| char::from(*byte)).collect();
    let scheme = if case.encoding == "rfc2047-q" { Scheme::Q } else { Scheme::B };
    let words = encoded_word::encode(&text, Encoding::Iso8859_1, Some(scheme), LONGEST).unwrap();
    let mut payload = String::new();
    for word in &words {
        payload += &word["=?ISO-8859-1?Q?".len()..word.len() - 2];
    }
    Ok(same(payload, bytes(&case.expected)))
}

fn words_decode(case: &Case) -> Checked {
    if case.mode == "surrogateescape" {
        return Err("surrogates for bytes: a matter of Python's strings".into());
    }
    let input = bytes(&case.input);
    let rules = if case.mode == "strict" { Rules::Strict } else { Rules::Lenient };
    let decoded = encoded_word::decode(&input, rules);
    if case.result == "error" {
        return Ok(if decoded.words == 0 { Ok(()) } else { Err("accepted".into()) });
    }
    let expected: String =
        points(&case.expected).iter().filter_map(|point| char::from_u32(*point)).collect();
    Ok(if decoded.text == expected { Ok(()) } else { Err(format!("{decoded:?} not {expected:?}")) })
}

fn words_encode(case: &Case) -> Checked {
    if case.mode == "surrogateescape" {
        return Err("surrogates for bytes: a matter of Python's strings".into());
    }
    for option in ["max-length", "truncate-input", "used-characters"] {
        if case.option(option).is_some() {
            return Err(format!("{option}: an option of its source alone"));
        }
    }
    let label = case.option("charset").unwrap_or("utf-8");
    if label == "auto" || case.mode == "phrase" && case.option("encoding") == Some("auto") {
        return Err("quotes where they will do: a matter of whoever writes the field".into());
    }
    let scheme = match case.option("encoding") {
        Some("Q") => Some(Scheme::Q),
        Some("B") => Some(Scheme::B),
        _ => None,
    };
    let encoding = Encoding::for_label(label).ok_or_else(|| format!("{label}: unknown"))?;
    let text = match &*case.direction {
        "encode" => points(&case.input).iter().filter_map(|point| char::from_u32(*point)).collect(),
        _ => match encoding.decode(&bytes(&case.input)) {
            Ok(text) => text.into_owned(),
            Err(_) => return Err("bytes that are not text in the charset".into()),
        },
    };
    let expected = bytes(&case.expected);
    if has(case, "only-if-needed") && text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        // The field may contain encoded words or not; fields that need no change are never
        // rewritten.
        return Ok(same(text, expected));
    }
    let separator = match case.option("linesep") {
        Some("SP") => " ",
        Some("TAB") => "\t",
        _ => "\r\n ",
    };
    let found = encoded_word::encode(&text, encoding, scheme, LONGEST).unwrap();
    // Charset names in other cases are equivalent.
    let plain = |written: &str| {
        written
            .replace("=?utf-8?", "=?UTF-8?")
            .replace("=?iso-8859-1?", "=?ISO-8859-1?")
            .replace("?q?", "?Q?")
            .replace("?b?", "?B?")
    };
    Ok(same(plain(&found.join(separator)), plain(&String::from_utf8_lossy(&expected))))
}

fn parameters_decode(case: &Case) -> Checked {
    let mut input = bytes(&case.input);
    if has(case, "parameters-only") {
        input.insert(0, b';');
    }
    let found = parameter::parse(&input);
    if case.result == "error" {
        return Ok(if found.errors > 0 { Ok(()) } else { Err("accepted".into()) });
    }
    let expected: Value = serde_json::from_str(&case.expected).unwrap();
    let value = match case.source.contains("CPython") {
        true => found.media_type(),
        false => &found.value,
    };
    if let Some(expected) = expected["value"].as_str()
        && value != expected
    {
        return Ok(Err(format!("{value:?} not {expected:?}")));
    }
    let params: serde_json::Map<String, Value> =
        found.all.iter().map(|one| (one.name.clone(), one.value.clone().into())).collect();
    Ok(match expected["params"].as_object() {
        Some(expected) if *expected != params => Err(format!("{params:?} not {expected:?}")),
        _ => Ok(()),
    })
}

fn parameters_encode(case: &Case) -> Checked {
    let utf8 = Encoding::Utf8;
    let written = |name: &str, value: &str, most: usize| {
        parameter::encode(name, value, b"", utf8, most)
            .unwrap()
            .join("; ")
            .replace("UTF-8", "utf-8")
    };
    let text: String =
        points(&case.input).iter().filter_map(|point| char::from_u32(*point)).collect();
    if case.option("input") == Some("json") {
        let input: Value = serde_json::from_str(&text).unwrap();
        let mut found = input["value"].as_str().unwrap_or_default().to_owned();
        for (name, value) in input["params"].as_object().into_iter().flatten() {
            found += "; ";
            found += &written(name, value.as_str().unwrap(), 50);
        }
        // A JSON object has no order.
        let sorted = |written: &str| {
            let mut parts: Vec<_> = written.split("; ").map(str::to_owned).collect();
            parts.sort();
            parts.join("; ")
        };
        return Ok(same(
            sorted(&found),
            sorted(&String::from_utf8(bytes(&case.expected)).unwrap()),
        ));
    }
    let most = case.option("max-length").unwrap().parse().unwrap();
    let expected: Value = serde_json::from_str(&case.expected).unwrap();
    let expected: Vec<String> = expected
        .as_array()
        .into_iter()
        .flatten()
        .map(|pair| format!("{}={}", pair[0].as_str().unwrap(), pair[1].as_str().unwrap()))
        .collect();
    let found = written(case.option("name").unwrap(), &text, most).replace('"', "");
    Ok(same(found, expected.join("; ")))
}

#[test]
fn vectors() {
    let mut account = Account::default();
    for case in vectors::mail_cases() {
        let outcome = run(&case);
        account.add(&case, outcome);
    }
    account.close();
}

/// The labels of `labels.tsv`, as interpreted by mail readers.
#[test]
fn labels() {
    // A label, and why it is interpreted differently.
    const DISSENTS: [(&str, &str); 7] = [
        ("iSo-8859-1", "windows-1252 only if there are bytes that say so"),
        ("latin1", "windows-1252 only if there are bytes that say so"),
        ("gb2312", "WHATWG: GBK, whose decoder is that of GB 18030"),
        ("ISO-2022-KR", "what WHATWG calls replacement is no charset to read mail in"),
        ("unicode-1-1-utf-7", "RFC 1642, with the Hangul of Unicode 1.1"),
        ("csunicode11utf7", "RFC 1642, with the Hangul of Unicode 1.1"),
        ("mychrset", "libmime makes up a name for what it does not know"),
    ];
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/vectors/labels.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let (mut agree, mut dissent) = (0, 0);
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        if !matches!(fields[5], "mail" | "lax") {
            continue;
        }
        let label = bytes(fields[4]);
        let expected = (fields[7] == "ok").then(|| fields[9].to_ascii_uppercase());
        let found =
            utfall_mime::charset::find(&label).map(|found| found.name().to_ascii_uppercase());
        let label = String::from_utf8_lossy(&label).trim().to_owned();
        let known = DISSENTS.iter().any(|(known, _)| *known == label);
        assert_eq!(found != expected, known, "{label}: {found:?} instead of {expected:?}");
        agree += usize::from(!known);
        dissent += usize::from(known);
    }
    assert!(agree >= 25 && dissent >= 7, "{agree} {dissent}");
}
