//! `utf_valid`, `utf_detect`, `utf_problem` and `utf_repair`.

use std::borrow::Cow;
use std::io::Cursor;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanBuilder, Float64Builder, Int64Builder, StringBuilder, StructArray,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Field, Fields};
use datafusion_common::{Result, exec_datafusion_err};
use utfall::{Decoder, Encoding, Error, Options, lines};
use utfall_bind::guess::{Verdict, rounded};
use utfall_bind::{detect, show};
use utfall_detect::{Candidate, Extent, Hints, detect_file_with};

use crate::call::{Call, Labels};

fn fields(names: &[(&str, DataType)]) -> Fields {
    names.iter().map(|(name, kind)| Field::new(*name, kind.clone(), true)).collect()
}

/// The fields of a guess.
pub(crate) fn detect_fields() -> Fields {
    fields(&[
        ("encoding", DataType::Utf8),
        ("confidence", DataType::Float64),
        ("sure", DataType::Boolean),
        ("evidence", DataType::Utf8),
    ])
}

/// The fields of an error.
pub(crate) fn problem_fields() -> Fields {
    fields(&[
        ("offset", DataType::Int64),
        ("length", DataType::Int64),
        ("line", DataType::Int64),
        ("column", DataType::Int64),
        ("kind", DataType::Utf8),
        ("clause", DataType::Utf8),
        ("message", DataType::Utf8),
    ])
}

pub(crate) fn valid(call: &Call) -> Result<ArrayRef> {
    let (mut labels, mut valid) = (Labels::default(), BooleanBuilder::with_capacity(call.rows));
    for row in 0..call.rows {
        let Some(text) = call.get(0, row).filter(|_| !call.has_null(row)) else {
            valid.append_null();
            continue;
        };
        let encoding = match call.get(1, row) {
            Some(label) => labels.find(call, label)?,
            None => Encoding::Utf8,
        };
        valid.append_value(encoding.validate(text).is_ok());
    }
    Ok(Arc::new(valid.finish()))
}

pub(crate) fn detect(call: &Call) -> Result<ArrayRef> {
    let (mut encodings, mut confidences) = (StringBuilder::new(), Float64Builder::new());
    let (mut sure, mut evidence) = (BooleanBuilder::new(), StringBuilder::new());
    let mut present = Vec::with_capacity(call.rows);
    for row in 0..call.rows {
        let text = call.get(0, row);
        present.push(text.is_some());
        let found = text.map(|text| {
            let found = detect_file_with(Cursor::new(text), Extent::Sample, &Hints::default());
            found.map_err(|error| exec_datafusion_err!("{}: {error}", call.name))
        });
        let found = found.transpose()?;
        let best = found.as_ref().and_then(|found| detect::shown(found, 1).first().copied());
        encodings.append_option(best.map(|best| best.encoding.name()));
        confidences.append_option(best.map(|best| rounded(best.confidence)));
        let verdict = found.as_ref().map(|found| Verdict::on(&found.candidates, None).is_sure());
        sure.append_option(verdict);
        evidence.append_option(best.map(reasons));
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(encodings.finish()),
        Arc::new(confidences.finish()),
        Arc::new(sure.finish()),
        Arc::new(evidence.finish()),
    ];
    let nulls = Some(NullBuffer::from(present));
    Ok(Arc::new(StructArray::try_new(detect_fields(), columns, nulls)?))
}

fn reasons(best: &Candidate) -> String {
    let texts: Vec<_> = best.evidence.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

pub(crate) fn problem(call: &Call) -> Result<ArrayRef> {
    let mut labels = Labels::default();
    let mut numbers: [Int64Builder; 4] = Default::default();
    let mut texts: [StringBuilder; 3] = Default::default();
    let mut present = Vec::with_capacity(call.rows);
    for row in 0..call.rows {
        let found = match (call.get(0, row), call.get(1, row)) {
            (Some(text), Some(label)) => first_problem(labels.find(call, label)?, text),
            _ => None,
        };
        present.push(found.is_some());
        let (places, words) = found.map(|(error, place)| of_problem(&error, place)).unzip();
        for (at, builder) in numbers.iter_mut().enumerate() {
            builder.append_option(places.map(|places: [u64; 4]| places[at].cast_signed()));
        }
        let words: Option<[String; 3]> = words;
        for (at, builder) in texts.iter_mut().enumerate() {
            builder.append_option(words.as_ref().map(|words| &words[at]));
        }
    }
    let numbers = numbers.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef);
    let texts = texts.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef);
    let columns = numbers.chain(texts).collect();
    let nulls = Some(NullBuffer::from(present));
    Ok(Arc::new(StructArray::try_new(problem_fields(), columns, nulls)?))
}

/// The fields of an error, in their order.
fn of_problem(error: &Error, place: lines::Position) -> ([u64; 4], [String; 3]) {
    let numbers = [error.offset(), error.length().into(), place.line, place.column];
    (numbers, [error.kind().name().into(), error.clause().into(), show::problem(error)])
}

fn first_problem(encoding: Encoding, text: &[u8]) -> Option<(Error, lines::Position)> {
    let error = encoding.validate(text).err()?;
    let mut decoder = Decoder::new(encoding, Options::strict()).track_position();
    _ = decoder.validate(text, true);
    Some((error, decoder.error_position().unwrap_or_default()))
}

/// Repairs values. Text stays text.
pub(crate) fn repair(call: &Call, is_text: bool) -> Result<ArrayRef> {
    let (values, mut is_changed) = (call.values(0), false);
    let repaired = values.build(call.rows, |row| {
        let Some(value) = call.get(0, row) else { return Ok(None) };
        let repaired = utfall_repair::repair(value);
        if repaired.changes.is_empty() {
            return Ok(Some(Cow::Borrowed(value)));
        }
        is_changed = true;
        Ok(Some(Cow::Owned(repaired.bytes)))
    })?;
    let result = if is_changed { repaired } else { values.clone() };
    result.into_array(is_text)
}
