//! The expected results for a few bytes at a time: straightforward code, fast enough for 2^32
//! inputs. It shares no code with the crate; the tests below check it against `utfall-oracle`.

use utfall_simd::Layout;

/// The first code point or ill-formed sequence of some text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// The code point, or `None` for an ill-formed sequence.
    pub(crate) point: Option<u32>,
    /// Its length in bytes.
    pub(crate) length: usize,
}

/// The items in up to four bytes, in order.
#[derive(Clone, Copy)]
pub(crate) struct Items {
    items: [Item; 4],
    count: usize,
    /// Whether more bytes could change the last item.
    pub(crate) is_cut: bool,
}

impl Items {
    fn new() -> Self {
        Self { items: [Item { point: None, length: 0 }; 4], count: 0, is_cut: false }
    }

    fn push(&mut self, point: Option<u32>, length: usize) {
        self.items[self.count] = Item { point, length };
        self.count += 1;
    }

    pub(crate) fn all(&self) -> &[Item] {
        &self.items[..self.count]
    }

    /// The number of bytes before the first ill-formed sequence, and their items.
    pub(crate) fn sound(&self) -> (usize, &[Item]) {
        let count = self.all().iter().take_while(|item| item.point.is_some()).count();
        let items = &self.items[..count];
        (items.iter().map(|item| item.length).sum(), items)
    }
}

/// Table 3-7 of the Unicode Standard, and the maximal subparts that follow from it.
pub(crate) fn utf8(bytes: &[u8]) -> Items {
    let mut items = Items::new();
    let mut at = 0;
    'items: while at < bytes.len() {
        let lead = bytes[at];
        let (mut second, trails, mut value) = match lead {
            0x00..=0x7F => (0..=0, 0, lead),
            0xC2..=0xDF => (0x80..=0xBF, 1, lead - 0xC0),
            0xE0 => (0xA0..=0xBF, 2, 0),
            0xE1..=0xEC | 0xEE..=0xEF => (0x80..=0xBF, 2, lead - 0xE0),
            0xED => (0x80..=0x9F, 2, lead - 0xE0),
            0xF0 => (0x90..=0xBF, 3, 0),
            0xF1..=0xF3 => (0x80..=0xBF, 3, lead - 0xF0),
            0xF4 => (0x80..=0x8F, 3, lead - 0xF0),
            _ => {
                items.push(None, 1);
                at += 1;
                continue;
            }
        };
        let mut point = u32::from(value);
        for trail in 1..=trails {
            let next = bytes.get(at + trail);
            if !next.is_some_and(|byte| second.contains(byte)) {
                items.push(None, trail);
                items.is_cut = next.is_none();
                at += trail;
                continue 'items;
            }
            value = bytes[at + trail] - 0x80;
            point = point * 0x40 + u32::from(value);
            second = 0x80..=0xBF;
        }
        items.push(Some(point), 1 + trails);
        at += 1 + trails;
    }
    items
}

/// Two code units of UTF-16.
pub(crate) fn utf16([first, second]: [u16; 2]) -> Items {
    let mut items = Items::new();
    let single = |items: &mut Items, unit: u16| {
        let surrogate = (0xD800..=0xDFFF).contains(&unit);
        items.push((!surrogate).then_some(u32::from(unit)), 2);
    };
    if let (0xD800..=0xDBFF, 0xDC00..=0xDFFF) = (first, second) {
        let point = 0x1_0000 + (u32::from(first) - 0xD800) * 0x400 + u32::from(second) - 0xDC00;
        items.push(Some(point), 4);
    } else {
        single(&mut items, first);
        single(&mut items, second);
        items.is_cut = (0xD800..=0xDBFF).contains(&second);
    }
    items
}

/// One code unit of UTF-32.
pub(crate) fn utf32(value: u32) -> Items {
    let mut items = Items::new();
    items.push(char::from_u32(value).map(u32::from), 4);
    items
}

