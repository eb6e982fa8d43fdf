//! `utfall check`: every problem of every file, in one pass and bounded memory.

mod baseline;
mod concealed;
mod github;
mod json;
mod pool;
mod report;
mod rules;
mod sarif;
mod scan;
mod text;

use std::fs::Metadata;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use utfall::hidden::Finder;
use utfall::lines::Position;
use utfall::lint::{Finding, Newlines, Rule, Rules};
use utfall::{Encoding, Utf7Tolerance};
use utfall_bind::check::{Described, describe};
use utfall_bind::generation::Generation;

use crate::cli::CheckArgs;
use crate::config::Config;
use crate::excerpt::Around;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::input::{self, Source};
use crate::likely::{Advice, Likely, Origin};
use crate::progress::Reading;
use crate::{label, lenience, mbox, message, output};

use baseline::Baseline;
use concealed::{Concealed, Search};
use json::names;
use report::{Detail, Problem, Report, Total};
use rules::{Level, Levels};
pub(crate) use rules::{WARNINGS, concealed as concealed_kinds, is_rule};
use scan::{Event, Found, Scan, Task};

/// Checks the files that the arguments name. `is_nothing`: they name only an empty list of files.
pub(crate) fn run(args: &CheckArgs, is_nothing: bool) -> Result<(), Failure> {
    output::refuse_as_stdout(&input::sources(&args.files))?;
    let config = Config::load(&args.config)?;
    let levels = Levels::new(args, &config);
    let lint = levels.told().map(|rule| (rule.name(), rule.to_string()));
    let kinds = levels.told_concealed().map(|kind| (kind.name(), kind.to_string()));
    let titles = lint.chain(kinds).map(|(name, title)| (name, title, levels.of(name)));
    let report = Report::new(args, titles)?;
    let utf7_tolerance = lenience::allowed(&args.utf7_allow)?;
    let from = label::find_from(args.from.as_deref(), args.labels.get())?;
    let concealed = search(args, &levels, from)?;
    let baseline = baseline(args, &config)?;
    let scan = Scan {
        from,
        // The report always says whether a file is well-formed.
        rules: levels.told().collect::<Rules>().with(Rule::IllFormed),
        utf7_tolerance,
        json_escapes: args.json_escapes,
        // A scan does not know the baseline, so it cannot find the first problem that is new.
        all: report.all || baseline.is_some(),
        concealed,
        keeps_text: report.shows_text(),
    };
    let mut check = Check {
        report,
        levels,
        is_quiet: args.quiet,
        is_given: from.is_some(),
        has_leniences: !utf7_tolerance.is_empty(),
        concealed,
        config: &config,
        said: [&args.rule[..], &args.deny].concat(),
        baseline,
        file: None,
    };
    let threads = args.threads.or_else(|| thread::available_parallelism().ok());
    let threads = threads.map_or(1, NonZero::get);

    if !is_nothing {
        input::tell_of_terminal(&args.files);
    }
    let progress = progress(args);
    let mut troubles = Vec::new();
    let inputs = inputs(args, &config, is_nothing)?;
    let tasks = inputs.filter_map(|input| match input {
        Ok((source, is_named)) => {
            let from = source.as_deref().and_then(|path| config.encoding_of(path));
            let mut tasks = scan.tasks(source, is_named, from);
            tasks.iter_mut().for_each(|task| task.progress.clone_from(&progress));
            Some(tasks)
        }
        Err(trouble) => {
            troubles.push(trouble);
            None
        }
    });
    pool::run(scan, tasks.flatten(), threads, |task, event| match (&progress, &event) {
        // Hide the bar while something is written to the terminal: a problem, or the summary of
        // the previous file.
        (Some(progress), Event::Found(_) | Event::Concealed(..) | Event::Begin) => {
            progress.around(|| {
                check.event(task, event)?;
                check.report.flush()
            })
        }
        _ => check.event(task, event),
    })?;
    drop(progress);
    check.end_file()?;
    for (source, failure) in troubles {
        check.report.unreadable(&source, &failure)?;
    }
    let baseline = check.baseline.take();
    check.end(args.allow_empty)?;
    baseline.map_or(Ok(()), |baseline| baseline.end(&input::sources(&args.files)))
}

