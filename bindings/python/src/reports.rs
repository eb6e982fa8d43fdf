//! Reports, which the Python side reads as JSON: one wording for all languages.

use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::path::PathBuf;

use pyo3::exceptions::{PyLookupError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use utfall::explain::{Explainer, UnitKind};
use utfall::lines::Position;
use utfall::{Decoder, Encoding, Options, Status};
use utfall_bind::check::{self, Level, Levels};
use utfall_bind::detect::{Object, shown};
use utfall_bind::explain::{Row, unit};
use utfall_bind::guess::Verdict;
use utfall_bind::{FileName, MEMORY, explain, json, options, repair, show};
use utfall_detect::{Extent, Hints, Language, detect_file_with};

use crate::arguments;
use crate::input::Input;

/// Known facts for a guess.
fn hints(language: Option<&str>, expected: Option<Vec<String>>) -> PyResult<Hints> {
    let language = match language {
        None => None,
        Some(tag) => Some(
            Language::for_tag(tag)
                .ok_or_else(|| PyLookupError::new_err(format!("unknown language \"{tag}\"")))?,
        ),
    };
    let hints = Hints::default().with_language(language);
    let Some(expected) = expected else { return Ok(hints) };
    let expected: Result<Vec<_>, _> =
        expected.iter().map(|label| arguments::encoding(label)).collect();
    Ok(hints.with_expected(expected?))
}

/// The report of `utfall detect --json`.
fn detect(
    source: impl Read + Seek,
    name: FileName,
    hints: &Hints,
    (all, most, least): (bool, usize, Option<f64>),
) -> std::io::Result<String> {
    let extent = if all { Extent::All } else { Extent::Sample };
    let found = detect_file_with(source, extent, hints)?;
    let is_sure = Verdict::on(&found.candidates, least).is_sure();
    Ok(json::text(&Object::new(name, &found, &shown(&found, most), is_sure)))
}

/// Guesses the encoding of bytes.
#[pyfunction]
pub(crate) fn detect_bytes(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    language: Option<&str>,
    expected: Option<Vec<String>>,
    how: (bool, usize, Option<f64>),
) -> PyResult<String> {
    let (input, hints) = (Input::of(data)?, hints(language, expected)?);
    let source = Cursor::new(input.bytes());
    Ok(py.detach(|| detect(source, FileName::of_text(MEMORY), &hints, how))?)
}

/// Guesses the encoding of a file from a part of it.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "a path is extracted as a value")]
pub(crate) fn detect_path(
    py: Python<'_>,
    path: PathBuf,
    language: Option<&str>,
    expected: Option<Vec<String>>,
    how: (bool, usize, Option<f64>),
) -> PyResult<String> {
    let hints = hints(language, expected)?;
    let name = FileName::of_text(&path.to_string_lossy());
    Ok(py.detach(|| detect(File::open(&path)?, name, &hints, how))?)
}

/// Whether to read JSON escapes, HTML entities and percent-encoding.
type Escapes = (bool, bool, bool);

fn repair_options(
    min_confidence: Option<f64>,
    (json_escapes, html_entities, percent_encoding): Escapes,
    force: bool,
) -> utfall_repair::Options {
    let usual = utfall_repair::Options::default();
    let min_confidence = min_confidence.unwrap_or(usual.min_confidence);
    utfall_repair::Options::new()
        .with_min_confidence(min_confidence)
        .with_json_escapes(json_escapes)
        .with_html_entities(html_entities)
        .with_percent_encoding(percent_encoding)
        .with_force(force)
}

/// Fixes mojibake. Returns the text, and the numbers of changes and of skipped places.
#[pyfunction]
pub(crate) fn repair_bytes<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    min_confidence: Option<f64>,
    escapes: Escapes,
    force: bool,
) -> PyResult<(Bound<'py, PyBytes>, usize, usize)> {
    let input = Input::of(data)?;
    let options = repair_options(min_confidence, escapes, force);
    let bytes = input.bytes();
    let repaired = py.detach(|| utfall_repair::repair_with(bytes, options));
    let text = match repaired.changes.is_empty() {
        true => input.object(py),
        false => PyBytes::new(py, &repaired.bytes),
    };
    Ok((text, repaired.changes.len(), repaired.skipped.len()))
}

