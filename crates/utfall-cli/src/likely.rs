//! Suggestions for invalid input that looks like another encoding.

use std::fs::File;

use utfall::Encoding;
use utfall_bind::guess::Verdict;
pub(crate) use utfall_bind::likely::*;
use utfall_detect::{Extent, Hints, detect, detect_file_with};

use crate::failure::Failure;
use crate::input::{Input, Source};
use crate::message;

/// The source of the encoding in which a text is invalid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An option, the text itself, or the default: an option overrides it.
    Option,
    /// `utfall.toml`.
    Config,
    /// A manifest, which no option overrides.
    Manifest,
}

/// Suggestions to the user.
pub(crate) trait Advice {
    /// ``this looks like windows-1252 (93 %): try `-f windows-1252` ``. `said` is the encoding that
    /// `origin` determined.
    fn advice(self, said: Encoding, origin: Origin) -> String;

    /// The same for a command that reads only UTF-8.
    fn advice_to_convert(self, source: &Source) -> String;
}

impl Advice for Likely {
    fn advice(self, said: Encoding, origin: Origin) -> String {
        let label = message::shell_word(self.encoding().name());
        match origin {
            Origin::Option => try_this(self, &format!("-f {label}")),
            Origin::Config => {
                format!(
                    "{}, or correct utfall.toml, which says {said}",
                    try_this(self, &format!("-f {label}"))
                )
            }
            Origin::Manifest => format!("{self}: correct the manifest, which says {said}"),
        }
    }

    fn advice_to_convert(self, source: &Source) -> String {
        let label = message::shell_word(self.encoding().name());
        let file = argument(source);
        try_this(self, &format!("utfall convert -f {label} -t UTF-8{file}"))
    }
}

fn try_this(likely: Likely, command: &str) -> String {
    format!("{likely}: try `{command}`")
}

/// The failure for an input without a given encoding: it has no BOM, and is invalid UTF-8 at
/// `offset`.
pub(crate) fn cannot_tell(input: &Input, offset: u64) -> Failure {
    // Detect as `utfall detect` does, if the input can be read again.
    let file = input.source().as_ref().filter(|_| input.size().is_some()).map(File::open);
    let again =
        file.and_then(|file| detect_file_with(file.ok()?, Extent::Sample, &Hints::default()).ok());
    let candidates = match again {
        Some(detection) => detection.candidates,
        None => detect(input.sample(offset)),
    };
    let verdict = Verdict::on(&candidates, None);
    let help = match verdict.to_try() {
        // The input is almost valid.
        Some(best) if best.is_utf8() => {
            let file = argument(input.source());
            format!(
                "`utfall check --all{file}` shows what is invalid in it; `-f UTF-8 --on-error replace` \
                 writes U+FFFD instead"
            )
        }
        Some(best) => {
            let label = message::shell_word(best.name());
            format!("try `-f {label}`; without -f, text must have a BOM or be valid UTF-8")
        }
        None => {
            "give the encoding with -f; without it, text must have a BOM or be valid UTF-8".into()
        }
    };
    Failure::RefusedWithHelp { text: verdict.refusal(input.name()), help }
}

/// A file name for a suggested command, with a space before it; empty for standard input.
fn argument(source: &Source) -> String {
    source.as_ref().map_or_else(String::new, |file| format!(" {}", message::shell_path(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advises_an_option() {
        let text = "Les élèves français étaient déjà à l'école où ils préféraient être.\n";
        let bytes = Encoding::Windows1252.encode(text).unwrap();
        let likely = Likely::of(&bytes, Encoding::Utf8).unwrap();
        let advice = likely.advice(Encoding::Utf8, Origin::Option);
        assert!(advice.contains("looks like windows-1252 ("), "{advice}");
        assert!(advice.ends_with(" %): try `-f windows-1252`"), "{advice}");
    }
}