/// The progress of checking a large file, or several.
fn progress(args: &CheckArgs) -> Option<Reading> {
    let is_shown = !args.quiet && !args.files.is_empty();
    let size = |file: &PathBuf| file.metadata().ok().filter(Metadata::is_file).map(|it| it.len());
    match &args.files[..] {
        _ if !is_shown => None,
        [file] if !file.is_dir() => size(file).and_then(Reading::of_file),
        _ => Reading::of_files(),
    }
}

/// The baseline to compare with or to write.
fn baseline(args: &CheckArgs, config: &Config) -> Result<Option<Baseline>, Failure> {
    match (&args.write_baseline, args.baseline.as_ref().or(config.check.baseline.as_ref())) {
        (Some(path), _) => Ok(Some(Baseline::to_write(path))),
        (None, Some(path)) => Baseline::read(path).map(Some),
        (None, None) => Ok(None),
    }
}

/// Whether to search for concealed text.
fn search(args: &CheckArgs, levels: &Levels, from: Option<Encoding>) -> Result<Search, Failure> {
    if levels.told_concealed().next().is_none() {
        return Ok(Search::No);
    }
    match from {
        Some(from) if Finder::new(from).is_none() => {
            Err(Failure::Usage(format!("no way to conceal text in {from} is known")))
        }
        _ if args.mail => Ok(Search::Mail),
        _ => Ok(Search::Yes),
    }
}

type Named = Result<(Source, bool), (Source, Failure)>;

/// The inputs that FILE… names: each source, with whether it was named explicitly, or the failure
/// to read it.
fn inputs(
    args: &CheckArgs,
    config: &Config,
    is_nothing: bool,
) -> Result<impl Iterator<Item = Named>, Failure> {
    let has_files = is_nothing || !args.files.is_empty();
    let files = utfall_tree::walk(&args.files, &args.walk.options_with(config));
    let files = files.map_err(|error| Failure::Usage(format!("--glob: {error}")))?;
    let files = output::without_stdout(files).map(|file| match file {
        Ok(file) => {
            let is_stdin = file.is_named && file.path.as_os_str() == "-";
            Ok(((!is_stdin).then_some(file.path), file.is_named))
        }
        Err(trouble) => {
            let name = trouble.path.as_deref().map_or_else(|| "directory".into(), message::path);
            let failure = Failure::Io { what: format!("cannot read {name}"), error: trouble.error };
            Err((trouble.path, failure))
        }
    });
    let stdin = (!has_files).then_some(Ok((None, true)));
    Ok(stdin.into_iter().chain(files))
}

/// A check in progress.
struct Check<'c> {
    report: Report,
    levels: Levels,
    is_quiet: bool,
    /// Whether `-f` is given.
    is_given: bool,
    /// Whether `--utf7-allow` is given.
    has_leniences: bool,
    concealed: Search,
    config: &'c Config,
    /// Rules named in flags, which apply whatever the configuration allows.
    said: Vec<String>,
    baseline: Option<Baseline>,
    /// The input that is being checked.
    file: Option<File>,
}

/// The state of the check of one input.
struct File {
    source: Source,
    name: String,
    is_named: bool,
    encoding: Encoding,
    /// Whether the encoding was determined by a BOM.
    by_mark: bool,
    is_binary: bool,
    failure: Option<Failure>,
    bytes: u64,
    /// Lines in the parts checked so far.
    lines: u64,
    newlines: Newlines,
    unended: Option<Finding>,
    ill_formed: u64,
    /// The likely encoding, detected around the first error. The inner value is `None` if no
    /// encoding is likely.
    likely: Option<Option<Likely>>,
    errors: u64,
    warnings: u64,
    /// How many of these errors and warnings have been shown.
    shown: u64,
    /// The rules that have findings.
    seen: Vec<&'static str>,
    /// Rules to ignore in this file.
    allowed: Vec<String>,
    /// Ill-formed sequences that the baseline lists.
    known_ill_formed: u64,
    passed: (u64, Utf7Tolerance),
    /// The number of places where text is concealed.
    concealed: u64,
    is_mail: bool,
    too_long: u64,
    /// The UTF-8 specifications that accept the text; `None` if the encoding is not UTF-8.
    generation: Option<Generation>,
    /// The end of the text, if text is saved for excerpts.
    last: Option<Around>,
}

