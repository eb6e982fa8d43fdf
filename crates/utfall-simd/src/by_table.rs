//! Conversions between layouts and single-byte charsets, by the kernels of a table or entry by entry.

use crate::arch::scalar::single_byte as scalar;
use crate::arch::scalar::{BIG, LITTLE, Latin1, Utf32};
use crate::single_byte::Table;
use crate::{Kernels, Layout, Lossy};

impl Kernels {
    /// From a single-byte charset to UTF-8, as a conversion. It stops before a byte that is not a
    /// character.
    #[inline]
    pub fn utf8_from_table(&self, table: &Table, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        (self.own().utf8_from_table)(table, src, dst)
    }

    /// From a single-byte charset to any layout, as a conversion.
    #[inline]
    pub fn convert_from_table(
        &self,
        table: &Table,
        to: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        match to {
            Layout::Utf8 => (self.own().utf8_from_table)(table, src, dst),
            Layout::Utf16Le => (self.own().utf16le_from_table)(table, src, dst),
            Layout::Utf16Be => (self.own().utf16be_from_table)(table, src, dst),
            Layout::Utf32Le => scalar::decode_strict::<Utf32<LITTLE>>(table, src, dst),
            Layout::Utf32Be => scalar::decode_strict::<Utf32<BIG>>(table, src, dst),
            Layout::Latin1 => scalar::decode_strict::<Latin1>(table, src, dst),
        }
    }

    /// The same with U+FFFD for each byte that is not a character, if the layout has U+FFFD.
    #[inline]
    pub fn convert_from_table_lossy(
        &self,
        table: &Table,
        to: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<Lossy> {
        Some(match to {
            Layout::Utf8 => (self.own().utf8_from_table_lossy)(table, src, dst),
            Layout::Utf16Le => (self.own().utf16le_from_table_lossy)(table, src, dst),
            Layout::Utf16Be => (self.own().utf16be_from_table_lossy)(table, src, dst),
            Layout::Utf32Le => scalar::decode::<Utf32<LITTLE>, true>(table, src, dst),
            Layout::Utf32Be => scalar::decode::<Utf32<BIG>, true>(table, src, dst),
            Layout::Latin1 => return None,
        })
    }

    /// From any layout to a single-byte charset, as a conversion.
    #[inline]
    pub fn convert_to_table(
        &self,
        from: Layout,
        table: &Table,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        match from {
            Layout::Utf8 => (self.own().table_from_utf8)(table, src, dst),
            Layout::Utf16Le => (self.own().table_from_utf16le)(table, src, dst),
            Layout::Utf16Be => (self.own().table_from_utf16be)(table, src, dst),
            Layout::Utf32Le => scalar::encode::<Utf32<LITTLE>>(table, src, dst),
            Layout::Utf32Be => scalar::encode::<Utf32<BIG>>(table, src, dst),
            Layout::Latin1 => scalar::encode::<Latin1>(table, src, dst),
        }
    }

    /// The length in bytes of the prefix of a text in a single-byte charset before the first byte
    /// that is not a character.
    #[must_use]
    pub fn table_prefix(&self, table: &Table, src: &[u8]) -> usize {
        scalar::prefix(table, src)
    }
}

impl Table {
    /// Converts a prefix of short text to UTF-8, as
    /// [`Kernels::utf8_from_table`](crate::Kernels::utf8_from_table) does, but one byte at a time.
    #[inline]
    pub fn few_to_utf8(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        scalar::to_utf8_strict(self, src, dst)
    }

    /// Converts a prefix of short text to UTF-16 in native byte order, one byte at a time.
    #[inline]
    pub fn few_to_utf16(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        scalar::to_utf16_strict::<{ cfg!(target_endian = "little") }>(self, src, dst)
    }

    /// Converts a prefix of short text from UTF-8, one character at a time.
    #[inline]
    pub fn few_from_utf8(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        scalar::from_utf8(self, src, dst)
    }

    /// Converts a prefix of short text from UTF-16 in native byte order, one code unit at a time.
    #[inline]
    pub fn few_from_utf16(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        scalar::from_utf16::<{ cfg!(target_endian = "little") }>(self, src, dst)
    }
}
