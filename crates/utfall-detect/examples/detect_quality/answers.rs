//! Runs the detector on the cases.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

use utfall_detect::detect;

use crate::cases::{self, Case};

/// Answers of a lower confidence are not shown: the command calls the file binary.
const SHOWN: f64 = 0.005;

/// Writes FOLDER/PART.utfall.tsv: the encoding, its confidence, whether it is shown and decoding
/// gives the text, whether `convert` would use it, and the language.
pub(crate) fn write(folder: &Path, part: &str) -> io::Result<()> {
    let cases = cases::read(folder, part)?;
    let mut made = String::new();
    let start = Instant::now();
    for case in &cases {
        let best = detect(&case.bytes).into_iter().next();
        let best = best.filter(|best| best.confidence >= SHOWN);
        let line = match &best {
            Some(best) => {
                let is_right = best.encoding == case.charset || is_same(best.encoding, case);
                let is_used = best.confidence >= 0.9 && best.doubt.is_none();
                let (right, used) = (u8::from(is_right), u8::from(is_used));
                let language = best.language.unwrap_or_default();
                format!("{}\t{:.4}\t{right}\t{used}\t{language}", best.encoding, best.confidence)
            }
            None => "-\t0\t0\t0\t".to_owned(),
        };
        writeln!(made, "{line}").map_err(io::Error::other)?;
    }
    let bytes: usize = cases.iter().map(|case| case.bytes.len()).sum();
    println!("utfall: {} cases, {bytes} bytes, {:.1?}", cases.len(), start.elapsed());
    fs::write(folder.join(format!("{part}.utfall.tsv")), made)
}

fn is_same(encoding: utfall::Encoding, case: &Case) -> bool {
    let text = encoding.decode_lossy(&case.bytes).text;
    text.trim_start_matches('\u{FEFF}') == case.text
}
