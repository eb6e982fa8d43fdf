//! `utfall.Encoder`: a text in pieces, with a state that can be saved.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyString};
use utfall::{Bom, Encoding, Options, SplitPoint};

use crate::arguments::{self, Direction, Errors, transliterating};
use crate::encode::{self, Stream};
use crate::text;

/// A longer text since the last point with a known state is not kept.
const LONGEST: usize = 1 << 20;
/// The most code points that an encoder holds back: `ஸ்ர` in TSCII.
const MOST_HELD: usize = 3;
/// The state before the first character, if that writes a BOM. As CPython's for UTF-16.
const BEFORE_BOM: u8 = 2;

/// Encode a text in pieces. It has the methods of codecs.IncrementalEncoder.
///
/// encoding: a name or alias, in any case.
/// errors, bom, substitute, double_mappings, jis_x_0212, utf7, transliterate: as for utfall.encode.
///
/// Output and errors do not depend on how the text is cut. After an exception, the encoder is as it was before the call.
///
/// >>> import utfall
/// >>> encoder = utfall.Encoder("UTF-7")
/// >>> encoder.encode("日") + encoder.encode("本") + encoder.encode("", final=True)
/// b'+ZeVnLA-'
#[pyclass(frozen, subclass, module = "utfall", name = "Encoder")]
#[derive(Debug)]
pub(crate) struct Encoder {
    encoding: Encoding,
    errors: Errors,
    named: Option<Py<PyAny>>,
    options: Options,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    stream: Stream,
    /// Whether something was written.
    is_begun: bool,
    /// The text since a point where the state is known, for encodings with shifts; `None` if it is too long.
    history: Option<Vec<u32>>,
}

#[pymethods]
impl Encoder {
    #[new]
    #[pyo3(signature = (encoding="UTF-8", errors=None, *, bom=None, substitute=None, double_mappings=None, jis_x_0212=None, utf7=None, transliterate=false))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        encoding: &str,
        errors: Option<&Bound<'_, PyAny>>,
        bom: Option<&str>,
        substitute: Option<&str>,
        double_mappings: Option<&str>,
        jis_x_0212: Option<&str>,
        utf7: Option<&str>,
        transliterate: bool,
    ) -> PyResult<Self> {
        let encoding = arguments::encoding(encoding)?;
        let named = errors.map(|errors| errors.clone().unbind());
        let errors = Errors::parse(errors, Direction::Encode(encoding))?;
        let given = [
            ("bom", bom),
            ("substitute", substitute),
            ("double-mappings", double_mappings),
            ("jis-x-0212", jis_x_0212),
            ("utf7", utf7),
        ];
        let options = errors.apply(transliterating(arguments::options(&given)?, transliterate));
        let stream = Stream::new(encoding, options);
        let state = Mutex::new(State { stream, is_begun: false, history: Some(Vec::new()) });
        Ok(Self { encoding, errors, named, options, state })
    }

    /// The name of the encoding.
    #[getter]
    fn encoding(&self) -> &'static str {
        self.encoding.name()
    }

    /// The error handler.
    #[getter]
    fn errors(&self, py: Python<'_>) -> Py<PyAny> {
        match &self.named {
            Some(errors) => errors.clone_ref(py),
            None => PyString::new(py, "strict").into_any().unbind(),
        }
    }

    /// Encode the next piece.
    ///
    /// text: the str.
    /// final: whether it is the last piece, which ends a shift.
    #[pyo3(signature = (text, r#final=false))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyString>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (is_begun, history, mut stream) = {
            let mut state = self.lock(py);
            // A handler may use this encoder: until the end of this call, it has a new stream.
            let fresh = Stream::new(self.encoding, self.options);
            let stream = std::mem::replace(&mut state.stream, fresh);
            (state.is_begun, state.history.take(), stream)
        };
        let result = stream.run(text, r#final, &self.errors);
        let (mut is_begun, mut history) = match &result {
            Ok(bytes) => (is_begun || !bytes.is_empty(), history),
            Err(_) => {
                stream = self.stream(py, is_begun, history.as_deref().unwrap_or_default())?;
                (is_begun, history)
            }
        };
        if let Ok(bytes) = &result {
            history = self.follow(history, text, bytes)?;
            if r#final {
                is_begun = true;
                history = Some(Vec::new());
                stream = self.stream(py, true, &[])?;
            }
        }
        *self.lock(py) = State { stream, is_begun, history };
        Ok(PyBytes::new(py, &result?))
    }

    /// Return to the beginning of a text.
    fn reset(&self, py: Python<'_>) {
        let stream = Stream::new(self.encoding, self.options);
        *self.lock(py) = State { stream, is_begun: false, history: Some(Vec::new()) };
    }

    /// The state as a number. 0 is the state after a BOM, if the encoding has one.
    fn getstate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.lock(py);
        let Some(history) = &state.history else {
            return Err(PyValueError::new_err("the text so far is too long to save the state"));
        };
        let kind = if state.is_begun || !encode::writes_bom(self.encoding, self.options.bom) {
            0
        } else {
            BEFORE_BOM
        };
        let mut bytes = vec![u8::from(!history.is_empty())];
        bytes.extend(history.iter().flat_map(|point| point.to_be_bytes()));
        bytes.push(kind);
        drop(state);
        let int = py.import("builtins")?.getattr("int")?;
        int.call_method1("from_bytes", (PyBytes::new(py, &bytes), "big"))
    }

    /// Return to a state of this encoder, or of another one with the same arguments.
    fn setstate(&self, py: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let bits: usize = state.call_method0("bit_length")?.extract()?;
        let bytes = state.call_method1("to_bytes", (bits / 8 + 1, "big"))?;
        let bytes = bytes.cast::<PyBytes>()?.as_bytes();
        let (kind, history) = bytes.split_last().unwrap_or((&0, &[]));
        let skipped = history.iter().take_while(|byte| **byte == 0).count();
        let history = history.get(skipped + 1..).unwrap_or_default();
        let (points, rest) = history.as_chunks::<4>();
        let points: Vec<_> = points.iter().map(|bytes| u32::from_be_bytes(*bytes)).collect();
        if !rest.is_empty() || points.iter().any(|point| *point > 0x10_FFFF) {
            return Err(PyValueError::new_err("not a state of an encoder"));
        }
        let is_begun = *kind != BEFORE_BOM;
        let stream = self.stream(py, is_begun, &points)?;
        *self.lock(py) = State { stream, is_begun, history: Some(points) };
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("Encoder('{}')", self.encoding.name())
    }
}

