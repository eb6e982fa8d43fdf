//! Texts in compiled catalogues of gettext.

/// The translations of a catalogue in UTF-8. `None` if it is in another encoding or damaged.
pub(crate) fn translations(bytes: &[u8]) -> Option<Vec<&str>> {
    texts(bytes, 16)
}

/// The texts that were translated, without their contexts.
pub(crate) fn originals(bytes: &[u8]) -> Option<Vec<&str>> {
    let texts = texts(bytes, 12)?;
    Some(texts.into_iter().filter_map(|text| text.rsplit('\u{4}').next()).collect())
}

/// The texts of the table whose offset is at `field`.
fn texts(bytes: &[u8], field: usize) -> Option<Vec<&str>> {
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
    let (count, table) = (number(8)?, number(field)?);
    let mut all = Vec::new();
    for index in 0..count {
        let (length, offset) = (number(table + 8 * index)?, number(table + 8 * index + 4)?);
        let text = std::str::from_utf8(bytes.get(offset..offset + length)?).ok()?;
        all.push(text);
    }
    Some(all)
}
