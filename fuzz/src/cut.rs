//! Texts in pieces of any length, and choices determined by a byte.

use arbitrary::Arbitrary;

/// How to cut a text.
#[derive(Arbitrary, Debug)]
pub struct Cuts {
    lengths: [u8; 4],
    count: u8,
}

impl Cuts {
    /// The pieces of a text, and whether each is the last. Their lengths repeat; some pieces are
    /// empty, but never two in a row. The end comes with the last bytes or after them.
    pub fn pieces<'s>(&self, src: &'s [u8]) -> Vec<(&'s [u8], bool)> {
        let lengths = &self.lengths[..usize::from(self.count % 5)];
        let mut lengths = lengths.iter().map(|length| usize::from(*length)).cycle();
        let (mut pieces, mut rest) = (Vec::new(), src);
        while !rest.is_empty() {
            let was_empty =
                pieces.last().is_some_and(|(piece, _): &(&[u8], bool)| piece.is_empty());
            let length = lengths.next().unwrap_or(rest.len()).max(usize::from(was_empty));
            let (piece, after) = rest.split_at(length.min(rest.len()));
            pieces.push((piece, false));
            rest = after;
        }
        match pieces.last_mut() {
            Some(last) if self.count & 0x80 == 0 => last.1 = true,
            _ => pieces.push((&[], true)),
        }
        pieces
    }
}

/// Chooses one of these.
pub fn one_of<T: Copy>(all: &[T], number: u8) -> T {
    all[usize::from(number) % all.len()]
}
