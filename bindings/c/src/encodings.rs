//! The registry of encodings.

use std::ffi::{CString, c_char, c_void};
use std::sync::LazyLock;

#[cfg(not(utfall_js))]
use utfall::Labels;
use utfall::{ByteOrder, Encoding, Family, SplitPoint};

use crate::arguments::{bytes, copy_text, store, text};
use crate::errors::{UTFALL_BUG, UTFALL_INVALID_ARGUMENT, UTFALL_OK, utfall_status};
use crate::guard::guard;

/// The number of an encoding, one of UTFALL_ENC_. Numbers are stable. 0 is none.
pub type utfall_encoding = u16;

/// UTF-8 in all its versions, CESU-8, Java's modified UTF-8, WTF-8.
pub const UTFALL_FAMILY_UTF_8: u8 = 1;
/// UTF-16 and UCS-2.
pub const UTFALL_FAMILY_UTF_16: u8 = 2;
/// UTF-32 and UCS-4.
pub const UTFALL_FAMILY_UTF_32: u8 = 3;
/// UTF-7 and the encoding of IMAP's mailbox names.
pub const UTFALL_FAMILY_UTF_7: u8 = 4;
/// UTF-1.
pub const UTFALL_FAMILY_UTF_1: u8 = 5;
/// UTF-EBCDIC.
pub const UTFALL_FAMILY_EBCDIC: u8 = 6;
/// SCSU and BOCU-1.
pub const UTFALL_FAMILY_COMPRESSION: u8 = 7;
/// One byte for each character.
pub const UTFALL_FAMILY_SINGLE_BYTE: u8 = 8;
/// One or more bytes for each character of a table.
pub const UTFALL_FAMILY_MULTI_BYTE: u8 = 9;

/// The name is registered with IANA.
pub const UTFALL_INFO_IANA: u32 = 1;
/// Bytes 00 to 7F always are US-ASCII, wherever they appear.
pub const UTFALL_INFO_ASCII_TRANSPARENT: u32 = 2;
/// No byte has its highest bit set.
pub const UTFALL_INFO_SEVEN_BIT: u32 = 4;
/// The meaning of a byte depends on bytes before its character.
pub const UTFALL_INFO_STATEFUL: u32 = 8;
/// A boundary between characters can be found from any byte.
pub const UTFALL_INFO_SELF_SYNCHRONIZING: u32 = 16;
/// The code units have more than one byte, the highest first.
pub const UTFALL_INFO_BIG_ENDIAN: u32 = 32;
/// The code units have more than one byte, the lowest first.
pub const UTFALL_INFO_LITTLE_ENDIAN: u32 = 64;
/// A text can be cut before any character, and its parts decoded independently.
pub const UTFALL_INFO_CUT_ANYWHERE: u32 = 128;
/// A text can be cut after any line end.
pub const UTFALL_INFO_CUT_LINES: u32 = 256;

/// The properties of an encoding.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct utfall_info {
    /// The preferred name: a constant string.
    pub name: *const c_char,
    /// The specification: a constant string in UTF-8.
    pub specification: *const c_char,
    /// The BOM or signature: constant bytes, of which `bom_length` are valid.
    pub bom: *const u8,
    /// The length of the BOM in bytes; 0 if it has none.
    pub bom_length: usize,
    /// Properties: UTFALL_INFO_ values, combined.
    pub flags: u32,
    /// The length of a code unit in bytes: 1, 2 or 4.
    pub code_unit: u8,
    /// One of UTFALL_FAMILY_; 0 for a family that this header does not list.
    pub family: u8,
    /// Zero.
    pub reserved: [u8; 2],
}

/// The strings of an encoding, ended by NUL.
struct Names {
    encoding: Encoding,
    name: CString,
    specification: CString,
    aliases: Vec<CString>,
}

/// By number.
static NAMES: LazyLock<Vec<Names>> = LazyLock::new(|| {
    let text = |text: &str| CString::new(text).unwrap_or_default();
    let names = Encoding::ALL.iter().map(|encoding| {
        let info = encoding.info();
        Names {
            encoding: *encoding,
            name: text(info.name),
            specification: text(info.specification),
            aliases: info.aliases.iter().map(|alias| text(alias)).collect(),
        }
    });
    names.collect()
});

fn names(encoding: utfall_encoding) -> Option<&'static Names> {
    NAMES.iter().find(|names| names.encoding as utfall_encoding == encoding)
}

