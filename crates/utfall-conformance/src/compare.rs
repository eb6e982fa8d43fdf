//! Asks all peers, and compares their answers.

use std::collections::BTreeMap;

use utfall::Encoding;

use crate::answer::{Answer, Input, Mode};
use crate::cases::Cases;
use crate::classes::{self, Learned, Rule};
use crate::labels::{encodings, label};
use crate::ours;
use crate::peer::Peer;

/// Number of inputs in one question.
const AT_ONCE: usize = 2048;

/// One input with two different answers.
#[derive(Clone)]
pub(crate) struct Difference {
    pub(crate) encoding: Encoding,
    pub(crate) mode: Mode,
    pub(crate) input: Input,
    pub(crate) ours: Answer,
    pub(crate) theirs: Answer,
}

/// The number of inputs compared, and of answers that agree.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) cases: usize,
    pub(crate) agreed: usize,
}

/// Differences of one class.
pub(crate) struct Found {
    pub(crate) rule: &'static Rule,
    pub(crate) counts: BTreeMap<Encoding, usize>,
    /// The shortest.
    pub(crate) example: Difference,
}

/// The results for one peer.
pub(crate) struct Account {
    pub(crate) name: &'static str,
    pub(crate) version: String,
    pub(crate) tallies: BTreeMap<(Encoding, Mode), Tally>,
    /// By the index of the rule.
    pub(crate) found: BTreeMap<usize, Found>,
    /// Differences without a class: how many, and the shortest ones.
    pub(crate) unexplained: BTreeMap<(Encoding, Mode), (usize, Vec<Difference>)>,
    /// Known differences of the table of the current encoding.
    learned: Learned,
}

/// The part to compare.
pub(crate) struct Part {
    pub(crate) only: Option<Encoding>,
    /// How many differences without a class to show.
    pub(crate) show: usize,
}

/// Asks all peers all questions.
pub(crate) fn all(peers: Vec<Peer>, cases: &Cases, part: &Part) -> Result<Vec<Account>, String> {
    let account = |peer: &Peer| Account {
        name: peer.name,
        version: peer.version.clone(),
        tallies: BTreeMap::new(),
        found: BTreeMap::new(),
        unexplained: BTreeMap::new(),
        learned: Learned::default(),
    };
    let mut asked: Vec<(Account, Peer)> =
        peers.into_iter().map(|peer| (account(&peer), peer)).collect();
    for encoding in encodings().filter(|known| part.only.is_none_or(|only| only == *known)) {
        let bytes = cases.bytes(encoding);
        asked.iter_mut().for_each(|(account, _)| account.learned = Learned::default());
        for mode in Mode::ALL {
            let has = |(_, peer): &(_, Peer)| label(peer.name, encoding, mode).is_some();
            if !asked.iter().any(has) {
                continue;
            }
            let (marked, points);
            let inputs = match mode {
                Mode::Strict | Mode::Replace => &bytes,
                Mode::Mark => {
                    marked = with_marks(encoding, &bytes);
                    &marked
                }
                Mode::Encode => {
                    points = cases.points(encoding);
                    &points
                }
            };
            for inputs in inputs.chunks(AT_ONCE) {
                compare(&mut asked, encoding, mode, inputs, part.show)?;
            }
        }
    }
    Ok(asked.into_iter().map(|(account, _)| account).collect())
}

/// Some of the inputs, each without a mark, after one mark, and after two.
fn with_marks(encoding: Encoding, bytes: &[Input]) -> Vec<Input> {
    let mark = encoding.info().signature;
    let some = bytes.iter().enumerate().filter(|(at, _)| *at < 70_000 || at % 97 == 0);
    some.flat_map(|(_, input)| {
        [input.clone(), [mark, input].concat(), [mark, mark, input].concat()]
    })
    .collect()
}

fn compare(
    asked: &mut [(Account, Peer)],
    encoding: Encoding,
    mode: Mode,
    inputs: &[Input],
    show: usize,
) -> Result<(), String> {
    for (_, peer) in asked.iter_mut() {
        if let Some(label) = label(peer.name, encoding, mode) {
            peer.ask(mode, label, inputs)?;
        }
    }
    let ours: Vec<Answer> =
        inputs.iter().map(|input| ours::answer(mode, encoding, input)).collect();
    for (account, peer) in asked.iter_mut() {
        if label(peer.name, encoding, mode).is_none() {
            continue;
        }
        let theirs = peer.answers(inputs.len())?;
        for ((input, ours), theirs) in inputs.iter().zip(&ours).zip(theirs) {
            if theirs == Answer::NotAsked {
                continue;
            }
            let tally = account.tallies.entry((encoding, mode)).or_default();
            tally.cases += 1;
            if ours.agrees(&theirs) {
                tally.agreed += 1;
                continue;
            }
            let (input, ours) = (input.clone(), ours.clone());
            account.differs(Difference { encoding, mode, input, ours, theirs }, show);
        }
    }
    Ok(())
}

impl Account {
    /// Assigns a difference to its class.
    fn differs(&mut self, difference: Difference, show: usize) {
        let (encoding, mode) = (difference.encoding, difference.mode);
        self.learned.learn(&difference);
        let Some((place, rule)) = classes::class(self.name, &difference, &self.learned) else {
            let (count, shown) = self.unexplained.entry((encoding, mode)).or_default();
            *count += 1;
            if shown.len() < show {
                shown.push(difference);
            }
            return;
        };
        let shorter = |found: &Found| difference.input.len() < found.example.input.len();
        let found = self.found.entry(place).or_insert_with(|| Found {
            rule,
            counts: BTreeMap::new(),
            example: difference.clone(),
        });
        *found.counts.entry(encoding).or_default() += 1;
        if shorter(found) {
            found.example = difference;
        }
    }
}
