//! `utfall convert` on many files, each converted separately.

mod json;
mod report;

use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use utfall_detect::{Extent, Hints, detect_file_with};
use utfall_tree::{
    Basis, ByContent, Choice, Choose, Clash, Conversion, Event, Found, Given, Journal, Keep, Locks,
    Manifest, ManifestError, Memory, Plan, Runner, Text, WalkOptions, walk,
};

use crate::cli::{ConvertArgs, OnlyIf};
use crate::config::Config;
use crate::convert::How;
use crate::failure::Failure;
use crate::guess::Verdict;
use crate::label::{self, Use};
use crate::progress::Files;
use crate::{convert, in_place, input, interrupt, kept, message, output};
use report::Report;

pub(crate) fn run(args: &ConvertArgs) -> Result<(), Failure> {
    in_place::suffix(args.tree.in_place.as_ref())?;
    let conversion = conversion(args)?;
    let config = Config::load(&args.config)?;
    let options = args.tree.walk.options_with(&config);
    let (choose, files) = choose(args, config)?;
    output::refuse_as_stdout(&input::sources(&files))?;
    let plan = plan(args, &options, &files)?;
    let keeps_old = matches!(args.tree.in_place, Some(None)) && !args.tree.no_undo;
    let keeps = keeps_old && !args.tree.writes_nothing();
    // Lock after planning: files replaced since then are noticed, and files replaced before are
    // known from the journals.
    let locks = match args.tree.in_place.is_some() && !args.tree.writes_nothing() {
        true => kept::lock(&files)?,
        false => Locks::default(),
    };
    let keeping = match keeps {
        true => Some(kept::begin(conversion.to.name(), args.tree.sync, &args.tree.keep)?),
        false => None,
    };
    let memory = match utfall_tree::state_folder() {
        Some(state) if !args.tree.again => kept::memory(&state, args.tree.ignore_damaged_runs)?,
        _ => Memory::default(),
    };
    let journal = keeping.as_ref().map(|keeping| &keeping.journal);

    let runner = Runner {
        conversion: &conversion,
        choose: &*choose,
        memory: &memory,
        journal,
        locks: &locks,
        threads: match args.threads {
            Some(threads) => threads.get(),
            None => thread::available_parallelism().map_or(1, usize::from),
        },
    };
    let mut report = Report::new(args, conversion.to);
    for trouble in &plan.troubles {
        report.trouble(trouble);
    }
    if !conversion.dry_run {
        interrupt::watch();
    }
    let removed = runner.clean(&plan);
    let mut progress = Files::new(args.tree.progress, args.quiet, plan.items.len(), plan.bytes());
    runner.run(&plan, |event| match event {
        Event::Tick(at) => progress.tick(at),
        Event::File(item, outcome) => report.file(item, &outcome, &progress),
    });
    progress.end();
    let expired = keeping.as_ref().map_or(&[][..], |keeping| &keeping.expired);
    report.end(removed, journal.and_then(Journal::kept), expired)
}

fn conversion(args: &ConvertArgs) -> Result<Conversion, Failure> {
    let tree = &args.tree;
    let mut conversion = Conversion::to(label::find_for(
        &args.to,
        args.labels.get(),
        Use::To(args.from.as_deref()),
    )?);
    conversion.options = convert::options(args)?;
    conversion.change = convert::change(args);
    conversion.only_if_needed = tree.only_if.contains(&OnlyIf::Needed);
    conversion.only_if_lossless = tree.only_if.contains(&OnlyIf::Lossless);
    let mut keep = Keep::default();
    (keep.times, keep.sync) = (tree.keep_times, tree.sync);
    conversion.keep = keep;
    conversion.dry_run = tree.writes_nothing();
    conversion.backup = tree.in_place.clone().flatten();
    Ok(conversion)
}