impl Encoder {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, State> {
        self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// A stream after a text, which begins after the BOM if `is_begun`.
    fn stream(&self, py: Python<'_>, is_begun: bool, history: &[u32]) -> PyResult<Stream> {
        let (mut encoding, mut options) = (self.encoding, self.options);
        if is_begun {
            encoding = encode::after_bom(encoding);
            options = options.with_bom(Bom::Auto);
        }
        let mut stream = Stream::new(encoding, options);
        if !history.is_empty() {
            stream.run(&text::from_points(py, history)?, false, &self.errors)?;
        }
        Ok(stream)
    }

    fn has(&self, points: &[u32]) -> bool {
        let text: Option<String> = points.iter().map(|point| char::from_u32(*point)).collect();
        text.is_some_and(|text| self.encoding.encode(&text).is_ok())
    }

    /// The history after a text was encoded.
    fn follow(
        &self,
        history: Option<Vec<u32>>,
        text: &Bound<'_, PyString>,
        bytes: &[u8],
    ) -> PyResult<Option<Vec<u32>>> {
        let info = self.encoding.info();
        if !info.stateful {
            if !info.holds_back {
                return Ok(history);
            }
            let mut held = history.unwrap_or_default();
            held.extend(text::points(text)?);
            held.drain(..held.len().saturating_sub(MOST_HELD));
            // The charset may lack a mark alone.
            while !held.is_empty() && !self.has(&held) {
                held.remove(0);
            }
            return Ok(Some(held));
        }
        // US-ASCII is the first state.
        let last = bytes.iter().rposition(|byte| *byte == 0x1B);
        if self.encoding == Encoding::Iso2022Jp
            && last.is_some_and(|at| bytes[at..].starts_with(b"\x1B(B"))
        {
            return Ok(Some(Vec::new()));
        }
        let points = text::points(text)?;
        let line = points.iter().rposition(|point| *point == 0x0A);
        if let Some(line) = line.filter(|_| info.split_point == SplitPoint::Line) {
            return Ok(Some(points[line + 1..].to_vec()));
        }
        let Some(mut history) = history else { return Ok(None) };
        if history.len() + points.len() > LONGEST {
            return Ok(None);
        }
        history.extend_from_slice(&points);
        Ok(Some(history))
    }
}
