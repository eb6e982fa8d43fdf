//! `utfall.Decoder`: a text in pieces, with a state that can be saved.
//!
//! A saved state is some bytes and a number, as `io.TextIOWrapper` wants it: the number goes into the result of
//! `tell`, and the bytes are read again after `seek`. An encoding without shifts only needs the bytes of an incomplete
//! character, and the byte order that a BOM determined. With shifts, the bytes are those since a point where the state
//! is known, the number is how many characters they have already given, and those are dropped when they are
//! decoded again.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyString};
use utfall::lines::LineEnd;
use utfall::{ByteOrder, Encoding, Options, SplitPoint};

use crate::arguments::{self, Direction, Errors};
use crate::decode::{self, Stream};
use crate::input::Input;
use crate::text;

/// The decoder keeps a state with more bytes than this, and the number refers to it.
const PORTABLE: usize = 1024;
/// The bits of the number: the byte order, whether the rest refers to a kept state, and the rest.
const ORDER: u64 = 0b11;
const KEPT: u64 = 0b100;
const REST: u32 = 3;

/// Decode a text in pieces. It has the methods of codecs.IncrementalDecoder.
///
/// encoding: a name or alias, in any case.
/// errors, bom, granularity, replacement, double_mappings, utf7_allow: as for utfall.decode.
///
/// Output and errors do not depend on how the text is cut. After an exception, the decoder is as it was before the
/// call. In exceptions, offset, line and column count from the beginning of the text.
///
/// >>> import utfall
/// >>> decoder = utfall.Decoder("UTF-7")
/// >>> decoder.decode(b"+ZeVn"), decoder.decode(b"LA-"), decoder.decode(b"", final=True)
/// ('日', '本', '')
#[pyclass(frozen, subclass, module = "utfall", name = "Decoder")]
#[derive(Debug)]
pub(crate) struct Decoder {
    encoding: Encoding,
    errors: Errors,
    named: Option<Py<PyAny>>,
    options: Options,
    state: Mutex<State>,
    /// States that are too large to be saved.
    kept: Mutex<AllKept>,
}

/// States by number, and their numbers by the digests of the texts before them.
#[derive(Debug, Default)]
struct AllKept {
    states: Vec<Kept>,
    numbers: HashMap<u64, usize>,
}

/// A state that a number refers to.
#[derive(Debug)]
struct Kept {
    stream: Stream,
    digest: DefaultHasher,
}

#[derive(Debug)]
struct State {
    stream: Stream,
    /// The first bytes, as many as a BOM has, unless the byte order is known.
    first: Vec<u8>,
    /// The byte order that the first bytes determined.
    order: Option<ByteOrder>,
    /// The bytes since a point where the state is known, for encodings with shifts.
    history: Vec<u8>,
    /// Characters to drop, which were given before the state was saved.
    dropped: u64,
    /// The bytes so far, for encodings with shifts.
    digest: DefaultHasher,
}

impl State {
    fn new(stream: Stream, order: Option<ByteOrder>) -> Self {
        let (first, history, digest) = (Vec::new(), Vec::new(), DefaultHasher::new());
        Self { stream, first, order, history, dropped: 0, digest }
    }
}

impl Decoder {
    fn stream(&self, order: Option<ByteOrder>) -> Stream {
        let is_marked = self.encoding.info().byte_order == Some(ByteOrder::Marked);
        let order = order.filter(|_| is_marked);
        let ordered = order.and_then(|order| self.encoding.with_byte_order(order));
        Stream::new(ordered.unwrap_or(self.encoding), self.options)
    }

    fn begin(&self) -> State {
        State::new(self.stream(None).track_position(), None)
    }

    /// Follows the stream after it has decoded `bytes`.
    fn follow(&self, state: &mut State, bytes: &[u8]) {
        let info = self.encoding.info();
        if info.byte_order == Some(ByteOrder::Marked) && state.order.is_none() {
            let missing = info.code_unit - state.first.len().min(info.code_unit);
            state.first.extend(bytes.iter().take(missing));
            state.order = decode::order(self.encoding, &state.first);
        }
        if info.split_point == SplitPoint::Character && !info.stateful {
            return;
        }
        state.digest.write(bytes);
        match self.known_point(state, bytes) {
            Some(known) => state.history = bytes[known..].to_vec(),
            None => state.history.extend_from_slice(bytes),
        }
        // If there are more, the decoder keeps the state itself.
        state.history.truncate(PORTABLE + 1);
    }

    /// The place after the last line end in these bytes that was decoded, if the state is known there.
    fn known_point(&self, state: &State, bytes: &[u8]) -> Option<usize> {
        let decoded = bytes.len().saturating_sub(state.stream.tail().len());
        let is_known = self.encoding.info().split_point == SplitPoint::Line;
        LineEnd::of(self.encoding).filter(|_| is_known)?.after_last(&bytes[..decoded])
    }
}

