//! Evidence from the lines before a line. A text is rarely misread in one line alone, and
//! rarely in several charsets.

use unicode_script::Script;

use crate::Charset;
use crate::cost::Weighed;
use crate::table::Table;
use crate::uniform::{Extent, Uniform};

/// For how many lines a misread line counts as near.
const NEAR: u16 = 200;
/// How many scripts are remembered.
const SCRIPTS: usize = 6;

/// Evidence from the lines before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    /// Charsets as which lines were misread, and for how many lines more they count.
    charsets: Vec<(Charset, u16)>,
    scripts: Vec<Script>,
    /// How many lines in a row were right although they are not US-ASCII.
    right: u16,
    uniform: Option<Uniform>,
    /// The columns, if the text is a table.
    pub(crate) table: Option<Table>,
}

impl Context {
    /// Whether a line nearby was misread as this charset.
    pub(crate) fn has(&self, charset: Charset) -> bool {
        self.charsets.iter().any(|(near, _)| *near == charset)
    }

    /// Whether a line nearby was misread.
    pub(crate) fn is_misread(&self) -> bool {
        !self.charsets.is_empty()
    }

    pub(crate) fn has_script(&self, script: Script) -> bool {
        self.scripts.contains(&script)
    }

    /// How many lines in a row were right.
    pub(crate) fn right(&self) -> u16 {
        self.right
    }

    /// The lines before, if line after line was misread in the same way.
    pub(crate) fn uniform(&self) -> Option<Uniform> {
        self.uniform.filter(Uniform::is_enough)
    }

    /// The charsets of the last misreading of such lines, the likeliest first.
    pub(crate) fn last_charsets(&self, uniform: Uniform) -> Vec<Charset> {
        // Lines since then may have excluded the likeliest.
        let is_near = |charset: &Charset| self.charsets.is_empty() || self.has(*charset);
        let mut charsets: Vec<Charset> = [uniform.last].into_iter().filter(is_near).collect();
        let near = self.charsets.iter().map(|(charset, _)| *charset);
        charsets.extend(near.filter(|charset| *charset != uniform.last));
        charsets
    }

    /// Replaces everything except the table.
    pub(crate) fn follow(&mut self, other: Self) {
        let table = self.table.take();
        *self = Self { table, ..other };
    }

    /// After [`add_misread`](Self::add_misread): how much of the line was misread.
    pub(crate) fn add_extent(&mut self, extent: Extent) {
        match extent {
            Extent::Whole(lines) => {
                let is_same = |known: &Uniform| {
                    known.before == lines.before
                        && (known.last == lines.last || self.has(lines.last))
                };
                let known = self.uniform.filter(is_same);
                self.uniform = Some(known.map_or(lines, |known| known.and(lines)));
            }
            Extent::Varied => {}
            Extent::Part => self.uniform = None,
        }
    }

    /// A line that is not US-ASCII was left as it is.
    pub(crate) fn add_right(&mut self) {
        self.right = self.right.saturating_add(1);
        self.uniform = None;
        self.age();
    }

    /// A line was left as it is, although it looks misread: it says nothing about others.
    pub(crate) fn add_left(&mut self) {
        self.age();
    }

    /// A line was misread as one of these charsets, or it is not known which. If lines nearby may have been
    /// misread as one of them, it is that.
    pub(crate) fn add_misread(&mut self, charsets: &[Charset]) {
        self.right = 0;
        self.age();
        if charsets.is_empty() {
            return;
        }
        let is_known = charsets.iter().any(|charset| self.has(*charset));
        if self.charsets.iter().all(|(charset, _)| charsets.contains(charset)) && is_known {
            self.charsets.iter_mut().for_each(|(_, lines)| *lines = NEAR);
            return;
        }
        let wanted = charsets.iter().filter(|charset| !is_known || self.has(**charset));
        let mut charsets: Vec<Charset> = wanted.copied().collect();
        charsets.sort_unstable();
        charsets.dedup();
        if !is_known {
            self.uniform = None;
        }
        self.charsets = charsets.into_iter().map(|charset| (charset, NEAR)).collect();
    }

    /// Remembers the scripts of a line as it is now.
    pub(crate) fn add_scripts(&mut self, characters: impl Iterator<Item = char>) {
        let scripts = characters.filter_map(|character| Weighed::new(character).script());
        self.add_families(scripts.map(family));
    }

    /// Remembers scripts, in the order in which they were seen.
    pub(crate) fn add_families(&mut self, scripts: impl Iterator<Item = Script>) {
        for script in scripts {
            if self.scripts.last() != Some(&script) {
                self.scripts.retain(|known| *known != script);
                self.scripts.push(script);
            }
        }
        let surplus = self.scripts.len().saturating_sub(SCRIPTS);
        self.scripts.drain(..surplus);
    }

    fn age(&mut self) {
        self.charsets.iter_mut().for_each(|(_, lines)| *lines -= 1);
        self.charsets.retain(|(_, lines)| *lines > 0);
    }
}

/// Scripts that are written together count as one.
pub(crate) fn family(script: Script) -> Script {
    match script {
        Script::Hiragana | Script::Katakana | Script::Bopomofo => Script::Han,
        script => script,
    }
}
