//! What is known of files whose encoding is guessed: flags of `detect` and `convert -f detect`.

use clap::Args;
use utfall_detect::{Hints, Language};

use crate::failure::Failure;
use crate::label;

#[derive(Args)]
pub(crate) struct HintArgs {
    /// Guess only among these encodings; a BOM, ASCII and valid UTF-8 are still recognised
    #[arg(long, value_name = "ENC,…", value_delimiter = ',')]
    expect: Vec<String>,

    /// Of the charsets before Unicode, guess only among those used for LANG, such as `ru` or `zh-Hant`
    ///
    /// A BCP 47 tag. docs/detect.md lists the languages and their charsets.
    #[arg(long, value_name = "LANG", value_parser = language)]
    language: Option<Language>,
}

impl HintArgs {
    pub(crate) fn is_empty(&self) -> bool {
        self.expect.is_empty() && self.language.is_none()
    }

    pub(crate) fn hints(&self) -> Result<Hints, Failure> {
        let expected: Result<Vec<_>, _> =
            self.expect.iter().map(|label| label::find(label)).collect();
        let expected = Some(expected?).filter(|expected| !expected.is_empty());
        Ok(Hints { expected, language: self.language })
    }
}

fn language(tag: &str) -> Result<Language, String> {
    Language::for_tag(tag).ok_or_else(|| {
        "unknown language: expected a BCP 47 tag listed in docs/detect.md, such as ru, fr or zh-Hant"
            .into()
    })
}