/// A scalar value in a form: up to four bytes, and how many. `None` if the form lacks it.
#[inline(always)]
pub(crate) fn encoded(form: Layout, point: u32) -> Option<([u8; 4], usize)> {
    let trail = |shift: u32| 0x80 + (point >> shift & 0x3F) as u8;
    let units = |order: fn(u16) -> [u8; 2]| {
        let [a, b] = order(point as u16);
        if point <= 0xFFFF {
            return ([a, b, 0, 0], 2);
        }
        let [a, b] = order(0xD800 + ((point - 0x1_0000) >> 10) as u16);
        let [c, d] = order(0xDC00 + (point & 0x3FF) as u16);
        ([a, b, c, d], 4)
    };
    Some(match (form, point) {
        (Layout::Utf8, 0..=0x7F) => ([point as u8, 0, 0, 0], 1),
        (Layout::Utf8, 0x80..=0x7FF) => ([0xC0 + (point >> 6) as u8, trail(0), 0, 0], 2),
        (Layout::Utf8, 0x800..=0xFFFF) => ([0xE0 + (point >> 12) as u8, trail(6), trail(0), 0], 3),
        (Layout::Utf8, _) => ([0xF0 + (point >> 18) as u8, trail(12), trail(6), trail(0)], 4),
        (Layout::Utf16Le, _) => units(u16::to_le_bytes),
        (Layout::Utf16Be, _) => units(u16::to_be_bytes),
        (Layout::Utf32Le, _) => (point.to_le_bytes(), 4),
        (Layout::Utf32Be, _) => (point.to_be_bytes(), 4),
        (Layout::Latin1, 0..=0xFF) => ([point as u8, 0, 0, 0], 1),
        (Layout::Latin1, _) => return None,
    })
}

#[cfg(test)]
mod tests {
    use utfall_oracle::step;

    use super::*;

    fn is_oracles(name: &str, bytes: &[u8], items: &Items, found: &mut Vec<utfall_oracle::Item>) {
        found.clear();
        utfall_oracle::decode(name, bytes, found);
        let mut offset = 0;
        let same = found.len() == items.all().len()
            && found.iter().zip(items.all()).all(|(found, item)| {
                let expected = match item.point {
                    Some(point) => utfall_oracle::Item::Point(point),
                    None => utfall_oracle::Item::Ill { offset, length: item.length },
                };
                offset += item.length;
                *found == expected
            });
        assert!(same, "{name} {bytes:02X?} {found:?} {:?}", items.all());
    }

    /// Up to three bytes, and each fourth one after three that need it. Everything else of four
    /// bytes is several of these in a row.
    #[test]
    fn utf8_as_the_oracle_has_it() {
        let mut found = Vec::new();
        let mut same = |bytes: &[u8]| is_oracles("UTF-8", bytes, &utf8(bytes), &mut found);
        (0..=255).for_each(|a| same(&[a]));
        (0..=u16::MAX).for_each(|pair| same(&pair.to_be_bytes()));
        for number in (0..1_u32 << 24).step_by(step(997)) {
            let [_, a, b, c] = number.to_be_bytes();
            same(&[a, b, c]);
            let three = utf8(&[a, b, c]);
            if three.is_cut && three.all().len() == 1 {
                (0..=255).for_each(|d| same(&[a, b, c, d]));
            }
        }
    }

    #[test]
    fn utf16_and_utf32_as_the_oracle_has_them() {
        let mut found = Vec::new();
        for edge in [0, 0x61, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF] {
            for unit in (0..=u16::MAX).step_by(step(97)) {
                for pair in [[edge, unit], [unit, edge]] {
                    let bytes = [pair[0].to_be_bytes(), pair[1].to_be_bytes()].concat();
                    is_oracles("UTF-16BE", &bytes, &utf16(pair), &mut found);
                }
            }
        }
        for value in (0..=0x12_0000).step_by(step(97)).chain([0x7FFF_FFFF, 0x8000_0000, u32::MAX]) {
            is_oracles("UTF-32LE", &value.to_le_bytes(), &utf32(value), &mut found);
        }
    }

    #[test]
    fn encoded_as_the_oracle_has_it() {
        let names = ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "ISO-8859-1"];
        let mut bytes = Vec::new();
        for point in ('\0'..=char::MAX).map(u32::from).step_by(step(97)) {
            for (form, name) in Layout::ALL.into_iter().zip(names) {
                bytes.clear();
                let has = utfall_oracle::encode(name, &[point], &mut bytes).is_ok();
                let got = encoded(form, point);
                assert_eq!(
                    got.as_ref().map(|(got, length)| &got[..*length]),
                    has.then_some(&bytes[..])
                );
            }
        }
    }
}