/// The encoding with this number. Quick, because every call needs it.
pub(crate) fn find(number: utfall_encoding) -> Option<Encoding> {
    const LARGEST: usize = {
        let (mut largest, mut index) = (0, 0);
        while index < Encoding::ALL.len() {
            let number = Encoding::ALL[index] as usize;
            largest = if number > largest { number } else { largest };
            index += 1;
        }
        largest
    };
    static TABLE: [Option<Encoding>; LARGEST + 1] = {
        let mut table = [None; LARGEST + 1];
        let mut index = 0;
        while index < Encoding::ALL.len() {
            let encoding = Encoding::ALL[index];
            table[encoding as usize] = Some(encoding);
            index += 1;
        }
        table
    };
    *TABLE.get(usize::from(number))?
}

/// Finds an encoding by its name or another label, such as `latin1`. Case, spaces and punctuation do not
/// matter.
///
/// @param label the label; need not end with NUL.
/// @param length its length in bytes.
/// @return the encoding; 0 if there is none with this label.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_for_label(label: *const c_char, length: usize) -> utfall_encoding {
    guard(0, || {
        // SAFETY: the caller passes a label of this length.
        let label = unsafe { text(label, length) };
        label.and_then(Encoding::for_label).map_or(0, |encoding| encoding as utfall_encoding)
    })
}

/// Labels as browsers read them: the Encoding Standard of WHATWG.
pub const UTFALL_LABELS_WHATWG: u8 = 1;
/// Labels as mail defines them: the registry of IANA.
pub const UTFALL_LABELS_IANA: u8 = 2;
/// Labels as the `iconv` of the GNU C Library reads names.
pub const UTFALL_LABELS_GLIBC: u8 = 3;

/// Finds an encoding by its label in a vocabulary: `ISO-8859-9` is windows-1254 for browsers, and
/// ISO 8859-9 itself for IANA. Falls back to `utfall_for_label` for other labels.
///
/// @param label the label; need not end with NUL.
/// @param length its length in bytes.
/// @param labels the vocabulary: UTFALL_LABELS_WHATWG, …; 0 for the meaning of `utfall_for_label`.
/// @return the encoding; 0 if the label or the vocabulary is unknown.
#[cfg(not(utfall_js))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_for_label_in(
    label: *const c_char,
    length: usize,
    labels: u8,
) -> utfall_encoding {
    guard(0, || {
        // SAFETY: the caller passes a label of this length.
        let Some(label) = (unsafe { text(label, length) }) else { return 0 };
        let found = match labels {
            0 => Encoding::for_label(label),
            UTFALL_LABELS_WHATWG => Encoding::for_label_in(label, Labels::Whatwg),
            UTFALL_LABELS_IANA => Encoding::for_label_in(label, Labels::Iana),
            UTFALL_LABELS_GLIBC => Encoding::for_label_in(label, Labels::Glibc),
            _ => None,
        };
        found.map_or(0, |encoding| encoding as utfall_encoding)
    })
}

/// Says that a label is unknown, and suggests similar ones:
/// `unknown encoding "utf-9"; did you mean "UTF-8" or "utf-2" or "UTF-7"?`
///
/// @param label the label; need not end with NUL.
/// @param length its length in bytes.
/// @param message space of the caller for the UTF-8 text and a NUL after it, cut between characters if it is
///   too short; may be NULL if `capacity` is 0.
/// @param capacity the size of that space in bytes.
/// @return the length of the whole text in bytes, without the NUL; 0, with an empty text, if the label is known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_label_message(
    label: *const c_char,
    length: usize,
    message: *mut c_char,
    capacity: usize,
) -> usize {
    guard(0, || {
        // SAFETY: the caller passes a label of this length.
        let label = unsafe { text(label, length) }.unwrap_or_default();
        let why = utfall_bind::label::find(label).err().unwrap_or_default();
        // SAFETY: the caller passes a space of this capacity.
        unsafe { copy_text(&why, message, capacity) }
    })
}

/// Finds the encoding of a text that begins with a BOM.
///
/// @param start the first bytes of the text; four are enough.
/// @param length how many there are.
/// @param bom_length receives the length of the BOM in bytes, 0 if there is none; may be NULL.
/// @return the encoding; 0 if the text does not begin with a BOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_for_bom(
    start: *const c_void,
    length: usize,
    bom_length: *mut usize,
) -> utfall_encoding {
    guard(0, || {
        // SAFETY: the caller passes bytes of this length.
        let found = unsafe { bytes(start, length) }.and_then(Encoding::for_bom);
        let (encoding, mark) = found.map_or((0, 0), |(it, mark)| (it as utfall_encoding, mark));
        // SAFETY: the caller passes NULL or a place for the length.
        unsafe { store(bom_length, mark) };
        encoding
    })
}

