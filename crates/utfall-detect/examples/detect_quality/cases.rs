//! Cuts the texts of a part into cases: bytes, their charset and their text.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use utfall::{Bom, Encoding, Options};

use crate::texts::hash;

/// Approximate lengths of the cases, in bytes.
pub(crate) const LENGTHS: [usize; 5] = [20, 60, 200, 1000, 8000];
/// Cases of a family for each length, shared by its languages and charsets.
const OF_FAMILY: usize = 60;

/// Languages, and the charsets in which they were written.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    languages: &'static [&'static str],
    charsets: &'static [Encoding],
}

pub(crate) const FAMILIES: &[Family] = {
    use Encoding as E;
    &[
        Family {
            name: "Western",
            languages: &["de", "fr", "es", "pt", "it", "nl", "ca", "gl", "eu", "ga", "sq"],
            charsets: &[E::Windows1252, E::Iso8859_1, E::Iso8859_15, E::Macintosh, E::Ibm850],
        },
        Family {
            name: "Nordic",
            languages: &["da", "sv", "no", "nn", "fi", "is"],
            charsets: &[E::Windows1252, E::Iso8859_1, E::Macintosh, E::Ibm850],
        },
        Family {
            name: "Central European",
            languages: &["cs", "sk", "pl", "hu", "sl", "hr", "ro", "sr-latn"],
            charsets: &[E::Windows1250, E::Iso8859_2, E::Ibm852, E::MacCentraleurope],
        },
        Family { name: "Central European", languages: &["ro"], charsets: &[E::Iso8859_16] },
        Family {
            name: "Baltic",
            languages: &["et", "lt", "lv"],
            charsets: &[E::Windows1257, E::Iso8859_13, E::Iso8859_4, E::Ibm775],
        },
        Family { name: "Turkish", languages: &["tr"], charsets: &[E::Windows1254, E::Ibm857] },
        Family { name: "Esperanto", languages: &["eo"], charsets: &[E::Iso8859_3] },
        Family { name: "Welsh", languages: &["cy"], charsets: &[E::Iso8859_14, E::Windows1252] },
        Family { name: "Tajik", languages: &["tg"], charsets: &[E::Koi8T] },
        Family {
            name: "Greek",
            languages: &["el"],
            charsets: &[E::Windows1253, E::Iso8859_7, E::Cp737],
        },
        Family {
            name: "Cyrillic",
            languages: &["ru", "bg", "mk", "sr", "uk", "be"],
            charsets: &[
                E::Windows1251,
                E::Koi8R,
                E::Koi8U,
                E::Ibm866,
                E::Iso8859_5,
                E::MacCyrillic,
                E::Ibm855,
            ],
        },
        Family {
            name: "Hebrew",
            languages: &["he"],
            charsets: &[E::Windows1255, E::Iso8859_8, E::Ibm862],
        },
        Family {
            name: "Arabic",
            languages: &["ar", "fa"],
            charsets: &[E::Windows1256, E::Iso8859_6],
        },
        Family { name: "Thai", languages: &["th"], charsets: &[E::Windows874] },
        Family {
            name: "Vietnamese",
            languages: &["vi"],
            charsets: &[E::Windows1258, E::Viscii, E::Tcvn5712_1],
        },
        Family {
            name: "Japanese",
            languages: &["ja"],
            charsets: &[E::ShiftJis, E::EucJp, E::Iso2022Jp],
        },
        Family {
            name: "Chinese, simplified",
            languages: &["zh-hans"],
            charsets: &[E::Gbk, E::Gb18030],
        },
        Family { name: "Chinese, traditional", languages: &["zh-hant"], charsets: &[E::Big5] },
        Family { name: "Korean", languages: &["ko"], charsets: &[E::EucKr] },
        Family {
            name: "UTFs",
            languages: &[
                "de", "fr", "pl", "hu", "lv", "tr", "el", "ru", "he", "ar", "th", "vi", "ja",
                "zh-hans", "ko", "hi",
            ],
            charsets: &[E::Utf8, E::Utf16Le, E::Utf16Be, E::Utf32Le],
        },
    ]
};

/// A random number generator with the same results on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end.max(1)
    }
}

/// Writes FOLDER/PART.tsv: family, language, charset, length, and bytes and text in hexadecimal.
pub(crate) fn write(folder: &Path, part: &str) -> io::Result<()> {
    let mut made = String::new();
    let mut count = 0;
    for family in FAMILIES {
        let times = match family.name {
            "Central European" => 3,
            _ => (OF_FAMILY / (family.languages.len() * family.charsets.len())).clamp(3, 15),
        };
        for language in family.languages {
            let path = folder.join(part).join(format!("{language}.txt"));
            let Ok(text) = fs::read_to_string(&path) else {
                println!("skipped {language}: {} is missing", path.display());
                continue;
            };
            let lines: Vec<&str> = text.lines().collect();
            for charset in family.charsets {
                let name = format!("{part}{language}{charset}{}", family.name);
                let mut random = Random(hash(name.as_bytes()));
                for length in LENGTHS {
                    for _ in 0..times {
                        let Some((bytes, text)) = cut(&lines, *charset, length, &mut random) else {
                            continue;
                        };
                        count += 1;
                        writeln!(
                            made,
                            "{}\t{language}\t{charset}\t{length}\t{}\t{}",
                            family.name,
                            hex(&bytes),
                            hex(text.as_bytes())
                        )
                        .map_err(io::Error::other)?;
                    }
                }
            }
        }
    }
    println!("{part}: {count} cases");
    fs::write(folder.join(format!("{part}.tsv")), made)
}

