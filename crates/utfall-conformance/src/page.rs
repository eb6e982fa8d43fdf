//! docs/conformance.md: writes it, and compares it with the results of a run.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::answer::{Answer, Mode, points};
use crate::classes;
use crate::compare::{Account, Difference, Found, Tally};

const HEAD: &str = "\
# Comparison with other implementations

```text
$ printf '\\000\\101' | utfall convert -f UTF-16 -t UTF-8
A
$ printf '\\000\\101' | python3 -c 'import sys; print(ascii(sys.stdin.buffer.read().decode(\"utf-16\")))'
'\\u4100'
```

CPython reads UTF-16 without a BOM as little-endian, and utfall as big-endian: the class `unmarked-little-endian`. This page compares
the answers of utfall and seven others, and classifies every difference, with a reason. `cargo xtask conformance --write`
writes it and asks the real programs and libraries. These are CPython's codecs, glibc's `iconv` and ICU's converters
(through Python), Perl's Encode, Node's TextDecoder, the C++ library simdutf and the crate encoding_rs.

`cargo xtask conformance` compares its results with this page if the versions are the same, and fails if a difference has no
class. CI asks one in 97 of the generated inputs, and all vectors.

**Inputs for decoding.** For each encoding:

- every sequence of up to two octets (one, if each octet is a character);
- every sequence of up to four octets or units (three in UTF-32 and the charsets with tables) from the boundaries of classes;
- random text in UTF-7, and one in seven of all four-octet codes of GB 18030;
- every vector of `testdata/vectors`;
- an excerpt of each of eleven corpora, truncated at forty places and damaged 2000 times.

**Inputs for encoding.** Every code point (in charsets with tables, those of the planes they contain), and every line of the
corpora.

**Comparisons.**

- *Read strictly*: whether the text is well-formed, the code points, and the offset and length of the error, if reported.
- *Read with U+FFFD*: all code points, and so the number and place of each U+FFFD.
- *Mark removed*: as strictly, but without a BOM at the start.
- *Written*: the octets, or that the text cannot be encoded.

**Classes.**

- *Theirs*: they violate the specification that the class names.
- *Permitted choice*: the specification leaves it open, or only recommends.
- *Another table*: two charsets have the same name.

There is no class for errors of utfall: such a difference has no class, and the task fails until it is fixed. Conditions
are in `crates/utfall-conformance/src/classes`. Most check that utfall gives exactly their answer if it behaves as the class
says.

**Not covered.** Streams, speed, and other versions. The tables of the web's charsets were made from those of encoding_rs. So its
agreement tests the code around the tables. `crates/utfall/tests/it/wpt.rs` compares those with the Encoding Standard's.
";

/// The whole page.
pub(crate) fn page(accounts: &[Account], lacking: &[(&str, String)], every: usize) -> String {
    let mut page = format!("{HEAD}\n{}", extent(every));
    page +=
        "\n| asked | answers compared | agree | differ | classes |\n|---|---:|---:|---:|---:|\n";
    for account in accounts {
        let (cases, agreed) = sums(account);
        let differ = cases - agreed;
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} |",
            title(account),
            number(cases),
            number(agreed),
            number(differ),
            account.found.len(),
        );
    }
    for (name, reason) in lacking {
        let _ = writeln!(page, "\n{name} was not available: {reason}.");
    }
    for account in accounts {
        page += &section(account);
    }
    page
}

/// The share of all inputs that a page covers.
pub(crate) fn extent(every: usize) -> String {
    match every {
        1 => "All generated inputs were asked for this page.\n".to_owned(),
        _ => format!(
            "One in {every} of the generated inputs was asked for this page (`--every {every}`), and \
             every vector.\n"
        ),
    }
}

/// The part of a page that is compared: everything about a peer.
fn section(account: &Account) -> String {
    let mut text = format!("\n## {}\n\n| encoding |", title(account));
    let modes: Vec<Mode> = Mode::ALL
        .into_iter()
        .filter(|mode| account.tallies.keys().any(|(_, asked)| asked == mode))
        .collect();
    modes.iter().for_each(|mode| text += &format!(" {} |", mode.title()));
    text += "\n|---|";
    modes.iter().for_each(|_| text += "---:|");
    text += "\n";
    let mut rows: BTreeMap<_, BTreeMap<Mode, Tally>> = BTreeMap::new();
    for ((encoding, mode), tally) in &account.tallies {
        rows.entry(*encoding).or_default().insert(*mode, *tally);
    }
    for (encoding, tallies) in rows {
        let _ = write!(text, "| {encoding} |");
        for mode in &modes {
            let _ = match tallies.get(mode) {
                None => write!(text, " |"),
                Some(Tally { cases, agreed }) if cases == agreed => {
                    write!(text, " {} |", number(*cases))
                }
                Some(Tally { cases, agreed }) => {
                    write!(text, " {}, {} differ |", number(*cases), number(cases - agreed))
                }
            };
        }
        text += "\n";
    }
    if account.found.is_empty() {
        return text + "\nNothing differs.\n";
    }
    for (encodings, classes) in grouped(account) {
        let _ = writeln!(text, "\n{encodings}:\n");
        for found in classes {
            text += &class(found);
        }
    }
    text
}