/// Lists the encodings, by number.
///
/// @param index which one, from 0.
/// @return the encoding; 0 if there are not so many.
#[unsafe(no_mangle)]
pub extern "C" fn utfall_encoding_at(index: usize) -> utfall_encoding {
    Encoding::ALL.get(index).map_or(0, |encoding| *encoding as utfall_encoding)
}

/// The preferred name of an encoding, that of IANA if it is registered.
///
/// @return a constant string; NULL if there is no such encoding.
#[unsafe(no_mangle)]
pub extern "C" fn utfall_name(encoding: utfall_encoding) -> *const c_char {
    guard(std::ptr::null(), || {
        names(encoding).map_or(std::ptr::null(), |names| names.name.as_ptr())
    })
}

/// Another label of an encoding.
///
/// @param index which one, from 0.
/// @return a constant string; NULL if there are not so many, or no such encoding.
#[unsafe(no_mangle)]
pub extern "C" fn utfall_alias(encoding: utfall_encoding, index: usize) -> *const c_char {
    guard(std::ptr::null(), || {
        let alias = names(encoding).and_then(|names| names.aliases.get(index));
        alias.map_or(std::ptr::null(), |alias| alias.as_ptr())
    })
}

/// The properties of an encoding.
///
/// @param info receives them; must not be NULL. All that it points to is constant.
/// @return UTFALL_OK, or UTFALL_INVALID_ARGUMENT if there is no such encoding; `info` is then unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_get_info(
    encoding: utfall_encoding,
    info: *mut utfall_info,
) -> utfall_status {
    guard(UTFALL_BUG, || {
        let Some(names) = names(encoding).filter(|_| !info.is_null()) else {
            return UTFALL_INVALID_ARGUMENT;
        };
        // SAFETY: it is not NULL, and the caller passes a place for it.
        unsafe { store(info, describe(names)) };
        UTFALL_OK
    })
}

fn describe(names: &'static Names) -> utfall_info {
    let info = names.encoding.info();
    let flags = [
        (info.iana, UTFALL_INFO_IANA),
        (info.ascii_transparent, UTFALL_INFO_ASCII_TRANSPARENT),
        (info.seven_bit, UTFALL_INFO_SEVEN_BIT),
        (info.stateful, UTFALL_INFO_STATEFUL),
        (info.is_self_synchronizing(), UTFALL_INFO_SELF_SYNCHRONIZING),
        (info.byte_order == Some(ByteOrder::Big), UTFALL_INFO_BIG_ENDIAN),
        (info.byte_order == Some(ByteOrder::Little), UTFALL_INFO_LITTLE_ENDIAN),
        (info.split_point == SplitPoint::Character, UTFALL_INFO_CUT_ANYWHERE),
        (info.split_point == SplitPoint::Line, UTFALL_INFO_CUT_LINES),
    ];
    utfall_info {
        name: names.name.as_ptr(),
        specification: names.specification.as_ptr(),
        bom: info.signature.as_ptr(),
        bom_length: info.signature.len(),
        flags: flags.iter().filter(|(holds, _)| *holds).fold(0, |all, (_, flag)| all | flag),
        code_unit: info.code_unit as u8,
        family: match info.family {
            Family::Utf8 => UTFALL_FAMILY_UTF_8,
            Family::Utf16 => UTFALL_FAMILY_UTF_16,
            Family::Utf32 => UTFALL_FAMILY_UTF_32,
            Family::Utf7 => UTFALL_FAMILY_UTF_7,
            Family::Utf1 => UTFALL_FAMILY_UTF_1,
            Family::Ebcdic => UTFALL_FAMILY_EBCDIC,
            Family::Compression => UTFALL_FAMILY_COMPRESSION,
            Family::SingleByte => UTFALL_FAMILY_SINGLE_BYTE,
            Family::MultiByte => UTFALL_FAMILY_MULTI_BYTE,
            _ => 0,
        },
        reserved: [0; 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_has_its_number() {
        for encoding in Encoding::ALL {
            assert_eq!(find(*encoding as u16), Some(*encoding));
            let names = names(*encoding as u16).unwrap();
            assert_eq!(names.name.to_str(), Ok(encoding.name()));
            assert_ne!(describe(names).family, 0, "{encoding}");
        }
        assert_eq!((find(0), find(9), find(u16::MAX)), (None, None, None));
    }
}
