//! Damaged text must be restored, whole words at a time.

use std::fs;
use std::io;
use std::path::Path;

use utfall_repair::{Change, Options, repair_with};

use crate::collect::hash;
use crate::correct::read;
use crate::damage::{self, Damage};

/// The languages that are damaged.
const LANGUAGES: [&str; 24] = [
    "fr", "de", "es", "it", "pt", "nl", "sv", "da", "fi", "hu", "cs", "pl", "ro", "hr", "lt", "tr",
    "ru", "uk", "bg", "el", "ar", "he", "th", "ja",
];
/// Lines of each language.
const SAMPLE: usize = 400;
/// Lines of a document.
const DOCUMENT: usize = 20;

/// Results of one kind of damage in one language.
#[derive(Clone, Copy, Default)]
struct Count {
    lines: usize,
    restored: usize,
    wrong: usize,
    words: usize,
    half: usize,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.restored += other.restored;
        self.wrong += other.wrong;
        self.words += other.words;
        self.half += other.half;
    }

    fn share(self) -> f64 {
        self.restored as f64 * 100.0 / self.lines.max(1) as f64
    }
}

/// The shortest and longest lines that are damaged, in characters, and the bounds between for the table by length.
const LENGTHS: [usize; 6] = [12, 20, 40, 80, 160, 301];

/// Results by the length of the lines.
#[derive(Default)]
struct ByLength([Count; LENGTHS.len() - 1]);

impl ByLength {
    fn of(&mut self, line: &str) -> &mut Count {
        let length = line.chars().count();
        let index = LENGTHS.partition_point(|bound| *bound <= length);
        &mut self.0[(index - 1).min(LENGTHS.len() - 2)]
    }
}

/// Right and all changes by confidence.
#[derive(Default)]
pub(crate) struct Reliability {
    bins: [(usize, usize); BINS.len()],
}

/// Lower bounds of confidence.
const BINS: [f64; 8] = [0.0, 0.5, 0.6, 0.9, 0.95, 0.98, 0.99, 0.999];

impl Reliability {
    pub(crate) fn add(&mut self, confidence: f64, is_right: bool) {
        let bin = BINS.iter().rposition(|least| *least <= confidence).unwrap_or(0);
        self.bins[bin].0 += usize::from(is_right);
        self.bins[bin].1 += 1;
    }

    fn print(&self) {
        println!("| confidence from | changes | right | share |\n|---|---|---|---|");
        for ((right, all), least) in self.bins.iter().zip(BINS).filter(|((_, all), _)| *all > 0) {
            println!(
                "| {least} | {all} | {right} | {:.1} % |",
                *right as f64 * 100.0 / *all as f64
            );
        }
    }
}

pub(crate) fn run(folder: &Path, part: &str) -> io::Result<()> {
    let verbose = std::env::var_os("SHOW").is_some();
    let texts = read(&folder.join(part))?;
    let samples: Vec<(&str, Vec<&str>)> =
        texts.iter().map(|(language, text)| (language.as_str(), sample(text))).collect();
    let damages = damage::all();
    write(&folder.join("damaged.txt"), &samples, &damages)?;
    let mut reliability = Reliability::default();
    let mut lengths: [ByLength; 2] = Default::default();
    let mut sums = vec![[Count::default(); 2]; damages.len()];
    for how in ["alone", "documents"] {
        println!("\n## {how}\n");
        let names: Vec<&str> = LANGUAGES.to_vec();
        println!(
            "| damage | {} | all | wrong | half |\n|---|{}---|---|---|",
            names.join(" | "),
            "---|".repeat(names.len())
        );
        for (index, damage) in damages.iter().enumerate() {
            print!("| {} |", damage.name);
            let mut sum = Count::default();
            for name in LANGUAGES {
                let Some((_, lines)) = samples.iter().find(|(language, _)| *language == name)
                else {
                    print!(" |");
                    continue;
                };
                let of = if how == "alone" { 1 } else { DOCUMENT };
                let mut count = Count::default();
                for group in lines.chunks(of) {
                    let results = measure(group, damage, &mut reliability, verbose.then_some(name));
                    for (line, result) in results {
                        count.add(result);
                        if !damage.is_lossy {
                            lengths[usize::from(how != "alone")].of(line).add(result);
                        }
                    }
                }
                match count.lines {
                    0 => print!(" |"),
                    _ => print!(" {:.1} |", count.share()),
                }
                sum.add(count);
            }
            println!(" {:.2} | {} | {} of {} |", sum.share(), sum.wrong, sum.half, sum.words);
            sums[index][usize::from(how != "alone")] = sum;
        }
    }
    println!();
    for (part, how) in ["alone", "documents"].into_iter().enumerate() {
        for is_lossy in [false, true] {
            let mut sum = Count::default();
            let of = damages.iter().zip(&sums).filter(|(damage, _)| damage.is_lossy == is_lossy);
            of.for_each(|(_, sums)| sum.add(sums[part]));
            println!(
                "{how}, {}: {} of {} lines restored, {:.2} %; {} wrong changes; {} of {} words half repaired",
                if is_lossy { "with losses" } else { "without losses" },
                sum.restored,
                sum.lines,
                sum.share(),
                sum.wrong,
                sum.half,
                sum.words
            );
        }
    }
    println!("\n| characters | lines | alone | documents |\n|---|---|---|---|");
    let [alone, documents] = lengths;
    for ((bounds, alone), documents) in LENGTHS.windows(2).zip(alone.0).zip(documents.0) {
        let (first, last, lines) = (bounds[0], bounds[1] - 1, alone.lines);
        println!("| {first}–{last} | {lines} | {:.2} | {:.2} |", alone.share(), documents.share());
    }
    println!("\nConfidence, one undamaged line for each damaged one:\n");
    reliability.print();
    Ok(())
}

