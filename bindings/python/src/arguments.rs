//! Arguments that several functions have: encodings, error handlers, options.

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, PoisonError, RwLock};

use pyo3::exceptions::{PyLookupError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use utfall::{Encoding, Escape, Options, Policy, Repertoire, Substitute, Transliterate};
use utfall_bind::guess::Verdict;
use utfall_bind::{label, options};
use utfall_detect::detect;

/// The encoding with this label.
pub(crate) fn encoding(label: &str) -> PyResult<Encoding> {
    if is_utf8(label) { Ok(Encoding::Utf8) } else { remembered(label) }
}

/// Whether this is a usual name of UTF-8, which needs no search.
pub(crate) fn is_utf8(label: &str) -> bool {
    matches!(label, "utf-8" | "UTF-8" | "utf8")
}

/// The most labels that are remembered: more than a program uses, unless they come from outside.
const REMEMBERED: usize = 500;

/// The same, from the labels that were found before: to search them takes longer than to convert a short text.
fn remembered(label: &str) -> PyResult<Encoding> {
    static KNOWN: RwLock<BTreeMap<String, Encoding>> = RwLock::new(BTreeMap::new());
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(encoding) = known.get(label) {
        return Ok(*encoding);
    }
    drop(known);
    let Some(found) = Encoding::for_label(label).or_else(|| in_python(label)) else {
        return Err(PyLookupError::new_err(label::find(label.as_bytes()).err()));
    };
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    if known.len() < REMEMBERED {
        known.insert(label.to_owned(), found);
    }
    Ok(found)
}

/// The encoding of a name in the spelling of Python: `utf_16_le`, `latin-1`.
fn in_python(label: &str) -> Option<Encoding> {
    static FOLDED: LazyLock<HashMap<String, Encoding>> = LazyLock::new(|| {
        let mut all = HashMap::new();
        for encoding in Encoding::ALL {
            for alias in encoding.info().aliases {
                all.entry(folded(alias)).or_insert(*encoding);
            }
        }
        all.extend(Encoding::ALL.iter().map(|encoding| (folded(encoding.name()), *encoding)));
        all
    });
    FOLDED.get(&folded(label)).copied()
}

/// The letters and digits of a label, in lower case.
fn folded(label: &str) -> String {
    label::folded(label).into_iter().collect()
}

/// The name of the encoding with this label.
#[pyfunction]
pub(crate) fn name_of(label: &str) -> PyResult<&'static str> {
    encoding(label).map(Encoding::name)
}

/// The same, or `None` for an unknown label.
#[pyfunction]
pub(crate) fn resolve(label: &str) -> Option<&'static str> {
    encoding(label).ok().map(Encoding::name)
}

/// The label that asks for a guess.
const DETECT: &str = "detect";

/// The encoding with this label, or the guess for this text if the label is `detect`.
pub(crate) fn encoding_of(py: Python<'_>, label: &str, text: &[u8]) -> PyResult<Encoding> {
    if label != DETECT {
        return encoding(label);
    }
    let candidates = py.detach(|| detect(text));
    match Verdict::on(&candidates, None) {
        Verdict::Sure(best) => Ok(best.encoding),
        verdict => Err(detect_error(py, &verdict.refusal("the text"))),
    }
}

/// The treatment of a BOM: after a guess, it is not part of the text.
pub(crate) fn bom_of<'a>(label: &str, bom: Option<&'a str>) -> Option<&'a str> {
    if label == DETECT { bom.or(Some("strip")) } else { bom }
}

