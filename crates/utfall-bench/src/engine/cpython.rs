//! CPython's codec of UTF-7, in a child process that runs the loop.
//!
//! The measured time includes the round trip through pipes: some tens of microseconds, compared
//! with a millisecond for the smallest text.

use std::cell::RefCell;
use std::io::{self, BufReader, Read as _, Write as _};
use std::ops::Range;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use super::{Engine, Piece, Room};
use crate::op::Op;

pub(crate) const NAME: &str = "cpython";

/// Reads numbers of eight bytes: the number of texts, followed by the length and bytes of each, or
/// 0 if the texts have not changed; then how often to convert them. Replies with the last
/// conversion of each.
const PROGRAM: &str = r#"
import sys
number = lambda: int.from_bytes(sys.stdin.buffer.read(8), "little")
reads = sys.argv[1] == "utf7_to_utf8"
texts = []
while True:
    count = number()
    if count:
        texts = [sys.stdin.buffer.read(number()) for _ in range(count)]
    times = number()
    if not times:
        break
    if reads:
        for _ in range(times):
            answers = [text.decode("utf-7").encode("utf-8") for text in texts]
    else:
        for _ in range(times):
            answers = [text.decode("utf-8").encode("utf-7") for text in texts]
    if count:
        for answer in answers:
            sys.stdout.buffer.write(len(answer).to_bytes(8, "little") + answer)
    sys.stdout.buffer.write(b"!")
    sys.stdout.buffer.flush()
"#;

/// Why CPython cannot be compared, if it cannot.
pub(crate) fn missing() -> Option<String> {
    match Command::new("python3").arg("-c").arg("").status() {
        Ok(status) if status.success() => None,
        Ok(status) => Some(format!("python3: {status}")),
        Err(error) => Some(format!("python3: {error}")),
    }
}

pub(super) fn engine_for(op: Op) -> Option<Engine> {
    if !["utf7_to_utf8", "utf8_to_utf7"].contains(&op.name) {
        return None;
    }
    let python = Rc::new(RefCell::new(Python::new(op.name).ok()?));
    let timed = Rc::clone(&python);
    let run = move |pieces: &[Piece<'_>], _: &mut [u8], _: &[Range<usize>], times| {
        timed.borrow_mut().convert(pieces, times).expect("python3 is running");
    };
    let outcomes = move |pieces: &[Piece<'_>], output: &mut [u8], places: &[Range<usize>]| {
        let mut python = python.borrow_mut();
        python.convert(pieces, 1).expect("python3 is running");
        let mut outcomes = Vec::new();
        for ((piece, answer), place) in pieces.iter().zip(&python.answers).zip(places) {
            let output = &mut output[place.clone()];
            let length = answer.len().min(output.len());
            output[..length].copy_from_slice(&answer[..length]);
            outcomes.push((piece.bytes.len(), answer.len()));
        }
        outcomes
    };
    let (run, outcomes) = (Box::new(run), Box::new(outcomes));
    Some(Engine { name: NAME, room: Room::Exact, run, outcomes })
}

struct Python {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    texts: Vec<Vec<u8>>,
    answers: Vec<Vec<u8>>,
}

impl Python {
    fn new(op: &str) -> io::Result<Self> {
        let mut child = Command::new("python3")
            .args(["-c", PROGRAM, op])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Ok(Self { child, input, output, texts: Vec::new(), answers: Vec::new() })
    }

    fn convert(&mut self, pieces: &[Piece<'_>], times: u64) -> io::Result<()> {
        let is_same = self.texts.iter().eq(pieces.iter().map(|piece| piece.bytes));
        let count = if is_same { 0 } else { pieces.len() };
        self.send(count as u64)?;
        if !is_same {
            self.texts = pieces.iter().map(|piece| piece.bytes.to_vec()).collect();
            for piece in pieces {
                self.send(piece.bytes.len() as u64)?;
                self.input.write_all(piece.bytes)?;
            }
        }
        self.send(times)?;
        if !is_same {
            self.answers.clear();
            for _ in pieces {
                let mut length = [0; 8];
                self.output.read_exact(&mut length)?;
                let mut answer = vec![0; u64::from_le_bytes(length) as usize];
                self.output.read_exact(&mut answer)?;
                self.answers.push(answer);
            }
        }
        self.output.read_exact(&mut [0])
    }

    fn send(&mut self, number: u64) -> io::Result<()> {
        self.input.write_all(&number.to_le_bytes())
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // Converting zero times ends the process.
        _ = self.send(0).and_then(|()| self.send(0)).and_then(|()| self.child.wait());
    }
}