/// Writes the damaged lines for other programs: the damage, the original and the damaged text.
fn write(path: &Path, samples: &[(&str, Vec<&str>)], damages: &[Damage]) -> io::Result<()> {
    let mut out = String::new();
    for damage in damages {
        let of = samples.iter().filter(|(language, _)| LANGUAGES.contains(language));
        for line in of.flat_map(|(_, lines)| lines) {
            if let Some(broken) = damage.of(line) {
                out += &format!("{}\x1F{line}\x1F{broken}\n", damage.name);
            }
        }
    }
    fs::write(path, out)
}

/// Some lines spread over a text.
fn sample(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text
        .lines()
        .filter(|line| is_of_length(line) && !line.contains(['\u{FFFD}', '\x1F']))
        .collect();
    lines.sort_by_key(|line| hash(line.as_bytes()));
    let wanted = std::env::var("SAMPLE").ok().and_then(|count| count.parse().ok());
    lines.truncate(wanted.unwrap_or(SAMPLE));
    lines
}

fn is_of_length(line: &str) -> bool {
    let length = line.chars().count();
    LENGTHS[0] <= length && length < LENGTHS[LENGTHS.len() - 1]
}

/// Repairs damaged lines as one text. Returns those that can be damaged so, with their results.
fn measure<'l>(
    lines: &[&'l str],
    damage: &Damage,
    reliability: &mut Reliability,
    show: Option<&str>,
) -> Vec<(&'l str, Count)> {
    // A document is damaged as a whole; its lines that cannot be damaged so are left out.
    let broken: Vec<(&str, String)> =
        lines.iter().filter_map(|line| Some((*line, damage.of(line)?))).collect();
    let text: String = broken.iter().map(|(_, broken)| format!("{broken}\n")).collect();
    let options = Options::default().with_min_confidence(0.0);
    let all = repair_with(text.as_bytes(), options).changes;
    let mut results = Vec::with_capacity(broken.len());
    let mut offset = 0;
    for (original, broken) in &broken {
        let end = offset + broken.len() as u64;
        let first = all.partition_point(|change| change.offset < offset);
        let changes = all[first..].iter().take_while(|change| change.offset < end);
        let places = places(original, damage);
        let mut repaired = String::new();
        let mut done = 0;
        let mut wrong = 0;
        for change in changes {
            let begin = (change.offset - offset) as usize;
            let is_right = is_right(change, begin, &places, damage);
            reliability.add(change.confidence, is_right);
            if change.confidence < 0.9 {
                continue;
            }
            wrong += usize::from(!is_right);
            repaired += &broken[done..begin];
            repaired += &String::from_utf8_lossy(&change.after);
            done = begin + change.before.len();
        }
        repaired += &broken[done..];
        let (words, half) = half(original, &repaired, damage);
        let restored = usize::from(repaired == *original);
        results.push((*original, Count { lines: 1, restored, wrong, words, half }));
        if let Some(language) = show.filter(|_| repaired != *original) {
            let kind = match (wrong, half) {
                (0, 0) => "MISSED",
                (0, _) => "HALF",
                _ => "WRONG",
            };
            println!("{kind} {language} {} {original:?} {broken:?} {repaired:?}", damage.name);
        }
        offset = end + 1;
    }
    results
}

/// The characters of a line, each with its offset in the damaged line.
fn places(original: &str, damage: &Damage) -> Vec<(usize, char)> {
    let mut offset = 0;
    let place = |(character, next): (char, Option<char>)| {
        let place = (offset, character);
        offset += damage.of_character(character, next).map_or(0, |broken| broken.len());
        place
    };
    let nexts = original.chars().skip(1).map(Some).chain([None]);
    original.chars().zip(nexts).map(place).collect()
}

/// Whether a change leads to the original, or to a state between.
fn is_right(change: &Change, begin: usize, places: &[(usize, char)], damage: &Damage) -> bool {
    let end = begin + change.before.len();
    let first = places.partition_point(|(offset, _)| *offset < begin);
    let there: String =
        places[first..].iter().take_while(|(offset, _)| *offset < end).map(|(_, c)| *c).collect();
    damage.levels(&there).iter().any(|level| level.as_bytes() == change.after)
}

/// The number of damaged words, and of those that are neither as damaged nor restored.
fn half(original: &str, repaired: &str, damage: &Damage) -> (usize, usize) {
    let (mut words, mut half) = (0, 0);
    let mut rest = repaired;
    for word in original.split(' ') {
        let levels = damage.levels(word);
        let of_rest = levels.iter().find(|level| {
            rest.strip_prefix(level.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        });
        words += usize::from(levels.iter().any(|level| *level != word));
        match of_rest {
            Some(level) => rest = rest[level.len()..].strip_prefix(' ').unwrap_or_default(),
            None => {
                half += 1;
                rest = rest.split_once(' ').map_or("", |(_, rest)| rest);
            }
        }
    }
    (words, half)
}
