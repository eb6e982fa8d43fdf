//! One charset for a line, since the places of a line are rarely misread in different ways. If several
//! charsets explain all of them, the letters and words of languages decide.

use crate::Charset;
use crate::chain::Step;
use crate::charset::marks;
use crate::context::{Context, family};
use crate::cost::{NOTHING, Weighed};
use crate::search::{DOUBT, DOUBT_OF_CHANGE, DOUBT_OF_GROUP, Found, MARGIN, NEAR};
use crate::spelling::Languages;
use crate::uniform;
use unicode_script::Script;

/// For a charset that is more than so many bits less likely than the first.
const DOUBT_OF_RARE: i32 = 4;
const RARE: i32 = 5;
/// For a small letter at the start of a line.
const DOUBT_OF_SMALL: i32 = 2;
/// With this many bits, a change is made.
const SURE: i32 = 4;

/// A way to restore a line.
struct Reading {
    /// Empty for the findings of the search if no single charset makes them.
    found: Vec<Found>,
    charsets: Vec<Charset>,
    /// The restored line, and which of its characters are restored.
    text: Vec<char>,
    is_restored: Vec<bool>,
}

impl Reading {
    fn new(line: &[char], found: &[Found], charsets: Vec<Charset>) -> Self {
        let (mut text, mut is_restored, mut at) = (Vec::new(), Vec::new(), 0);
        for found in found {
            text.extend(&line[at..found.begin]);
            is_restored.resize(text.len(), false);
            text.extend(found.text.iter().map(|(_, character)| *character));
            is_restored.resize(text.len(), true);
            at = found.end;
        }
        text.extend(&line[at..]);
        is_restored.resize(text.len(), false);
        Self { found: Vec::new(), charsets, text, is_restored }
    }

    /// The cost of the text, and the doubts about the charsets, and about the letters together.
    fn cost(&self, languages: &Languages, context: &Context) -> i32 {
        let of_letters = languages.doubt(&self.text, |index| self.is_restored[index]);
        let start = self.text.iter().find(|character| !character.is_whitespace());
        let small = start.is_some_and(|start| start.is_lowercase());
        // One charset is enough for a new reading.
        let charsets = match self.found.is_empty() {
            true => &self.charsets[..],
            false => &self.charsets[..1],
        };
        let priors: i32 = charsets.iter().map(|charset| prior(*charset, context)).sum();
        cost(&self.text)
            + of_letters
            + priors
            + (charsets.len() as i32 - 1) * DOUBT_OF_CHANGE
            + if small { DOUBT_OF_SMALL } else { 0 }
    }
}

/// Restores a line in one charset if one explains every character beyond US-ASCII, and returns the
/// charsets that restore the same. `None` if `found` is better, or the same and sure.
pub(crate) fn unite(
    line: &[char],
    found: &mut Vec<Found>,
    context: &Context,
) -> Option<Vec<Charset>> {
    let mut charsets: Vec<Charset> = Vec::new();
    for found in found.iter() {
        let [Step::Misread { charset, loss: None }] = found.chain.steps() else { return None };
        if !charsets.contains(charset) {
            charsets.push(*charset);
        }
    }
    let least = found.iter().map(|found| found.bits).min()?;
    let others = line.iter().filter(|character| **character >= '\u{80}');
    let sets = others.map(|character| marks(*character));
    let all = sets.fold(u64::MAX, |all, sets| all & (sets.lead | sets.more));
    let mut all: Vec<Charset> = Charset::of_set(all).collect();
    all.sort_by_key(|charset| prior(*charset, context));
    let scripts = scripts(found);
    let mut readings: Vec<Reading> = Vec::new();
    for charset in all {
        let Some(whole) = uniform::whole(line, 0, &[charset], 0) else { continue };
        if !whole.iter().all(|found| is_credible(found, &scripts, context)) {
            continue;
        }
        let reading = Reading::new(line, &whole, vec![charset]);
        match readings.iter_mut().find(|other| other.text == reading.text) {
            Some(same) => same.charsets.push(charset),
            None => readings.push(Reading { found: whole, ..reading }),
        }
    }
    let current = Reading::new(line, found, charsets);
    let text = current.text.clone();
    if !readings.iter().any(|reading| reading.text == current.text) {
        readings.push(current);
    }
    if readings.len() < 2 {
        return None;
    }
    let languages = Languages::of(&text);
    let costs = readings.into_iter().map(|reading| (reading.cost(&languages, context), reading));
    let mut costs: Vec<(i32, Reading)> = costs.collect();
    costs.sort_by_key(|(cost, _)| *cost);
    let margin = costs[1].0 - costs[0].0;
    let (_, best) = costs.swap_remove(0);
    if best.found.is_empty() || best.text == text && least.min(margin) >= SURE {
        return None;
    }
    let doubt = DOUBT + DOUBT_OF_GROUP * best.found.len() as i32 + prior(best.charsets[0], context);
    let bits = (cost(line) - cost(&best.text) - doubt).min(margin);
    *found = best.found;
    found.iter_mut().for_each(|found| found.bits = bits);
    Some(if margin >= MARGIN { best.charsets } else { Vec::new() })
}

/// Whether restored text may be in a line with these scripts.
fn is_credible(found: &Found, scripts: &[Script], context: &Context) -> bool {
    let mut before = NOTHING;
    found.text.iter().all(|(_, character)| {
        let weighed = Weighed::new(*character);
        let last = std::mem::replace(&mut before, weighed);
        let is_known = |script| {
            script == Script::Latin || scripts.contains(&script) || context.has_script(script)
        };
        weighed.is_credible()
            && !weighed.is_lone_mark(last)
            && weighed.script().map(family).is_none_or(is_known)
    })
}

/// The scripts of restored text.
fn scripts(found: &[Found]) -> Vec<Script> {
    let text = found.iter().flat_map(|found| &found.text);
    text.filter_map(|(_, character)| Weighed::new(*character).script()).map(family).collect()
}

/// How many bits less likely a charset is than the first, after the lines nearby.
fn prior(charset: Charset, context: &Context) -> i32 {
    let rare = if charset.prior() > RARE { DOUBT_OF_RARE } else { 0 };
    match () {
        () if context.has(charset) => -NEAR,
        () if context.is_misread() => charset.prior() + rare + DOUBT_OF_CHANGE,
        () => charset.prior() + rare,
    }
}

fn cost(text: &[char]) -> i32 {
    let (mut sum, mut before) = (0, [NOTHING; 2]);
    for weighed in text.iter().map(|character| Weighed::new(*character)).chain([NOTHING]) {
        sum += weighed.cost(before);
        before = [weighed, before[0]];
    }
    sum
}
