//! However a text is cut, the candidates are the same; confidences are probabilities and sorted; a
//! stream gives the same result as a file.
#![no_main]

use std::io::{Cursor, Read};

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use utfall::Encoding;
use utfall_detect::{Candidate, Detector, Extent, detect, detect_file, detect_reader};
use utfall_fuzz::cut::{Cuts, one_of};

#[derive(Arbitrary, Debug)]
struct Input<'s> {
    cuts: Cuts,
    /// How the text is converted first: it is read as UTF-8 and written in another encoding.
    encoding: Option<u8>,
    /// How often it is repeated, to be longer than the sample of a text.
    times: u8,
    text: &'s [u8],
}

impl Input<'_> {
    fn bytes(&self) -> Vec<u8> {
        let text = match self.encoding {
            None => self.text.to_vec(),
            Some(number) => {
                let text = String::from_utf8_lossy(self.text);
                let encoding = one_of(Encoding::ALL, number);
                encoding.encode(&text).map_or_else(|_| self.text.to_vec(), |bytes| bytes.to_vec())
            }
        };
        let times = if self.times < 0xF0 { 1 } else { usize::from(self.times - 0xEF) * 8 };
        text.repeat(times)
    }
}

fn check(candidates: &[Candidate], length: usize) {
    for pair in candidates.windows(2) {
        assert!(pair[0].confidence >= pair[1].confidence);
        assert!(candidates.iter().filter(|one| one.encoding == pair[0].encoding).count() == 1);
    }
    let sum: f64 = candidates.iter().map(|one| one.confidence).sum();
    assert!(sum <= 1.000_001, "{sum}");
    for candidate in candidates {
        check_one(candidate, length, 0);
    }
}

fn check_one(candidate: &Candidate, length: usize, depth: usize) {
    assert!((0.0..=1.0).contains(&candidate.confidence), "{candidate:?}");
    assert!(depth < 8);
    for evidence in &candidate.evidence {
        assert!(!evidence.to_string().is_empty());
        assert!(evidence.first().is_none_or(|first| first < length as u64), "{evidence:?}");
    }
    if let Some(inside) = &candidate.inside {
        // A text inside is never longer than what is around it.
        check_one(&inside.candidate, length, depth + 1);
    }
}

fuzz_target!(|input: Input<'_>| {
    let bytes = input.bytes();
    let whole = detect(&bytes);
    check(&whole, bytes.len());
    let mut detector = Detector::new();
    for (piece, _) in input.cuts.pieces(&bytes) {
        detector.feed(piece);
    }
    assert_eq!(detector.read(), bytes.len() as u64);
    assert_eq!(detector.finish(), whole);

    let of_file = detect_file(Cursor::new(&bytes), Extent::Sample).expect("it can be read");
    assert_eq!((of_file.read, of_file.length), (bytes.len() as u64, Some(bytes.len() as u64)));
    let half = bytes.len() / 2;
    let stream = bytes[..half].chain(&bytes[half..]);
    assert_eq!(detect_reader(stream, Extent::All).expect("it can be read"), of_file);
    assert_eq!(of_file.candidates, whole);
});
