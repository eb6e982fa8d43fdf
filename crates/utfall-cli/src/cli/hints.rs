//! Hints for guessing encodings: options of `detect` and `convert -f detect`.

use clap::Args;
use utfall::Labels;
use utfall_detect::{Hints, Language};

use super::INPUT;
use crate::failure::Failure;
use crate::label;

#[derive(Args)]
pub(crate) struct HintArgs {
    /// Guess only among these encodings (comma-separated)
    ///
    /// A BOM, ASCII and valid UTF-8 are still recognized.
    #[arg(long, value_name = "ENCODINGS", value_delimiter = ',', help_heading = INPUT,
          hide_short_help = true)]
    expect: Vec<String>,

    /// Guess only charsets used for LANGUAGE, such as `ru`
    ///
    /// A BCP 47 tag, such as `ru` or `zh-Hant`. The encodings of Unicode remain candidates.
    /// docs/detect.md lists the languages and their charsets.
    #[arg(long, value_name = "LANGUAGE", value_parser = language, help_heading = INPUT,
          hide_short_help = true)]
    language: Option<Language>,
}

impl HintArgs {
    pub(crate) fn is_empty(&self) -> bool {
        self.expect.is_empty() && self.language.is_none()
    }

    /// `labels` is the vocabulary of the encodings to expect.
    pub(crate) fn hints(&self, labels: Option<Labels>) -> Result<Hints, Failure> {
        let expected: Result<Vec<_>, _> =
            self.expect.iter().map(|label| label::find(label, labels)).collect();
        let hints = Hints::default().with_language(self.language);
        Ok(match expected? {
            expected if expected.is_empty() => hints,
            expected => hints.with_expected(expected),
        })
    }
}

fn language(tag: &str) -> Result<Language, String> {
    Language::for_tag(tag).ok_or_else(|| {
        "unknown language: expected a BCP 47 tag listed in docs/detect.md, such as ru, fr or zh-Hant"
            .into()
    })
}