impl Check<'_> {
    fn event(&mut self, task: &Task, event: Event) -> Result<(), Failure> {
        if matches!(event, Event::Begin) {
            self.end_file()?;
            let allowed = task.source.as_deref().map(|path| self.config.allowed_in(path));
            let allowed = allowed.unwrap_or_default().into_iter().map(str::to_owned);
            let allowed = allowed.filter(|rule| !self.said.contains(rule)).collect();
            self.file = Some(File::new(task, allowed));
        }
        // Events after a failure are unreliable.
        let Some(mut file) = self.file.take_if(|file| file.failure.is_none()) else {
            return Ok(());
        };
        match event {
            Event::Begin => {}
            Event::Encoding(encoding, by_mark) => {
                (file.encoding, file.by_mark) = (encoding, by_mark);
                file.generation = (encoding == Encoding::Utf8).then(Generation::default);
            }
            Event::Binary => file.is_binary = true,
            Event::Failed(failure) => file.failure = Some(failure),
            Event::Found(found) => {
                let Found { mut finding, bytes, around } = *found;
                finding.position.line += file.lines;
                self.found(&mut file, finding, &bytes, around.as_ref())?;
            }
            Event::Concealed(found, around) => {
                self.concealed(&mut file, &found, around.as_ref())?;
            }
            Event::End(done) => {
                for (rule, count) in Rule::ALL.iter().zip(&done.unsent) {
                    let level = self.level(&file, rule.name());
                    file.count(*rule, level, *count);
                    self.report.count(level, *count);
                }
                for (rule, count) in &done.unsent_concealed {
                    let level = self.level(&file, rule);
                    file.count_concealed(level, *count);
                    self.report.count(level, *count);
                }
                (file.is_mail, file.too_long) = (done.is_mail, done.too_long);
                file.likely = file.likely.or(done.likely);
                file.newlines.append(&done.newlines, file.lines);
                if let Some(mut unended) = done.unended {
                    unended.position.line += file.lines;
                    file.unended = Some(unended);
                }
                file.last = done.last;
                file.bytes += done.bytes;
                file.lines += done.lines;
                file.passed.0 += done.passed;
                file.passed.1 |= done.leniences;
            }
        }
        self.file = Some(file);
        Ok(())
    }

    fn found(
        &mut self,
        file: &mut File,
        finding: Finding,
        bytes: &[u8],
        around: Option<&Around>,
    ) -> Result<(), Failure> {
        let rule = finding.rule;
        let place = (finding.position.line, finding.offset);
        let level = self.level(file, rule.name());
        let is_known = level != Level::Off && self.knows(file, rule.name(), place);
        if is_known && rule == Rule::IllFormed {
            file.known_ill_formed += 1;
        }
        file.count(rule, if is_known { Level::Off } else { level }, 1);
        let Described { message, clause, detail } = describe(file.encoding, &finding, bytes);
        if let (Some(generation), Detail::IllFormed { sequence: Some(sequence), .. }) =
            (&mut file.generation, &detail)
        {
            let Position { line, column } = finding.position;
            generation.add(sequence, &format!("line {line}, column {column}"));
        }
        let problem = Problem {
            source: &file.source,
            file: &file.name,
            encoding: file.encoding,
            around,
            rule: rule.name(),
            level,
            position: finding.position,
            offset: finding.offset,
            length: finding.length,
            message,
            clause,
            detail,
        };
        if !is_known {
            let is_first = !file.seen.contains(&problem.rule);
            file.shown += u64::from(self.report.problem(&problem, is_first)?);
            file.see(rule.name());
        }
        Ok(())
    }

    /// The level of a rule in a file.
    fn level(&self, file: &File, rule: &str) -> Level {
        match file.allowed.iter().any(|allowed| allowed == rule) {
            true => Level::Off,
            false => self.levels.of(rule),
        }
    }

    /// Whether a problem is in the baseline. A new baseline adds it.
    fn knows(&mut self, file: &File, rule: &str, place: (u64, u64)) -> bool {
        let Some(baseline) = &mut self.baseline else { return false };
        let is_known = baseline.knows(&file.source, rule, place);
        self.report.total.known += u64::from(is_known);
        is_known
    }

    fn concealed(
        &mut self,
        file: &mut File,
        found: &Concealed,
        around: Option<&Around>,
    ) -> Result<(), Failure> {
        let level = self.level(file, found.rule);
        let place = (found.position.line, found.offset);
        if level == Level::Off || self.knows(file, found.rule, place) {
            return Ok(());
        }
        file.count_concealed(level, 1);
        let is_first = !file.seen.contains(&found.rule);
        let problem = Problem {
            source: &file.source,
            file: &file.name,
            encoding: file.encoding,
            around,
            rule: found.rule,
            level,
            position: found.position,
            offset: found.offset,
            length: found.length,
            message: found.message.clone(),
            clause: found.reason,
            detail: Detail::Concealed { text: &found.text },
        };
        file.shown += u64::from(self.report.problem(&problem, is_first)?);
        file.see(found.rule);
        Ok(())
    }

    /// The summary of the input that has been checked.
    fn end_file(&mut self) -> Result<(), Failure> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        if file.is_binary {
            self.report.total.binary += 1;
            return Ok(());
        }
        self.report.total.files += 1;
        if let Some(failure) = &file.failure {
            self.report.total.failed += u64::from(file.ill_formed > 0);
            return self.report.unreadable(&file.source, failure);
        }
        let last = file.last.take();
        for finding in file.newlines.finding().into_iter().chain(file.unended.take()) {
            let last = last.as_ref().filter(|last| finding.offset >= last.offset);
            let place = (finding.offset, finding.length);
            let around = last.map(|it| Around::of(&it.bytes, it.offset, place, &it.start));
            self.found(&mut file, finding, &[], around.as_ref())?;
        }
        self.report.total.failed += u64::from(file.ill_formed > 0);
        self.report.total.concealing += u64::from(file.concealed > 0);
        if file.too_long > 0 {
            self.report.total.unreadable += 1;
            let count = message::count(file.too_long, "message");
            let (name, most) = (&file.name, mbox::LONGEST >> 20);
            message::error(&format!(
                "{name}: {count} of more than {most} MiB not searched for concealed text"
            ));
        }
        // Files in directories are listed only if they have problems.
        let is_named = file.is_named && !self.is_quiet;
        // Ill-formed sequences that are known or allowed are not reported.
        let is_excused = file.ill_formed == file.known_ill_formed
            || file.allowed.iter().any(|rule| rule == Rule::IllFormed.name());
        let is_listed = is_named || file.errors + file.warnings + file.too_long > 0 || !is_excused;
        let text = is_listed.then(|| self.summary(&file));
        let likely = file.likely.flatten().filter(|_| !is_excused);
        let passed = self.has_leniences.then_some(file.passed);
        self.report.file(
            text,
            likely.map(|likely| self.advice(likely, &file)),
            &json::File {
                file: FileName::of_source(&file.source),
                encoding: Some(file.encoding.name()),
                bytes: Some(file.bytes),
                errors: Some(file.errors),
                warnings: (file.warnings > 0).then_some(file.warnings),
                valid: Some(file.ill_formed == 0),
                allowed: passed.map(|(count, _)| count),
                allowed_by: passed.map(|(_, by)| by.names().collect()),
                accepted_by: file
                    .generation
                    .as_ref()
                    .map(|generation| names(generation.satisfied())),
                explanation: file.generation.as_ref().map(Generation::sentence),
                likely: likely.map(Likely::object),
                read_as: file.is_mail.then_some("mail"),
                concealed: (self.concealed != Search::No).then_some(file.concealed),
                skipped_messages: (file.too_long > 0).then_some(file.too_long),
                ..json::File::default()
            },
        )
    }

    /// The suggestion for a file that looks like another encoding.
    fn advice(&self, likely: Likely, file: &File) -> String {
        let configured = file.source.as_deref().and_then(|path| self.config.encoding_of(path));
        let origin = match configured {
            Some(_) if !self.is_given => Origin::Config,
            _ => Origin::Option,
        };
        let advice = likely.advice(file.encoding, origin);
        // In other encodings no way to conceal text is known, so --concealed would be an error.
        let is_searchable = Finder::new(likely.encoding()).is_some();
        match self.concealed {
            Search::No => advice,
            _ if is_searchable => advice,
            _ => advice + " without --concealed",
        }
    }

    fn summary(&self, file: &File) -> String {
        let File { name, encoding, errors, warnings, shown, .. } = file;
        let by_mark = if file.by_mark { " (by its BOM)" } else { "" };
        let not = if file.ill_formed > 0 { "not " } else { "" };
        let mut text = format!("{name}: {not}well-formed {encoding}{by_mark}");
        let counts = [(*errors, "problem"), (*warnings, "warning")];
        for (at, (count, what)) in counts.iter().filter(|(count, _)| *count > 0).enumerate() {
            let sign = if at == 0 { ":" } else { "," };
            text += &format!("{sign} {}", message::count(*count, what));
        }
        if *shown < errors + warnings && !self.report.all {
            let of_each = if *shown > 1 { " of each kind" } else { "" };
            text += &format!(", the first{of_each} is shown, --all shows all");
        }
        let in_mail = if file.is_mail { " (mail)" } else { "" };
        match (self.concealed, file.concealed) {
            (Search::No, _) => {}
            (_, 0) if file.too_long > 0 => text += "; no concealed text in what was searched",
            (_, 0) => text += &format!("; no concealed text{in_mail}"),
            (_, places) => {
                let places = message::count(places, "place");
                text += &format!("; concealed text in {places}{in_mail}");
            }
        }
        if let (true, (count @ 1.., by)) = (self.has_leniences, file.passed) {
            text += &format!("; {}", lenience::passed(count, by));
        }
        if let Some(generation) = &file.generation {
            text += &format!("; {}", generation.sentence());
        }
        text
    }

    /// Writes the total. Returns the outcome of the command.
    fn end(self, allow_empty: bool) -> Result<(), Failure> {
        let total = self.report.total;
        let Total { files, errors, warnings, failed, concealing, unreadable, binary, .. } = total;
        let outcome = match (unreadable, errors) {
            (0, 0) if files + binary == 0 && !allow_empty => Err(Failure::UsageWithHelp {
                text: "no files to check: everything is ignored, hidden or excluded, or \
                       nothing is there"
                    .into(),
                help: "--no-ignore and --hidden include more; --allow-empty accepts an empty \
                       check"
                    .into(),
            }),
            (0, 0) => Ok(()),
            (0, _) => Err(Failure::IllFormed),
            _ => Err(Failure::Unreadable),
        };
        let (count, problems) = (message::count(files, "file"), message::count(errors, "problem"));
        let mut text = format!("total: {count}, {failed} ill-formed, {problems}");
        if warnings > 0 {
            text += &format!(", {}", message::count(warnings, "warning"));
        }
        if concealing > 0 {
            text += &format!(", {concealing} with concealed text");
        }
        if unreadable > 0 {
            text += &format!(", {unreadable} unreadable");
        }
        let summary = json::Summary {
            files,
            errors: Some(errors),
            warnings: (warnings > 0).then_some(warnings),
            invalid_files: Some(failed),
            files_with_concealed_text: (self.concealed != Search::No).then_some(concealing),
            unreadable_files: unreadable,
            ..json::Summary::default()
        };
        self.report.end(text, summary, outcome)
    }
}

