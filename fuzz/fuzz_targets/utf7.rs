//! UTF-7 against the oracle: reading with any cuts, writing in every style, every table of kernels.
#![no_main]

use libfuzzer_sys::fuzz_target;
use utfall::{Encoding, Options, Utf7Options};
use utfall_fuzz::shifted;
use utfall_oracle::Item;
use utfall_simd::utf7::{RunState, Style};
use utfall_simd::{Layout, dispatch};

fuzz_target!(|input: (shifted::Bytes, Vec<u8>, String, bool, bool)| {
    let (bytes, cuts, text, shift_set_o, explicit_close) = input;
    let bytes = bytes.bytes();
    shifted::check_reading(Encoding::Utf7, &bytes, &cuts);

    // Every table reads the same, and writes nothing after its buffer.
    let room = 3 * bytes.len() / 2 + usize::from(*cuts.first().unwrap_or(&0));
    let mut expected = None;
    for kernels in dispatch::available() {
        let mut out = vec![0xA5; room + 64];
        let mut shift = RunState::default();
        let (read, written) = kernels.utf7_to_utf8(&mut shift, &bytes, &mut out[..room]);
        assert!(out[room..].iter().all(|byte| *byte == 0xA5));
        out.truncate(written);
        let made = (read, out, shift);
        assert_eq!(expected.get_or_insert_with(|| made.clone()), &made, "{kernels:?}");
    }
    let mut expected = None;
    for kernels in dispatch::available() {
        for (to, order) in [
            (Layout::Utf16Le, u16::from_le_bytes as fn([u8; 2]) -> u16),
            (Layout::Utf16Be, u16::from_be_bytes),
        ] {
            let Some(convert) = kernels.from_utf7(to) else { continue };
            let mut out = vec![0xA5; room + 64];
            let mut shift = RunState::default();
            let (read, written) = convert(&mut shift, &bytes, &mut out[..room]);
            assert!(out[room..].iter().all(|byte| *byte == 0xA5));
            let units: Vec<u16> =
                out[..written].as_chunks().0.iter().map(|unit| order(*unit)).collect();
            let made = (read, units, shift);
            assert_eq!(expected.get_or_insert_with(|| made.clone()), &made, "{kernels:?}");
        }
    }

    let options = Options::default().with_utf7(
        Utf7Options::new().with_shift_set_o(shift_set_o).with_explicit_close(explicit_close),
    );
    let written = Encoding::Utf7.encode_with(&text, options).expect("it has every character");
    let mut items = Vec::new();
    utfall_oracle::decode("UTF-7", &written, &mut items);
    let points: Vec<_> = text.chars().map(|c| Item::Point(c.into())).collect();
    assert_eq!(items, points);
    if !shift_set_o && !explicit_close {
        let points: Vec<u32> = text.chars().map(u32::from).collect();
        let mut plain = Vec::new();
        utfall_oracle::encode("UTF-7", &points, &mut plain).expect("it has every character");
        assert_eq!(*written, *plain);
    }
    let style = Style::new().with_shift_set_o(shift_set_o).with_explicit_close(explicit_close);
    for kernels in dispatch::available() {
        let (mut shift, mut out) = (RunState::default(), vec![0; written.len()]);
        let (read, length) = kernels.utf8_to_utf7(style, &mut shift, text.as_bytes(), &mut out);
        assert_eq!(read, text.len(), "{kernels:?}");
        assert_eq!(out[..length], written[..length], "{kernels:?}");
        let mut after = RunState::default();
        assert_eq!(kernels.utf7_len_from_utf8(style, &mut after, text.as_bytes()), length);
        assert_eq!(after, shift);
    }
});
