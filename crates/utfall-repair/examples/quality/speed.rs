//! The time of a repair, and the texts that other programs are timed with.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

use crate::correct::read;
use crate::damage;

/// Bytes of each language.
const SIZE: usize = 200_000;
const LANGUAGES: [&str; 6] = ["fr", "de", "pl", "ru", "el", "ja"];

/// How often each text is repaired in a round.
const TIMES: u32 = 10;
/// The fastest round counts, as for ftfy.
const ROUNDS: usize = 3;

/// The time of the first repair in a process, which would build tables.
fn first() -> f64 {
    let start = Instant::now();
    let repaired = utfall_repair::repair("caf\u{c3}\u{a9}\n".as_bytes());
    assert_eq!(repaired.bytes, "café\n".as_bytes());
    start.elapsed().as_secs_f64() * 1e6
}

/// The processor time of this process so far, from `/proc`.
fn processor_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program may have spaces.
    let fields = text.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks: f64 = fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    ticks / 100.0
}

pub(crate) fn run(folder: &Path, part: &str) -> io::Result<()> {
    println!("start-up: {:.1} µs for the first repair", first());
    let texts = read(&folder.join(part))?;
    let damage = &damage::all()[0];
    let (mut clean, mut broken) = (String::new(), String::new());
    for (_, text) in texts.iter().filter(|(name, _)| LANGUAGES.contains(&name.as_str())) {
        let mut size = 0;
        for line in text.lines().take_while(|line| {
            size += line.len();
            size < SIZE
        }) {
            clean += &format!("{line}\n");
            broken += &format!("{}\n", damage.of(line).unwrap_or_else(|| line.to_owned()));
        }
    }
    for (name, text) in [("clean", clean), ("broken", broken)] {
        fs::write(folder.join(format!("{name}.txt")), &text)?;
        // Processor time is in ticks of 10 ms, and other programs do not count.
        let (mut seconds, mut changes) = (f64::INFINITY, 0);
        for _ in 0..ROUNDS {
            let start = processor_seconds();
            for _ in 0..TIMES {
                changes = utfall_repair::repair(text.as_bytes()).changes.len();
            }
            seconds = seconds.min((processor_seconds() - start) / f64::from(TIMES));
        }
        println!(
            "utfall\t{name}\t{seconds:.4}\t{:.1} MB/s\t{changes} changes",
            text.len() as f64 / 1e6 / seconds
        );
    }
    Ok(())
}
