//! A message that was rewritten is not rewritten again.

use utfall::Encoding;
use utfall_mime::Message;
use utfall_mime::rewrite::Options;
use utfall_oracle::step;

/// Pieces of parameters: names and forms of RFC 2231, charsets, and values that look like encoded words.
const PIECES: [&str; 34] = [
    "; filename=",
    "; filename*=",
    "; filename*0=",
    "; filename*1=",
    "; filename*0*=",
    "; filename*1*=",
    "; name=",
    "iso-8859-1''",
    "utf-8''",
    "utf-8'en'",
    "utf-7''",
    "''",
    "=?utf-8?q?=C3=A9?=",
    "=?utf-8?q?x?=",
    "=?iso-8859-1?q?=E9?=",
    "=?utf-8?b?w6k=?=",
    "=?utf-7?q?+AOk-?=",
    "=?x-none?q?x?=",
    "=?utf-8?q?",
    "?=",
    "%3D%3Futf-8%3Fq%3F=C3=A9%3F%3D",
    "=3D=3Futf-8=3Fq=3Fx=3F=3D",
    "%E9",
    "%C3%A9",
    "+AOk-",
    "é",
    "\u{80}",
    "\"",
    " ",
    "\n ",
    "a",
    "_",
    "(c)",
    "%20",
];

#[test]
fn parameters() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = |most: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    let targets =
        [Encoding::Utf8, Encoding::Utf7, Encoding::Iso8859_1, Encoding::Utf16Be, Encoding::UsAscii];
    for number in (0..400_000).step_by(step(10)) {
        // In a part that is not changed, and in one whose label and text are.
        let is_text = number % 3 == 0;
        let start =
            ["Content-Disposition: attachment", "Content-Type: text/plain; charset=iso-8859-1"];
        let mut text = String::from(start[usize::from(is_text)]);
        for _ in 0..2 + next(7) {
            text += PIECES[next(PIECES.len())];
        }
        text += if is_text { "\n\né\n" } else { "\nContent-Type: image/png\n\nx\n" };
        let bytes: Vec<u8> = match next(2) {
            0 => text.into_bytes(),
            // As ISO 8859-1.
            _ => text.chars().map(|c| c as u8).collect(),
        };
        let options = Options::to(targets[next(targets.len())]);
        let once = rewritten(&bytes, &options);
        let again = rewritten(&once, &options);
        assert!(
            once == again,
            "{:?}\n{}\n{}\n{}",
            options.to,
            bytes.escape_ascii(),
            once.escape_ascii(),
            again.escape_ascii()
        );
    }
}

fn rewritten(bytes: &[u8], options: &Options) -> Vec<u8> {
    Message::parse(bytes).rewrite(options).pieces().collect::<Vec<_>>().concat()
}
