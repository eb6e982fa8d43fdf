//! Translations in compiled catalogues of gettext.

/// The translations of a catalogue in UTF-8. `None` if it is in another encoding or damaged.
pub(crate) fn translations(bytes: &[u8]) -> Option<Vec<&str>> {
    let is_little = match bytes.first_chunk::<4>()? {
        [0xDE, 0x12, 0x04, 0x95] => true,
        [0x95, 0x04, 0x12, 0xDE] => false,
        _ => return None,
    };
    let number = |at: usize| {
        let number = bytes.get(at..)?.first_chunk::<4>()?;
        let number =
            if is_little { u32::from_le_bytes(*number) } else { u32::from_be_bytes(*number) };
        Some(number as usize)
    };
    let (count, table) = (number(8)?, number(16)?);
    let mut all = Vec::new();
    for index in 0..count {
        let (length, offset) = (number(table + 8 * index)?, number(table + 8 * index + 4)?);
        let text = std::str::from_utf8(bytes.get(offset..offset + length)?).ok()?;
        all.push(text);
    }
    Some(all)
}
