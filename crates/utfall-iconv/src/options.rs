//! Decoders and encoders of the library with the options of glibc.

use utfall::{Bom, Decoder, Encoder, Encoding, Options, Utf7Options, Utf7Tolerance};

/// A decoder with the tolerances of glibc.
pub(crate) fn decoder(encoding: Encoding, bom: Bom) -> Decoder<'static> {
    // Like glibc: a `+` followed by neither a digit nor `-` is dropped.
    let tolerance = Utf7Tolerance::EMPTY_SHIFT_DROPPED;
    let options = Options::strict().with_bom(bom).with_utf7_tolerance(tolerance);
    Decoder::new(encoding, options)
}

/// An encoder with the options of glibc.
pub(crate) fn encoder(encoding: Encoding, bom: Bom) -> Encoder<'static> {
    // Like glibc and libiconv: optional direct characters are shifted.
    let utf7 = Utf7Options::new().with_shift_set_o(true);
    let options = Options::strict().with_bom(bom).with_utf7(utf7);
    Encoder::new(encoding, options)
}