/// The report of `utfall repair --json`.
#[pyfunction]
pub(crate) fn repair_report(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    min_confidence: Option<f64>,
    escapes: Escapes,
    force: bool,
) -> PyResult<String> {
    let input = Input::of(data)?;
    let options = repair_options(min_confidence, escapes, force);
    let (bytes, mut report) = (input.bytes(), Vec::new());
    let mut out = std::io::sink();
    py.detach(|| repair::repair(bytes, options, MEMORY, Some(&mut out), &mut report))?;
    Ok(String::from_utf8_lossy(&report).into_owned())
}

/// The encoding of a report: the one given, else that of the BOM, else UTF-8.
fn encoding_of(label: Option<&str>, text: &[u8]) -> PyResult<Encoding> {
    match label {
        Some(label) => arguments::encoding(label),
        None => Ok(Encoding::for_bom(text).map_or(Encoding::Utf8, |(encoding, _)| encoding)),
    }
}

/// The units of a text, each as a line of `utfall explain --json`.
#[pyclass(module = "utfall._utfall")]
#[derive(Debug)]
pub(crate) struct Units {
    text: Py<PyBytes>,
    explainer: Explainer,
    start: u64,
    end: u64,
    only_problems: bool,
}

#[pymethods]
impl Units {
    #[new]
    fn new(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        encoding: Option<&str>,
        range: (u64, Option<u64>),
        only_problems: bool,
    ) -> PyResult<Self> {
        let (start, end) = range;
        let input = Input::of(data)?;
        let explainer = Explainer::new(encoding_of(encoding, input.bytes())?);
        let text = input.object(py).unbind();
        Ok(Self { text, explainer, start, end: end.unwrap_or(u64::MAX), only_problems })
    }

    #[getter]
    fn encoding(&self) -> &'static str {
        self.explainer.encoding().name()
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<String>> {
        let text = self.text.bind(py).as_bytes();
        loop {
            let rest = |offset: u64| {
                let offset = usize::try_from(offset).unwrap_or(text.len());
                text.get(offset..).unwrap_or_default()
            };
            let offset = self.explainer.offset();
            let after = rest(offset);
            let ahead = usize::try_from(self.start.saturating_sub(offset)).unwrap_or(usize::MAX);
            let passed = if self.only_problems { after.len() } else { ahead.min(after.len()) };
            if passed > 0 {
                self.explainer.skip_well_formed(&after[..passed]);
            }
            let offset = self.explainer.offset();
            if offset >= self.end {
                return Ok(None);
            }
            let encoding = self.explainer.encoding();
            let Some(seen) = self.explainer.next(rest(offset), true) else { return Ok(None) };
            let end = seen.offset + seen.bytes.len() as u64;
            let is_problem = matches!(seen.what, UnitKind::IllFormed(_));
            if (end > self.start || seen.bytes.is_empty()) && (is_problem || !self.only_problems) {
                return Ok(Some(json::text(&unit(&Row::new(encoding, &seen, None)))));
            }
        }
    }
}