#[pymethods]
impl Decoder {
    #[new]
    #[pyo3(signature = (encoding="UTF-8", errors=None, *, bom=None, granularity=None, replacement=None, double_mappings=None, utf7_allow=None))]
    fn new(
        encoding: &str,
        errors: Option<&Bound<'_, PyAny>>,
        bom: Option<&str>,
        granularity: Option<&str>,
        replacement: Option<&str>,
        double_mappings: Option<&str>,
        utf7_allow: Option<&str>,
    ) -> PyResult<Self> {
        let encoding = arguments::encoding(encoding)?;
        let named = errors.map(|errors| errors.clone().unbind());
        let errors = Errors::parse(errors, Direction::Decode(encoding))?;
        let options = errors.apply(arguments::options(&[
            ("bom", bom),
            ("granularity", granularity),
            ("replacement", replacement),
            ("double-mappings", double_mappings),
            ("utf7-allow", utf7_allow),
        ])?);
        let state = State::new(Stream::new(encoding, options).track_position(), None);
        let (state, kept) = (Mutex::new(state), Mutex::default());
        Ok(Self { encoding, errors, named, options, state, kept })
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

    /// Decode the next piece.
    ///
    /// data: any object with a contiguous buffer.
    /// final: whether it is the last piece. An incomplete character at its end is then an error; otherwise it waits for
    ///     the next call.
    #[pyo3(signature = (data, r#final=false))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        let input = Input::of(data)?;
        // A handler may use this decoder, too.
        let mut stream = self.lock(py).stream.fork();
        let points = stream.run(py, &input, r#final, &self.errors)?;
        let mut state = self.lock(py);
        let dropped = state.dropped.min(points.len() as u64);
        state.dropped -= dropped;
        state.stream = stream;
        self.follow(&mut state, input.bytes());
        if r#final {
            let order = state.order;
            *state = State::new(self.stream(order), order);
        }
        drop(state);
        // It is at most the length of the points.
        text::from_points(py, &points[dropped as usize..])
    }

    /// Return to the beginning of a text.
    fn reset(&self, py: Python<'_>) {
        *self.lock(py) = self.begin();
    }

    /// The state, as bytes that must be decoded again and a number.
    fn getstate<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, u64)> {
        let (history, number) = {
            let state = self.lock(py);
            let order = match state.order {
                Some(ByteOrder::Little) => 1,
                Some(ByteOrder::Big) => 2,
                _ => 0,
            };
            let info = self.encoding.info();
            if info.split_point == SplitPoint::Character && !info.stateful {
                return Ok((PyBytes::new(py, state.stream.tail()), order));
            }
            if state.history.len() > PORTABLE {
                let mut all = self.lock_kept(py);
                let digest = state.digest.finish();
                let AllKept { states, numbers } = &mut *all;
                let index = *numbers.entry(digest).or_insert_with(|| {
                    let (stream, digest) = (state.stream.fork(), state.digest.clone());
                    states.push(Kept { stream, digest });
                    states.len() - 1
                });
                return Ok((PyBytes::new(py, b""), KEPT | (index as u64) << REST));
            }
            (state.history.clone(), order | state.dropped << REST)
        };
        let given = self.replay(py, &history, number & ORDER)?.1;
        Ok((PyBytes::new(py, &history), number + (given << REST)))
    }

    /// Return to a state of this decoder, or of another one with the same arguments.
    fn setstate(&self, py: Python<'_>, state: (Vec<u8>, u64)) -> PyResult<()> {
        let (bytes, number) = state;
        let rest = number >> REST;
        if number & KEPT != 0 {
            let index = usize::try_from(rest).unwrap_or(usize::MAX);
            let (stream, digest) = match self.lock_kept(py).states.get(index) {
                Some(kept) => (kept.stream.fork(), kept.digest.clone()),
                None => return Err(PyValueError::new_err("a state of another decoder")),
            };
            let history = vec![0; PORTABLE + 1];
            *self.lock(py) = State { history, digest, ..State::new(stream, None) };
            return Ok(());
        }
        let (stream, given) = self.replay(py, &bytes, number & ORDER)?;
        let mut new = match bytes.is_empty() && number == 0 {
            // The beginning of a text: count lines.
            true => self.begin(),
            false => State::new(stream, order(number)),
        };
        new.dropped = rest.saturating_sub(given);
        self.follow(&mut new, &bytes);
        *self.lock(py) = new;
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("Decoder('{}')", self.encoding.name())
    }
}

fn order(number: u64) -> Option<ByteOrder> {
    match number & ORDER {
        1 => Some(ByteOrder::Little),
        2 => Some(ByteOrder::Big),
        _ => None,
    }
}

impl Decoder {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, State> {
        let locked = self.state.lock_py_attached(py);
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_kept(&self, py: Python<'_>) -> MutexGuard<'_, AllKept> {
        self.kept.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Decodes bytes from a known state. Returns the stream, and how many characters they gave.
    fn replay(&self, py: Python<'_>, bytes: &[u8], number: u64) -> PyResult<(Stream, u64)> {
        let mut stream = self.stream(order(number));
        let given = stream.run(py, &Input::Copy(bytes.to_vec()), false, &self.errors)?;
        Ok((stream, given.len() as u64))
    }
}