/// `DetectError` with this message.
fn detect_error(py: Python<'_>, message: &str) -> PyErr {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = CLASS.import(py, "utfall._errors", "DetectError");
    match class.and_then(|class| class.call1((message,))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// The direction of a conversion, for which names of error handlers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Decode(Encoding),
    Encode(Encoding),
    Both,
}

impl Direction {
    /// Whether Python's `surrogateescape` differs from the policy of that name.
    fn is_escaped_by_python(self) -> bool {
        match self {
            // It escapes single bytes of a code unit, and goes on in its middle.
            Self::Decode(encoding) => encoding.info().code_unit > 1,
            // It fails at the first of several characters if one of them is not escaped.
            Self::Encode(encoding) => encoding.info().repertoire == Repertoire::Table,
            Self::Both => false,
        }
    }
}

/// The treatment of errors.
#[derive(Debug)]
pub(crate) enum Errors {
    /// A policy of the engine.
    Policy(Policy),
    /// Python's `replace` of an encoder: `?`, even if the target has U+FFFD.
    QuestionMark,
    /// A function that takes the exception, and returns a replacement and where to continue.
    Handler(Py<PyAny>),
}

impl Errors {
    /// The `errors` argument: a name of Python or of utfall, or a callable.
    pub(crate) fn parse(errors: Option<&Bound<'_, PyAny>>, direction: Direction) -> PyResult<Self> {
        let Some(errors) = errors else { return Ok(Self::Policy(Policy::Strict)) };
        let Ok(name) = errors.cast::<PyString>() else {
            return match errors.is_callable() {
                true => Ok(Self::Handler(errors.clone().unbind())),
                false => Err(PyTypeError::new_err("errors must be a name or callable")),
            };
        };
        let name = name.to_str()?;
        if let Some(known) = Self::known(name, direction) {
            return Ok(known);
        }
        static LOOKUP: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let lookup = LOOKUP.import(errors.py(), "codecs", "lookup_error")?;
        Ok(Self::Handler(lookup.call1((name,))?.unbind()))
    }

    fn known(name: &str, direction: Direction) -> Option<Self> {
        let is_encoder = !matches!(direction, Direction::Decode(_));
        Some(Self::Policy(match name {
            "strict" => Policy::Strict,
            "surrogateescape" if direction.is_escaped_by_python() => return None,
            "replace" if matches!(direction, Direction::Encode(_)) => {
                return Some(Self::QuestionMark);
            }
            "ignore" => Policy::Skip,
            "backslashreplace" => Policy::Escape(Escape::Python),
            "xmlcharrefreplace" if is_encoder => Policy::Escape(Escape::Xml),
            _ => options::POLICIES.iter().find(|(known, _)| *known == name)?.1,
        }))
    }

    /// The function that handles errors, if any. It is called where the engine stops.
    pub(crate) fn handler(&self) -> Option<&Py<PyAny>> {
        match self {
            Self::Handler(handler) => Some(handler),
            _ => None,
        }
    }

    /// The options with these policies.
    pub(crate) fn apply(&self, options: Options) -> Options {
        let policy = match self {
            Self::Policy(policy) => *policy,
            Self::QuestionMark => Policy::Replace,
            Self::Handler(_) => Policy::Strict,
        };
        let is_mark = matches!(self, Self::QuestionMark) && options.substitute.is_none();
        let options = options.with_on_ill_formed(policy).with_on_unencodable(policy);
        if is_mark { options.with_substitute(Substitute::new("?")) } else { options }
    }
}

/// Options by name: those that were given.
pub(crate) fn options(given: &[(&str, Option<&str>)]) -> PyResult<Options> {
    given.iter().try_fold(Options::strict(), |all, (name, value)| set(all, name, *value))
}

/// The options with one more, if it was given.
pub(crate) fn set(all: Options, name: &str, value: Option<&str>) -> PyResult<Options> {
    match value {
        None => Ok(all),
        Some(value) => options::set(all, name, value).map_err(PyValueError::new_err),
    }
}

/// The options with similar characters for those that the target lacks.
pub(crate) fn transliterating(options: Options, is_wanted: bool) -> Options {
    match is_wanted {
        true => options.with_transliterate(Transliterate(utfall_iconv::transliteration)),
        false => options,
    }
}