/// The report of `utfall explain --json`.
#[pyfunction]
pub(crate) fn explain_json(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    encoding: Option<&str>,
    range: (u64, Option<u64>),
    only_problems: bool,
) -> PyResult<String> {
    let (start, end) = range;
    let input = Input::of(data)?;
    let request = explain::Request::default()
        .with_encoding(encoding.map(arguments::encoding).transpose()?)
        .with_range(start..end.unwrap_or(u64::MAX))
        .with_only_problems(only_problems);
    let (bytes, mut out) = (input.bytes(), Vec::new());
    py.detach(|| explain::explain(bytes, &request, &mut out))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// The report of `utfall explain --mail --json`.
#[pyfunction]
pub(crate) fn explain_mail_json(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    range: (u64, Option<u64>),
    only_problems: bool,
    only_layers: bool,
) -> PyResult<String> {
    let (start, end) = range;
    let input = Input::of(data)?;
    let request = explain::Request::default()
        .with_range(start..end.unwrap_or(u64::MAX))
        .with_only_problems(only_problems)
        .with_only_layers(only_layers);
    let (bytes, mut out) = (input.bytes(), Vec::new());
    py.detach(|| explain::mail::explain(bytes, &request, &mut out))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Checks a text. Returns the report of `utfall check --json`.
#[pyfunction]
pub(crate) fn check_json(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    encoding: Option<&str>,
    rules: Vec<(String, String)>,
    concealed: bool,
    utf7_allow: Option<&str>,
    json_escapes: bool,
) -> PyResult<String> {
    let input = Input::of(data)?;
    let mut levels = Levels::default();
    if concealed {
        levels.search_concealed();
    }
    for (rule, level) in &rules {
        let level = match &**level {
            "off" => Level::Off,
            "warning" => Level::Warning,
            "error" => Level::Error,
            _ => {
                let message = format!("level {level:?}: expected off, warning or error");
                return Err(PyValueError::new_err(message));
            }
        };
        levels.set(rule, level).map_err(PyValueError::new_err)?;
    }
    let tolerance = utf7_allow.unwrap_or_default();
    let parsed = options::set(Options::strict(), "utf7-allow", tolerance);
    let request = check::Request::default()
        .with_encoding(encoding.map(arguments::encoding).transpose()?)
        .with_levels(levels)
        .with_utf7_tolerance(parsed.map_err(PyValueError::new_err)?.utf7_tolerance)
        .with_json_escapes(json_escapes)
        .with_all(true);
    let (bytes, mut out) = (input.bytes(), Vec::new());
    py.detach(|| check::check(bytes, &request, &mut out))
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// A problem: offset, length, line, column, kind, clause, message, encoding, bit of UTF-7.
type Problem = (u64, u32, u64, u64, &'static str, &'static str, String, &'static str, Option<u32>);

/// The invalid sequences of a text, at most `most`.
#[pyfunction]
pub(crate) fn problems_of(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    encoding: &str,
    most: Option<usize>,
) -> PyResult<Vec<Problem>> {
    let input = Input::of(data)?;
    let bytes = input.bytes();
    let encoding = arguments::encoding_of(py, encoding, bytes)?;
    Ok(py.detach(|| {
        let mut decoder = Decoder::new(encoding, Options::strict()).track_position();
        let (mut read, mut found) = (0, Vec::new());
        while found.len() < most.unwrap_or(usize::MAX) {
            let progress = decoder.validate(&bytes[read..], true);
            read += progress.read;
            let Status::Error(error) = progress.status else { break };
            let Position { line, column } = decoder.error_position().unwrap_or_default();
            let (kind, message) = (error.kind().name(), show::problem(&error));
            found.push((
                error.offset(),
                error.length(),
                line,
                column,
                kind,
                error.clause(),
                message,
                error.encoding().name(),
                error.run_bit(),
            ));
        }
        found
    }))
}

/// The name of a character.
#[pyfunction]
pub(crate) fn character_name(point: u32) -> String {
    utfall_bind::character_name(point)
}

/// The canonical form of a mailbox name in IMAP's UTF-7, if it has one.
#[pyfunction]
pub(crate) fn imap_canonical(name: &[u8]) -> Option<String> {
    utfall::imap_name::decode(name).canonical()
}

/// An encoding: its words (name, aliases, description, specification), its number with the length of its code units, its
/// BOM, and whether it is registered, transparent to US-ASCII, in seven bits, stateful, self-synchronizing.
type Facts = (
    (&'static str, Vec<&'static str>, &'static str, &'static str),
    (u16, usize),
    &'static [u8],
    (bool, bool, bool, bool, bool),
);

/// Every encoding.
#[pyfunction]
pub(crate) fn facts() -> Vec<Facts> {
    let facts = |encoding: &Encoding| {
        let info = encoding.info();
        let words = (info.name, info.aliases.to_vec(), info.description, info.specification);
        let is = (
            info.iana,
            info.ascii_transparent,
            info.seven_bit,
            info.stateful,
            info.is_self_synchronizing(),
        );
        (words, (*encoding as u16, info.code_unit), info.signature, is)
    };
    Encoding::ALL.iter().map(facts).collect()
}

/// The encoding and the length of the BOM at the start of a text.
#[pyfunction]
pub(crate) fn find_bom(data: &Bound<'_, PyAny>) -> PyResult<Option<(&'static str, usize)>> {
    let found = Encoding::for_bom(Input::of(data)?.bytes());
    Ok(found.map(|(encoding, length)| (encoding.name(), length)))
}