impl File {
    fn new(task: &Task, allowed: Vec<String>) -> Self {
        Self {
            source: task.source.clone(),
            name: input::name(&task.source),
            is_named: task.is_named,
            encoding: Encoding::Utf8,
            by_mark: false,
            is_binary: false,
            failure: None,
            bytes: 0,
            lines: 0,
            newlines: Newlines::default(),
            unended: None,
            ill_formed: 0,
            likely: None,
            errors: 0,
            warnings: 0,
            shown: 0,
            seen: Vec::new(),
            allowed,
            known_ill_formed: 0,
            passed: (0, Utf7Tolerance::NONE),
            concealed: 0,
            is_mail: false,
            too_long: 0,
            generation: None,
            last: None,
        }
    }

    fn count(&mut self, rule: Rule, level: Level, count: u64) {
        self.ill_formed += if rule == Rule::IllFormed { count } else { 0 };
        self.weigh(level, count);
    }

    /// Records that a rule has a finding.
    fn see(&mut self, rule: &'static str) {
        if !self.seen.contains(&rule) {
            self.seen.push(rule);
        }
    }

    fn count_concealed(&mut self, level: Level, count: u64) {
        self.concealed += if level == Level::Off { 0 } else { count };
        self.weigh(level, count);
    }

    fn weigh(&mut self, level: Level, count: u64) {
        match level {
            Level::Error => self.errors += count,
            Level::Warning => self.warnings += count,
            Level::Off => {}
        }
    }
}