/// The source of the encodings, and the files.
fn choose(args: &ConvertArgs, config: Config) -> Result<(Box<dyn Choose>, Vec<PathBuf>), Failure> {
    let otherwise: Box<dyn Choose + Send> = match How::new(args)? {
        How::Said(encoding) | How::Configured(encoding) => {
            Box::new(Given { encoding, force: args.tree.force })
        }
        How::ByContent => Box::new(Configured { config, force: args.tree.force }),
        How::Guessed(guess) => Box::new(guess),
    };
    if args.files.iter().any(|file| file == Path::new("-")) {
        return Err(Failure::Usage("--in-place cannot be used with standard input".into()));
    }
    let Some(path) = &args.tree.manifest else {
        return match args.files.is_empty() {
            true => Err(Failure::UsageWithHelp {
                text: "no FILE given".into(),
                help: "use . for all files in this directory".into(),
            }),
            false => Ok((otherwise, args.files.clone())),
        };
    };
    let name = message::path(path);
    let manifest = Manifest::read(path, otherwise).map_err(|error| match error {
        ManifestError::Io(error) => Failure::io(|| format!("cannot read {name}"))(error),
        ManifestError::Line(line, text) => Failure::Usage(format!("{name}:{line}: {text}")),
        other => Failure::Usage(format!("{name}: {other}")),
    })?;
    let files = match args.files.is_empty() {
        true => manifest.files().to_vec(),
        false => args.files.clone(),
    };
    Ok((Box::new(manifest), files))
}

/// The encoding from utfall.toml, unless the bytes contradict it; otherwise from the content: a BOM, or
/// valid UTF-8.
struct Configured {
    config: Config,
    /// Do not check for a contradiction.
    force: bool,
}

impl Choose for Configured {
    fn choose(&self, file: &Found, text: &mut dyn Text) -> io::Result<Choice> {
        match self.config.encoding_of(&file.path) {
            Some(encoding) => {
                Ok(match (Given { encoding, force: self.force }).choose(file, text)? {
                    Choice::Known(encoding, _) => Choice::Known(encoding, Basis::Configured),
                    choice => choice,
                })
            }
            None => match ByContent.choose(file, text)? {
                Choice::Unknown(_) => Ok(Choice::Unknown(best_guess(text)?)),
                choice => Ok(choice),
            },
        }
    }
}

/// The suggestion for a file whose encoding is unknown.
fn best_guess(text: &mut dyn Text) -> io::Result<String> {
    let candidates = detect_file_with(text, Extent::Sample, &Hints::default())?.candidates;
    let verdict = Verdict::on(&candidates, None);
    let instead = match verdict.to_try() {
        // That would be for all files.
        Some(best) => format!("-f detect, --manifest or `-f {}`", message::shell_word(best.name())),
        None => "--manifest or -f".into(),
    };
    Ok(format!("{}; try {instead}", verdict.best_guess()))
}

fn plan(args: &ConvertArgs, options: &WalkOptions, files: &[PathBuf]) -> Result<Plan, Failure> {
    let find = |files: &[PathBuf]| {
        walk(files, options).map_err(|text| Failure::Usage(format!("--glob: {text}")))
    };
    let Some(folder) = &args.tree.output_dir else {
        let suffix = args.tree.in_place.as_ref().and_then(Option::as_deref);
        return Ok(Plan::in_place(output::without_stdout(find(files)?), suffix));
    };
    // An invalid glob is invalid in every directory, so it is reported once.
    find(&[])?;
    let find = |file: &PathBuf| match walk(std::slice::from_ref(file), options) {
        Ok(found) => output::without_stdout(found).collect(),
        Err(_) => Vec::new(),
    };
    Plan::into_folder(files, find, folder).map_err(|clash| match clash {
        Clash::OneOutput(one, other) => {
            let (one, other) = (message::path(&one), message::path(&other));
            Failure::Usage(format!("{one} and {other} would become one file"))
        }
        Clash::InOutput(path) => Failure::UsageWithHelp {
            text: format!("{} is in the output directory", message::path(&path)),
            help: "choose another --output-dir, or convert with --in-place".into(),
        },
    })
}