/// Consecutive lines from a random place that the charset has, with a non-ASCII character.
fn cut(
    lines: &[&str],
    charset: Encoding,
    length: usize,
    random: &mut Random,
) -> Option<(Vec<u8>, String)> {
    let is_apart = charset == Encoding::Windows1258 && random.below(2) == 0;
    'tries: for _ in 0..400 {
        let start = random.below(lines.len());
        let (mut text, mut bytes) = (String::new(), 0);
        for line in lines[start..].iter().take(length / 2 + 40) {
            let Some((line, of_line)) = fitted(&format!("{line}\n"), charset, is_apart) else {
                continue;
            };
            let left = length - bytes;
            if of_line.len() <= left {
                text += &line;
                bytes += of_line.len();
            } else {
                // Cut the last line between two words.
                let words = line.char_indices().filter(|(_, scalar)| *scalar == ' ');
                let mut ends = words.map(|(at, _)| at).collect::<Vec<_>>();
                if !line.contains(' ') || line.len() / (ends.len() + 1) > 30 {
                    ends = line.char_indices().map(|(at, _)| at).collect();
                }
                let fits = |end: &&usize| {
                    fitted(&line[..**end], charset, is_apart)
                        .is_some_and(|(_, all)| all.len() <= left)
                };
                let end = ends.iter().rev().find(fits).copied().unwrap_or(0);
                text += &line[..end];
                bytes = length;
            }
            if bytes + 4 >= length {
                break;
            }
        }
        if text.is_ascii() {
            continue;
        }
        let Some((text, bytes)) = fitted(&text, charset, is_apart) else { continue 'tries };
        if bytes.len() * 3 > length * 2 {
            return Some((bytes, text));
        }
    }
    None
}

/// The text as it was written in this charset, with its bytes. `None` if the charset lacks a
/// character that has no usual substitute. `is_apart` separates all tones from
/// their vowels, as Windows does; glibc does so only if the charset lacks the vowel with its tone.
fn fitted(text: &str, charset: Encoding, is_apart: bool) -> Option<(String, Vec<u8>)> {
    let options = Options::default().with_bom(Bom::Strip);
    let encode = |text: &str| Some(charset.encode_with(text, options).ok()?.into_owned());
    if charset != Encoding::Windows1258
        && let Some(bytes) = encode(text)
    {
        return Some((text.to_owned(), bytes));
    }
    let mut older = String::with_capacity(text.len());
    for scalar in text.chars() {
        match scalar {
            '\u{2018}' | '\u{2019}' => older.push('\''),
            '\u{201C}'..='\u{201F}' => older.push('"'),
            '\u{2010}'..='\u{2014}' | '\u{2212}' => older.push('-'),
            '…' => older.push_str("..."),
            '\u{A0}' | '\u{202F}' | '\u{2009}' => older.push(' '),
            '•' | '·' => older.push('*'),
            '\u{200B}'..='\u{200F}' | '\u{AD}' => {}
            '©' => older.push_str("(C)"),
            'ș' => older.push('ş'),
            'ț' => older.push('ţ'),
            'Ș' => older.push('Ş'),
            'Ț' => older.push('Ţ'),
            _ if charset == Encoding::Windows1258 => match with_tone(scalar)
                .filter(|_| is_apart || encode(scalar.encode_utf8(&mut [0; 4])).is_none())
            {
                Some((base, tone)) => older.extend([base, tone]),
                None => older.push(scalar),
            },
            _ => older.push(scalar),
        }
    }
    encode(&older).map(|bytes| (older, bytes))
}

/// A Vietnamese vowel as its base and a combining tone mark.
pub(crate) fn with_tone(scalar: char) -> Option<(char, char)> {
    const ROWS: [&str; 12] = [
        "aàáảãạ",
        "ăằắẳẵặ",
        "âầấẩẫậ",
        "eèéẻẽẹ",
        "êềếểễệ",
        "iìíỉĩị",
        "oòóỏõọ",
        "ôồốổỗộ",
        "ơờớởỡợ",
        "uùúủũụ",
        "ưừứửữự",
        "yỳýỷỹỵ",
    ];
    const TONES: [char; 5] = ['\u{300}', '\u{301}', '\u{309}', '\u{303}', '\u{323}'];
    let small = scalar.to_lowercase().next()?;
    let row = ROWS.iter().find(|row| row.chars().skip(1).any(|vowel| vowel == small))?;
    let base = row.chars().next()?;
    let tone = row.chars().skip(1).position(|vowel| vowel == small)?;
    let base = if small == scalar { base } else { base.to_uppercase().next()? };
    Some((base, TONES[tone]))
}

fn hex(bytes: &[u8]) -> String {
    let mut made = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string cannot fail.
        _ = write!(made, "{byte:02x}");
    }
    made
}

/// A line of FOLDER/PART.tsv.
pub(crate) struct Case {
    pub(crate) charset: Encoding,
    pub(crate) bytes: Vec<u8>,
    pub(crate) text: String,
}

pub(crate) fn read(folder: &Path, part: &str) -> io::Result<Vec<Case>> {
    let file = fs::read_to_string(folder.join(format!("{part}.tsv")))?;
    let case = |line: &str| {
        let mut fields = line.split('\t').skip(2);
        let charset = Encoding::for_label(fields.next()?)?;
        let bytes = unhex(fields.nth(1)?)?;
        Some(Case { charset, bytes, text: String::from_utf8(unhex(fields.next()?)?).ok()? })
    };
    let bad = || io::Error::other(format!("{part}.tsv has an invalid line: write it again"));
    file.lines().map(|line| case(line).ok_or_else(bad)).collect()
}

fn unhex(digits: &str) -> Option<Vec<u8>> {
    let pair = |at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(pair).collect()
}
