//! The vocabulary of encoding names: an option of every subcommand that takes one.

use clap::{Args, ValueEnum};
use serde::Deserialize;
use utfall::Labels;

use super::INPUT;

#[derive(Args)]
pub(crate) struct LabelArgs {
    /// Read encoding names as WHATWG, IANA or glibc defines them, where these differ
    ///
    /// By default, `ISO-8859-1`, `US-ASCII` and `UTF-16` have the meaning of IANA, and other names that
    /// browsers know have the meaning of the web: `ISO-8859-9` is windows-1254. A suffix does the
    /// same for one name: `ISO-8859-9/iana`. `utfall list --format labels` shows the differences.
    #[arg(long = "labels", value_name = "VOCABULARY", help_heading = INPUT, hide_short_help = true)]
    labels: Option<LabelsArg>,
}

impl LabelArgs {
    pub(crate) fn get(&self) -> Option<Labels> {
        self.labels.map(Labels::from)
    }
}

/// A vocabulary, as `--labels` and `labels` in utfall.toml name it.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LabelsArg {
    /// The web: the Encoding Standard
    Whatwg,
    /// Mail: the registry of IANA
    Iana,
    /// The GNU C Library: `iconv`
    Glibc,
}

impl From<LabelsArg> for Labels {
    fn from(labels: LabelsArg) -> Self {
        match labels {
            LabelsArg::Whatwg => Self::Whatwg,
            LabelsArg::Iana => Self::Iana,
            LabelsArg::Glibc => Self::Glibc,
        }
    }
}
