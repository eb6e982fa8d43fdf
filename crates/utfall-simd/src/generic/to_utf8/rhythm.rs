//! Whether ASCII is worth a branch of its own.

/// How regularly blocks of ASCII and others follow each other.
///
/// Mispredicting whether a block is ASCII costs a processor more time than ASCII saves. Where it
/// cannot know, as with occasional accents, ASCII is treated like anything else.
///
/// One alternative was a branch for every block. It is faster where the same text is converted
/// again and again, and a processor learns half a megabyte by heart (AMD Zen 5, wiki-french: 28
/// GB/s against 19 with AVX2); text is seldom converted twice. With the words of that text in
/// random order, 16 MiB of UTF-16, it was 8 GB/s against 14 with AVX2 and 6 against 10 with
/// SSE4.2, with seven and three times as many mispredicted branches. Another was to use the share
/// of ASCII blocks instead of their regularity. It is wrong for text with one other character in
/// each line of a table.
pub(super) struct Rhythm {
    /// One bit for each of the last blocks, set for ASCII, below a bit that is always set.
    pub(super) blocks: u64,
    /// How many mispredictions are acceptable.
    most_wrong: u32,
    /// 0 if a block of ASCII is worth a branch of its own, otherwise a bit above those of masks.
    pub(super) held: u64,
}

impl Rhythm {
    /// For blocks of two vectors of `bytes` bytes. The wider they are, the more ASCII saves.
    pub(super) const fn new(bytes: usize) -> Self {
        Self { blocks: 1, held: 0, most_wrong: 8 + bytes as u32 / 4 }
    }

    /// Whether more ASCII is expected after a block of it: yes if there was more before the last
    /// block that was not ASCII.
    #[inline(always)]
    pub(super) fn is_run(&self) -> bool {
        // 0b11 at the end, or 0b11_01: looked up in a set of sixteen bits.
        0b1010_1000_1000_1000 >> (self.blocks & 0b1111) & 1 != 0
    }

    /// Records whether there was more, as one block.
    #[inline(always)]
    pub(super) fn note_run(&mut self, any: bool) {
        self.blocks = self.blocks << u32::from(any) | u64::from(any);
    }

    /// Records a block, without a branch on what it is.
    #[inline(always)]
    pub(super) fn note(&mut self, ascii: bool) {
        self.blocks = self.blocks << 1 | u64::from(ascii);
        self.decide();
    }

    /// Decides again if enough blocks were recorded, and returns whether there were.
    #[inline(always)]
    pub(super) fn decide(&mut self) -> bool {
        let enough = self.blocks >> 63 != 0;
        if enough {
            // How often it would be wrong to predict a repetition after one period. The period is
            // the distance between the last two blocks that are not ASCII.
            let before_last = self.blocks.wrapping_shr(self.blocks.trailing_ones()) >> 1;
            let period = 1 + before_last.trailing_ones();
            let wrong = (self.blocks ^ self.blocks.wrapping_shr(period)).wrapping_shl(period);
            self.held = u64::from(wrong.count_ones() > self.most_wrong) << 32;
            self.blocks = 1;
        }
        enough
    }
}