/// The classes, grouped by the encodings they apply to.
fn grouped(account: &Account) -> Vec<(String, Vec<&Found>)> {
    let mut groups: Vec<(String, Vec<&Found>)> = Vec::new();
    for found in account.found.values() {
        let names: Vec<&str> = found.counts.keys().map(|encoding| encoding.name()).collect();
        let names = names.join(", ");
        match groups.iter_mut().find(|(known, _)| *known == names) {
            Some((_, group)) => group.push(found),
            None => groups.push((names, vec![found])),
        }
    }
    groups
}

fn class(found: &Found) -> String {
    let count: usize = found.counts.values().sum();
    let example = &found.example;
    let of = if found.counts.len() > 1 { format!("{}, ", example.encoding) } else { String::new() };
    format!(
        "- `{}`, {} ({}): {}\n  E.g. {of}{}: {}.\n",
        found.rule.id,
        found.rule.whose.title(),
        number(count),
        found.rule.reason,
        example.mode.title(),
        shown(example),
    )
}

fn title(account: &Account) -> String {
    format!("{} {}", account.name, account.version)
}

fn sums(account: &Account) -> (usize, usize) {
    let tallies = account.tallies.values();
    tallies.fold((0, 0), |sums, tally| (sums.0 + tally.cases, sums.1 + tally.agreed))
}

/// Compares the results with the page, for each peer whose version is that of the page. In a
/// complete run everything must be equal; otherwise, no class may be new.
pub(crate) fn compare(page: &str, accounts: &[Account], whole: bool) -> Result<(), String> {
    let mut wrong = Vec::new();
    for account in accounts {
        let head = format!("\n## {}\n", title(account));
        let Some(start) = page.find(&head) else {
            println!(
                "{}: not compared, since docs/conformance.md has another version",
                title(account)
            );
            continue;
        };
        let after = &page[start + head.len()..];
        let end = after.find("\n## ").map_or(after.len(), |at| at);
        let known = &page[start..start + head.len() + end];
        if whole && known.trim_end() != section(account).trim_end() {
            wrong.push(format!("{}: figures differ from docs/conformance.md", title(account)));
        }
        for found in account.found.values() {
            if !known.contains(&format!("- `{}`, {} (", found.rule.id, found.rule.whose.title())) {
                wrong.push(format!("{}: class `{}` is new", title(account), found.rule.id));
            }
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{}\n`cargo xtask conformance --write` updates the page", wrong.join("\n")))
}

/// The rules of the peers present that matched nothing.
pub(crate) fn idle(accounts: &[Account]) -> Vec<String> {
    let there = |peer: &str| accounts.iter().find(|account| account.name == peer);
    classes::rules()
        .enumerate()
        .filter(|(place, rule)| {
            there(rule.peer).is_some_and(|account| !account.found.contains_key(place))
        })
        .map(|(_, rule)| {
            let names: Vec<&str> =
                rule.encodings.iter().take(3).map(|known| known.name()).collect();
            format!("{} `{}` of {} …", rule.peer, rule.id, names.join(", "))
        })
        .collect()
}

/// A difference as one line.
pub(crate) fn shown(difference: &Difference) -> String {
    let Difference { mode, input, ours, theirs, .. } = difference;
    let input = if *mode == Mode::Encode { code_points(input) } else { hex(input) };
    format!("`{input}`: utfall {}, they {}", answer(*mode, ours), answer(*mode, theirs))
}

fn answer(mode: Mode, answer: &Answer) -> String {
    match answer {
        Answer::Fine(output) if output.is_empty() => "nothing".to_owned(),
        Answer::Fine(output) if mode == Mode::Encode => format!("`{}`", hex(output)),
        Answer::Fine(output) => code_points(output),
        Answer::Error(None, _) => "error".to_owned(),
        Answer::Error(Some(offset), None) => format!("error at {offset}"),
        Answer::Error(Some(offset), Some(length)) => format!("error at {offset}, {length} long"),
        Answer::NotAsked => "-".to_owned(),
    }
}

fn hex(bytes: &[u8]) -> String {
    listed(bytes, |byte| format!("{byte:02X}"))
}

fn code_points(bytes: &[u8]) -> String {
    listed(&points(bytes), |point| format!("U+{point:04X}"))
}

/// All bytes of an input, without spaces between them, to ask for it again.
pub(crate) fn whole(difference: &Difference) -> String {
    difference.input.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// The first few, separated by spaces.
fn listed<T>(all: &[T], one: impl Fn(&T) -> String) -> String {
    const MOST: usize = 24;
    let mut shown: Vec<String> = all.iter().take(MOST).map(one).collect();
    if all.len() > MOST {
        shown.push(format!("… ({})", all.len()));
    }
    shown.join(" ")
}

/// Formats a number with commas between thousands.
fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
