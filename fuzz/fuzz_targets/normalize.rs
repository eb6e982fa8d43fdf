//! Line ends and normalization during conversion: the same however the text is cut and with any
//! number of threads, the same as for the text as a whole, and idempotent.
#![no_main]

use arbitrary::Arbitrary;
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use libfuzzer_sys::fuzz_target;
use utfall::filter::{self, FilteredTranscoder};
use utfall::parallel::Conversion;
use utfall::{Bom, Encoding, Options, Policy};
use utfall_fuzz::cut::{Cuts, one_of};
use utfall_normalize::{Form, Newline, Normalize};

#[derive(Arbitrary, Debug)]
struct Input<'s> {
    from: u8,
    to: u8,
    newline: u8,
    form: u8,
    policy: u8,
    cuts: Cuts,
    /// Inserted between the bytes of the text: combining characters in UTF-8, and line ends.
    marks: [u8; 2],
    text: &'s [u8],
}

const MARKS: [&str; 8] =
    ["", "\u{301}", "\u{323}\u{307}", "\r", "\n", "\u{1100}\u{1161}", "\u{D55C}", "e\u{328}"];

impl Input<'_> {
    fn bytes(&self, from: Encoding) -> Vec<u8> {
        let [first, second] = self.marks.map(|mark| one_of(&MARKS, mark));
        if first.is_empty() && second.is_empty() {
            return self.text.to_vec();
        }
        let text = String::from_utf8_lossy(self.text);
        let text: String = text.chars().flat_map(|c| [first, second].map(|mark| (c, mark))).fold(
            String::new(),
            |mut text, (c, mark)| {
                text.push(c);
                text.push_str(mark);
                text
            },
        );
        from.encode(&text).map_or_else(|_| self.text.to_vec(), |bytes| bytes.into_owned())
    }
}

/// The expected change of the text as a whole.
fn changed(text: &str, change: Normalize) -> String {
    let lf = || text.replace("\r\n", "\n").replace('\r', "\n");
    let text = match change.newline {
        Newline::Keep => text.to_owned(),
        Newline::Lf => lf(),
        Newline::Crlf => lf().replace('\n', "\r\n"),
        Newline::Cr => lf().replace('\n', "\r"),
        newline => unreachable!("{newline:?}"),
    };
    match change.form {
        None => text,
        Some(Form::Nfc) => ComposingNormalizerBorrowed::new_nfc().normalize(&text).into_owned(),
        Some(Form::Nfd) => DecomposingNormalizerBorrowed::new_nfd().normalize(&text).into_owned(),
        Some(Form::Nfkc) => ComposingNormalizerBorrowed::new_nfkc().normalize(&text).into_owned(),
        Some(Form::Nfkd) => DecomposingNormalizerBorrowed::new_nfkd().normalize(&text).into_owned(),
        Some(form) => unreachable!("{form:?}"),
    }
}

fn in_pieces(
    pair: (Encoding, Encoding),
    options: Options,
    change: Normalize,
    pieces: &[(&[u8], bool)],
) -> (Vec<u8>, Result<(), filter::Error>) {
    let mut transcoder = FilteredTranscoder::new(pair.0, pair.1, options, &change);
    let mut out = Vec::new();
    for (piece, last) in pieces {
        if let Err(stopped) = transcoder.transcode(piece, *last, &mut out) {
            return (out, Err(stopped));
        }
    }
    assert_eq!(transcoder.done().written, out.len() as u64);
    (out, Ok(()))
}

fuzz_target!(|input: Input<'_>| {
    let (from, to) = (one_of(Encoding::ALL, input.from), one_of(Encoding::ALL, input.to));
    let change = Normalize::new()
        .with_newline(one_of(
            &[Newline::Keep, Newline::Lf, Newline::Crlf, Newline::Cr],
            input.newline,
        ))
        .with_form(one_of(
            &[None, Some(Form::Nfc), Some(Form::Nfd), Some(Form::Nfkc), Some(Form::Nfkd)],
            input.form,
        ));
    let policy = one_of(&[Policy::Strict, Policy::Replace, Policy::Skip], input.policy);
    let options = Options::both(policy).with_bom(Bom::Keep);
    let bytes = input.bytes(from);
    let whole = in_pieces((from, to), options, change, &[(&bytes, true)]);
    let cut = in_pieces((from, to), options, change, &input.cuts.pieces(&bytes));
    assert_eq!(cut, whole);
    if let Err(stopped) = &whole.1 {
        assert!(!stopped.to_string().is_empty());
    }
    if !change.is_nothing() {
        for threads in [1, 2] {
            let mut out = Vec::new();
            // Small parts, since the inputs are short.
            let parts = Conversion::new(from, to, options).threads(threads).part_size(100);
            let done = parts.filter(&change).run(&bytes[..], &mut out);
            assert_eq!((out, done.is_ok()), (whole.0.clone(), whole.1.is_ok()));
        }
    }

    if let (Encoding::Utf8, Ok(text)) = (to, from.decode(&bytes))
        && whole.1.is_ok()
        && from.validate(&bytes).is_ok()
    {
        // The target keeps a mark that the source had.
        let made = String::from_utf8(whole.0.clone()).expect("it was text");
        let wanted = changed(&text, change);
        assert_eq!(made.trim_start_matches('\u{FEFF}'), wanted.trim_start_matches('\u{FEFF}'));
        let again = in_pieces((to, to), options, change, &[(&whole.0, true)]);
        assert_eq!(again, whole);
    }
});
