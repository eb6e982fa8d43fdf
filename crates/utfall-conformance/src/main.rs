//! Compares utfall with CPython, glibc, ICU, Perl, Node, simdutf and encoding_rs, each the real
//! program or library, on the same inputs. Every difference must belong to a class (`classes.rs`).
//! Run it as `cargo xtask conformance`.
#![forbid(unsafe_code)]

mod answer;
mod cases;
mod classes;
mod compare;
mod labels;
mod ours;
mod page;
mod peer;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use compare::{Account, Part};
use utfall::Encoding;

const USAGE: &str = "usage: cargo xtask conformance [--every <N>] [--only <ENCODING>] [--peer <NAME>]… [--show <N>] [--write]

  --every <N>        use one in N of the generated inputs (default: 1), and all vectors
  --only <ENCODING>  compare only this encoding
  --peer <NAME>      compare only with CPython, glibc, ICU, Perl, Node, simdutf or encoding_rs
  --show <N>         show N differences without a class for each encoding (default: 5)
  --write            write docs/conformance.md; otherwise compare the results with the page, for peers
                     of the same version: all figures if the inputs are the same, or only the classes";

struct Asked {
    every: usize,
    write: bool,
    peers: Vec<String>,
    part: Part,
}

fn main() -> ExitCode {
    if env::args().any(|arg| arg == "--help" || arg == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let asked = match asked(env::args().skip(1)) {
        Ok(asked) => asked,
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&asked) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

impl Asked {
    /// Whether all peers and encodings are included.
    fn is_of_all(&self) -> bool {
        self.peers.is_empty() && self.part.only.is_none()
    }
}

fn asked(mut args: impl Iterator<Item = String>) -> Result<Asked, String> {
    let part = Part { only: None, show: 5 };
    let mut asked = Asked { every: 1, write: false, peers: Vec::new(), part };
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        let number = |text: String| match text.parse() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("invalid number: {text}")),
        };
        match &*arg {
            "--every" => asked.every = number(value()?)?,
            "--show" => asked.part.show = number(value()?)?,
            "--write" => asked.write = true,
            "--peer" => asked.peers.push(value()?),
            "--only" => {
                let label = value()?;
                let known = Encoding::for_label(&label);
                asked.part.only = Some(known.ok_or(format!("unknown encoding: {label}"))?);
            }
            _ => return Err(format!("unknown option: {arg}")),
        }
    }
    if asked.write && !asked.is_of_all() {
        return Err("--write cannot be combined with --peer or --only".to_owned());
    }
    Ok(asked)
}

fn run(asked: &Asked) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cases = cases::Cases::new(&root, asked.every)?;
    let mut there = Vec::new();
    let mut lacking = Vec::new();
    for peer in peer::all() {
        match peer {
            Ok(peer) => there.push(peer),
            Err(reason) => lacking.push(reason),
        }
    }
    if !asked.peers.is_empty() {
        there.retain(|peer| asked.peers.iter().any(|name| name == peer.name));
        lacking.retain(|(name, _)| asked.peers.iter().any(|asked| asked == name));
    }
    let accounts = compare::all(there, &cases, &asked.part)?;

    for (name, reason) in &lacking {
        println!("skipping {name}: {reason}");
    }
    for account in &accounts {
        tell(account);
    }
    let unexplained: usize =
        accounts.iter().flat_map(|account| account.unexplained.values()).map(|(n, _)| n).sum();
    if unexplained > 0 {
        return Err(format!("{unexplained} differences have no class"));
    }
    if asked.every == 1 && asked.is_of_all() {
        page::idle(&accounts).iter().for_each(|rule| println!("unused class: {rule}"));
    }
    let path = root.join("docs/conformance.md");
    if asked.write {
        let page = page::page(&accounts, &lacking, asked.every);
        return fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()));
    }
    let page = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let whole = asked.part.only.is_none() && page.contains(&page::extent(asked.every));
    page::compare(&page, &accounts, whole)
}

/// Prints a summary for one peer.
fn tell(account: &Account) {
    let cases: usize = account.tallies.values().map(|tally| tally.cases).sum();
    let agreed: usize = account.tallies.values().map(|tally| tally.agreed).sum();
    println!(
        "{} {}: {cases} answers compared, {agreed} agree, {} differ in {} classes",
        account.name,
        account.version,
        cases - agreed,
        account.found.len(),
    );
    for ((encoding, mode), (count, shown)) in &account.unexplained {
        println!("  {encoding}, {}: {count} unexplained", mode.title());
        for difference in shown {
            println!("    {}", page::shown(difference));
            if difference.input.len() > 24 {
                println!("      whole input: {}", page::whole(difference));
            }
        }
    }
}
