//! Peers: a program that runs as long as this one does, or a library.
//!
//! A question is many inputs for one encoding, and is written completely before any answer is
//! read. The answers come back in the same order. So neither side ever waits for the other to
//! read.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::{env, str};

use encoding_rs::{DecoderResult, EncoderResult};

use crate::answer::{self, Answer, Input, Mode, points};

/// A program or library that utfall is compared with.
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    pub(crate) version: String,
    way: Way,
    /// The answers to the last question, for a library.
    answers: Vec<Answer>,
}

enum Way {
    Process(Box<Process>),
    EncodingRs,
}

struct Process {
    child: Child,
    source: ChildStdin,
    target: BufReader<ChildStdout>,
}

/// All peers, or the reason why one is missing.
pub(crate) fn all() -> Vec<Result<Peer, (&'static str, String)>> {
    let python = include_str!("../peers/peer.py");
    let script = |name, program: &str, args: &[&str]| {
        process(name, Command::new(program).args(args)).map_err(|error| (name, error))
    };
    vec![
        script("CPython", "python3", &["-c", python, "cpython"]),
        script("glibc", "python3", &["-c", python, "glibc"]),
        script("ICU", "python3", &["-c", python, "icu"]),
        script("Perl", "perl", &["-e", include_str!("../peers/peer.pl")]),
        script("Node", "node", &["--input-type=module", "-e", include_str!("../peers/peer.mjs")]),
        simdutf(),
        Ok(Peer {
            name: "encoding_rs",
            version: env!("ENCODING_RS_VERSION").to_owned(),
            way: Way::EncodingRs,
            answers: Vec::new(),
        }),
    ]
}

fn simdutf() -> Result<Peer, (&'static str, String)> {
    const NAME: &str = "simdutf";
    let beside = env::current_exe().map_err(|error| (NAME, error.to_string()))?;
    let program =
        beside.with_file_name(format!("utfall-conformance-simdutf{}", env::consts::EXE_SUFFIX));
    if !cfg!(feature = "simdutf") {
        return Err((NAME, "it was not built (cargo feature `simdutf`)".to_owned()));
    }
    process(NAME, &mut Command::new(program)).map_err(|error| (NAME, error))
}

fn process(name: &'static str, command: &mut Command) -> Result<Peer, String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    let (Some(source), Some(target)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("it has no pipes".to_owned());
    };
    let mut target = BufReader::with_capacity(1 << 16, target);
    let mut version = String::new();
    let read = target.read_line(&mut version).map_err(|error| error.to_string())?;
    if read == 0 {
        let _ = child.wait();
        return Err("it did not start: see what it wrote above".to_owned());
    }
    let way = Way::Process(Box::new(Process { child, source, target }));
    Ok(Peer { name, version: version.trim_end().to_owned(), way, answers: Vec::new() })
}

impl Peer {
    /// Sends a question; [`Self::answers`] must be read before the next one.
    pub(crate) fn ask(&mut self, mode: Mode, label: &str, inputs: &[Input]) -> Result<(), String> {
        match &mut self.way {
            Way::EncodingRs => {
                self.answers = inputs.iter().map(|input| encoding_rs(mode, label, input)).collect();
                Ok(())
            }
            Way::Process(process) => process
                .source
                .write_all(&answer::question(mode, label, inputs))
                .and_then(|()| process.source.flush())
                .map_err(|error| self.ended(&error)),
        }
    }

    /// The answers to the last question, which had `count` inputs.
    pub(crate) fn answers(&mut self, count: usize) -> Result<Vec<Answer>, String> {
        match &mut self.way {
            Way::EncodingRs => Ok(std::mem::take(&mut self.answers)),
            Way::Process(process) => {
                let read: io::Result<Vec<_>> =
                    (0..count).map(|_| answer::read(&mut process.target)).collect();
                read.map_err(|error| self.ended(&error))
            }
        }
    }

    fn ended(&self, error: &io::Error) -> String {
        format!("{} has exited: {error}", self.name)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The answer of encoding_rs to an input.
fn encoding_rs(mode: Mode, label: &str, input: &[u8]) -> Answer {
    let Some(encoding) = encoding_rs::Encoding::for_label(label.as_bytes()) else {
        return Answer::NotAsked;
    };
    if mode == Mode::Encode {
        return encode(encoding, &points(input));
    }
    let mut decoder = match mode {
        Mode::Mark => encoding.new_decoder_with_bom_removal(),
        _ => encoding.new_decoder_without_bom_handling(),
    };
    let mut output = vec![0; 6 * input.len() + 32];
    let written = if mode == Mode::Replace {
        let (_, _, written, _) = decoder.decode_to_utf8(input, &mut output, true);
        written
    } else {
        match decoder.decode_to_utf8_without_replacement(input, &mut output, true) {
            (DecoderResult::Malformed(length, after), read, _) => {
                let (length, after) = (u32::from(length), u32::from(after));
                return Answer::Error(Some(read as u32 - after - length), Some(length));
            }
            (_, _, written) => written,
        }
    };
    let text = str::from_utf8(&output[..written]).expect("encoding_rs writes UTF-8");
    Answer::Fine(text.chars().flat_map(|scalar| u32::from(scalar).to_le_bytes()).collect())
}

fn encode(encoding: &'static encoding_rs::Encoding, points: &[u32]) -> Answer {
    let text: Option<String> = points.iter().map(|point| char::from_u32(*point)).collect();
    let Some(text) = text else { return Answer::NotAsked };
    let mut output = vec![0; 8 * points.len() + 32];
    let mut encoder = encoding.new_encoder();
    match encoder.encode_from_utf8_without_replacement(&text, &mut output, true) {
        (EncoderResult::Unmappable(_), read, _) => {
            let before = text[..read].chars().count() - 1;
            Answer::Error(Some(before as u32), Some(1))
        }
        (_, _, written) => {
            output.truncate(written);
            Answer::Fine(output)
        }
    }
}
