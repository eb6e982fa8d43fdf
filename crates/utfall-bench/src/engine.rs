//! The engines, which run the operations. One file each.

mod api;
pub(crate) mod cpython;
mod encodify;
mod encoding_rs;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code, reason = "calls C")]
mod iconv;
#[cfg(feature = "simdutf")]
#[allow(unsafe_code, reason = "calls C++")]
mod simdutf;
mod simdutf8;
mod std;
mod utfall;
mod widestring;

use ::std::hint::black_box;
use ::std::ops::Range;

use utfall_simd::Kernels;

use crate::op::{Op, Outcome};

/// The name of the engine that all others are compared with.
pub(crate) const UTFALL: &str = "utfall";
/// The name of the public API's engine.
pub(crate) const API: &str = "utfall-api";
/// The name of the peer that is compared table by table.
pub(crate) const SIMDUTF: &str = "simdutf";

/// Every engine that can be in a table, in the order of the tables.
pub(crate) const NAMES: [&str; 10] = [
    UTFALL,
    API,
    SIMDUTF,
    "simdutf8",
    "encoding_rs",
    "encodify",
    "iconv",
    cpython::NAME,
    "std",
    "widestring",
];

/// Input of an engine. The bytes are aligned for the units of their form.
pub(crate) struct Piece<'a> {
    pub(crate) bytes: &'a [u8],
    /// The same text, if it is well-formed.
    pub(crate) text: &'a str,
}

impl<'a> Piece<'a> {
    #[cfg(feature = "simdutf")]
    fn u8s(&self) -> &'a [u8] {
        self.bytes
    }

    fn u16s(&self) -> &'a [u16] {
        bytemuck::cast_slice(self.bytes)
    }

    fn u32s(&self) -> &'a [u32] {
        bytemuck::cast_slice(self.bytes)
    }
}

/// Places in the output, one for each piece: as long as the expected result, or with the space
/// that `encoding_rs` requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    Exact,
    Ample,
}

type Run = Box<dyn Fn(&[Piece<'_>], &mut [u8], &[Range<usize>], u64)>;
type Outcomes = Box<dyn Fn(&[Piece<'_>], &mut [u8], &[Range<usize>]) -> Vec<Outcome>>;

/// An implementation of an operation.
pub(crate) struct Engine {
    pub(crate) name: &'static str,
    pub(crate) room: Room,
    /// Converts all pieces this many times.
    pub(crate) run: Run,
    /// Converts all pieces once, and returns the outcome of each.
    pub(crate) outcomes: Outcomes,
}

/// Makes an engine from the function that converts a piece.
///
/// The loop is instantiated for each of them, so that short strings are not measured through a
/// `dyn` call.
fn engine<F>(name: &'static str, work: F) -> Option<Engine>
where
    F: Fn(&Piece<'_>, &mut [u8]) -> Outcome + Clone + 'static,
{
    let timed = work.clone();
    let run = move |pieces: &[Piece<'_>], output: &mut [u8], places: &[Range<usize>], times| {
        for _ in 0..times {
            for (piece, place) in pieces.iter().zip(places) {
                black_box(timed(black_box(piece), &mut output[place.clone()]));
            }
        }
    };
    let outcomes = move |pieces: &[Piece<'_>], output: &mut [u8], places: &[Range<usize>]| {
        let places = places.iter().cloned();
        pieces.iter().zip(places).map(|(piece, place)| work(piece, &mut output[place])).collect()
    };
    Some(Engine { name, room: Room::Exact, run: Box::new(run), outcomes: Box::new(outcomes) })
}

/// An engine that requires more space than its output takes.
fn ample<F>(name: &'static str, work: F) -> Option<Engine>
where
    F: Fn(&Piece<'_>, &mut [u8]) -> Outcome + Clone + 'static,
{
    engine(name, work).map(|engine| Engine { room: Room::Ample, ..engine })
}

/// The engines that have `op`, this table of kernels first.
pub(crate) fn engines(
    op: Op,
    kernels: &'static Kernels,
    wanted: impl Fn(&str) -> bool,
) -> Vec<Engine> {
    #[cfg(feature = "simdutf")]
    let simdutf = simdutf::engine_for(op);
    #[cfg(not(feature = "simdutf"))]
    let simdutf = None;
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    let iconv = iconv::engine_for(op);
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let iconv = None;
    let all = [
        utfall::engine_for(op, kernels),
        api::engine_for(op),
        simdutf,
        simdutf8::engine_for(op),
        encoding_rs::engine_for(op),
        encodify::engine_for(op),
        iconv,
        // It needs a process, so it is started only on request.
        wanted(cpython::NAME).then(|| cpython::engine_for(op)).flatten(),
        std::engine_for(op),
        widestring::engine_for(op),
    ];
    all.into_iter().flatten().filter(|engine| wanted(engine.name)).collect()
}
