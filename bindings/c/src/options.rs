//! Options of conversions.

use std::ffi::c_char;
use std::ptr;

use utfall::{
    Bom, DoubleMappings, Granularity, Options, Policy, Substitute, Utf7Options, Utf7Tolerance,
};
use utfall_bind::options::{BOMS, DOUBLE_MAPPINGS, GRANULARITIES, POLICIES, set};

use crate::arguments::{copy_text, text};
use crate::errors::{UTFALL_BUG, UTFALL_INVALID_ARGUMENT, UTFALL_OK, utfall_status};
use crate::guard::guard;

/// Stop at the error, and report it.
pub const UTFALL_STRICT: u8 = 0;
/// Write U+FFFD for invalid input; U+FFFD or `?` for a character that the target lacks.
pub const UTFALL_REPLACE: u8 = 1;
/// Write nothing for it. The text on both sides is joined, which attackers have used.
pub const UTFALL_SKIP: u8 = 2;
/// Write `\xNN` for each invalid byte, `\u{N}` for a character that the target lacks.
pub const UTFALL_ESCAPE: u8 = 3;
/// Write `\xNN` for each invalid byte, `&#N;` for a character that the target lacks.
pub const UTFALL_ESCAPE_XML: u8 = 4;
/// Write `\xNN` for each invalid byte; `\xNN`, `\uNNNN` or `\UNNNNNNNN` for a character that the target lacks.
pub const UTFALL_ESCAPE_PYTHON: u8 = 5;
/// Read bytes 80 to FF as U+DC80 to U+DCFF, and write these as bytes again, as Python does.
pub const UTFALL_SURROGATEESCAPE: u8 = 6;

/// One U+FFFD for each maximal subpart of an invalid sequence, as in Unicode and WHATWG.
pub const UTFALL_MAXIMAL_SUBPART: u8 = 0;
/// One U+FFFD for each byte.
pub const UTFALL_PER_BYTE: u8 = 1;
/// As in Java: one U+FFFD for a surrogate encoded in three bytes.
pub const UTFALL_JDK: u8 = 2;
/// As in Perl: one U+FFFD for each sequence, by the length its lead byte announces.
pub const UTFALL_PERL: u8 = 3;

/// Follow the encodings: a BOM that determines the byte order is used and removed.
pub const UTFALL_BOM_AUTO: u8 = 0;
/// Keep the BOM of the input.
pub const UTFALL_BOM_KEEP: u8 = 1;
/// Write no BOM.
pub const UTFALL_BOM_STRIP: u8 = 2;
/// Write a BOM, if the output is an encoding of Unicode.
pub const UTFALL_BOM_ADD: u8 = 3;

/// Follow the table of the charset.
pub const UTFALL_MAPPINGS_TABLE: u8 = 0;
/// Encode only characters that survive a round trip.
pub const UTFALL_MAPPINGS_ROUND_TRIP: u8 = 1;
/// Encode both code points of a character, such as U+301C and U+FF5E.
pub const UTFALL_MAPPINGS_EITHER: u8 = 2;
/// Encode both, and decode Japanese charsets with the mappings of JIS.
pub const UTFALL_MAPPINGS_JIS: u8 = 3;
/// Encode both, and decode Japanese charsets with the mappings of Microsoft.
pub const UTFALL_MAPPINGS_MICROSOFT: u8 = 4;

/// Drop a shift character at the end of the text.
pub const UTFALL_UTF7_END_SHIFT_DROPPED: u32 = 1;
/// Keep a shift character at the end of the text.
pub const UTFALL_UTF7_END_SHIFT_KEPT: u32 = 1 << 1;
/// Drop a shift character that neither Base64 nor `-` follows.
pub const UTFALL_UTF7_EMPTY_SHIFT_DROPPED: u32 = 1 << 2;
/// Keep a shift character that neither Base64 nor `-` follows.
pub const UTFALL_UTF7_EMPTY_SHIFT_KEPT: u32 = 1 << 3;
/// Accept non-zero padding bits at the end of a run.
pub const UTFALL_UTF7_NON_ZERO_PADDING: u32 = 1 << 4;
/// Drop six or more zero bits left over at the end of a run.
pub const UTFALL_UTF7_DANGLING_DIGITS: u32 = 1 << 5;
/// Accept unpaired surrogates, also when writing UTF-7.
pub const UTFALL_UTF7_LONE_SURROGATES: u32 = 1 << 6;
/// Join a surrogate pair split between two runs.
pub const UTFALL_UTF7_SPLIT_PAIRS: u32 = 1 << 7;
/// Accept the control characters 00 to 1F and 7F outside runs.
pub const UTFALL_UTF7_CONTROLS: u32 = 1 << 8;
/// Accept `\` and `~` outside runs.
pub const UTFALL_UTF7_BACKSLASH_TILDE: u32 = 1 << 9;
/// Read bytes 80 to FF as ISO 8859-1.
pub const UTFALL_UTF7_LATIN1: u32 = 1 << 10;
/// IMAP: accept printable US-ASCII in a run.
pub const UTFALL_UTF7_ENCODED_ASCII: u32 = 1 << 11;
/// IMAP: accept a run directly after another.
pub const UTFALL_UTF7_NULL_SHIFT: u32 = 1 << 12;
/// IMAP: read `/` as the digit `,`.
pub const UTFALL_UTF7_SLASH_DIGIT: u32 = 1 << 13;
/// IMAP: accept a run not closed by `-`.
pub const UTFALL_UTF7_UNTERMINATED: u32 = 1 << 14;
/// Output: encode set O of RFC 2152, such as `&` and `<`, in runs, as mail headers require.
pub const UTFALL_UTF7_SHIFT_SET_O: u32 = 0x4000_0000;
/// Output: close every run with `-`.
pub const UTFALL_UTF7_EXPLICIT_CLOSE: u32 = 0x8000_0000;

/// The options of a conversion. Begin with UTFALL_OPTIONS or `utfall_options_init`; all zeros except `size` are
/// the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct utfall_options {
    /// `sizeof(utfall_options)`, so that later versions can add fields.
    pub size: u32,
    /// The policy for invalid input: UTFALL_STRICT, UTFALL_REPLACE, …
    pub on_invalid: u8,
    /// The policy for characters that the target lacks.
    pub on_unencodable: u8,
    /// How many U+FFFD to write for invalid UTF-8: UTFALL_MAXIMAL_SUBPART, …
    pub granularity: u8,
    /// Byte order marks: UTFALL_BOM_AUTO, …
    pub bom: u8,
    /// UTF-7: UTFALL_UTF7_ values, combined.
    pub utf7: u32,
    /// Whether to replace characters that the target lacks by similar ones (`€` by `EUR`) before
    /// `on_unencodable` applies: 0 or 1.
    pub transliterate: u8,
    /// Streams: whether to count lines and columns, for `utfall_error`: 0 or 1. The other functions always do.
    pub track_position: u8,
    /// How to convert characters that vendors of East Asian charsets map differently:
    /// UTFALL_MAPPINGS_TABLE, …
    pub double_mappings: u8,
    /// Whether to write JIS X 0212 in EUC-JP: 0 or 1.
    pub jis_x_0212: u8,
    /// The text for UTFALL_REPLACE to write for invalid input, in UTF-8, at most 24 code points; NULL for
    /// U+FFFD. The functions copy it.
    pub replacement: *const c_char,
    /// Its length in bytes.
    pub replacement_length: usize,
    /// The text for UTFALL_REPLACE to write for a character that the target lacks; NULL for U+FFFD or `?`.
    pub substitute: *const c_char,
    /// Its length in bytes.
    pub substitute_length: usize,
}

impl utfall_options {
    pub(crate) const DEFAULT: Self = Self {
        size: size_of::<Self>() as u32,
        on_invalid: UTFALL_STRICT,
        on_unencodable: UTFALL_STRICT,
        granularity: UTFALL_MAXIMAL_SUBPART,
        bom: UTFALL_BOM_AUTO,
        utf7: 0,
        transliterate: 0,
        track_position: 0,
        double_mappings: UTFALL_MAPPINGS_TABLE,
        jis_x_0212: 0,
        replacement: ptr::null(),
        replacement_length: 0,
        substitute: ptr::null(),
        substitute_length: 0,
    };

    /// The options that a caller passes; `None` if something in them is unknown.
    ///
    /// # Safety
    /// `options` must be NULL, or point to as many bytes as its first field says.
    pub(crate) unsafe fn read(options: *const Self) -> Option<Self> {
        // SAFETY: the same contract.
        unsafe { sized(options, Self::DEFAULT) }
    }

    /// The same options for the library; `None` if a value is unknown.
    ///
    /// # Safety
    /// The texts must have their lengths for `'a`.
    // Inlined: a short text is converted in the time in which a `Checked` is stored and loaded again.
    #[inline(always)]
    pub(crate) unsafe fn check<'a>(&self) -> Option<Checked<'a>> {
        fn value<T: Copy>(words: &[(&str, T)], number: u8) -> Option<T> {
            words.get(usize::from(number)).map(|(_, value)| *value)
        }
        let is_flag = |flag: u8| flag <= 1;
        if self.transliterate == 1 && cfg!(not(feature = "transliteration")) {
            return None;
        }
        if ![self.transliterate, self.track_position, self.jis_x_0212].into_iter().all(is_flag) {
            return None;
        }
        // SAFETY: the same contract.
        let (replacement, substitute) = unsafe {
            (
                short(self.replacement, self.replacement_length)?,
                short(self.substitute, self.substitute_length)?,
            )
        };
        Some(Checked {
            on_invalid: value(&POLICIES, self.on_invalid)?,
            on_unencodable: value(&POLICIES, self.on_unencodable)?,
            granularity: value(&GRANULARITIES, self.granularity)?,
            bom: value(&BOMS, self.bom)?,
            double_mappings: value(&DOUBLE_MAPPINGS, self.double_mappings)?,
            jis_x_0212: self.jis_x_0212 == 1,
            utf7: Utf7Options::new()
                .with_shift_set_o(self.utf7 & UTFALL_UTF7_SHIFT_SET_O != 0)
                .with_explicit_close(self.utf7 & UTFALL_UTF7_EXPLICIT_CLOSE != 0),
            utf7_tolerance: tolerance(self.utf7)?,
            is_transliterated: self.transliterate == 1,
            replacement,
            substitute,
        })
    }
}

/// Options whose values exist. Those of the library are large: for short texts, it matters that they are only
/// made where they are needed, and not copied.
#[derive(Clone, Copy)]
pub(crate) struct Checked<'a> {
    on_invalid: Policy,
    on_unencodable: Policy,
    granularity: Granularity,
    pub(crate) bom: Bom,
    double_mappings: DoubleMappings,
    jis_x_0212: bool,
    utf7: Utf7Options,
    utf7_tolerance: Utf7Tolerance,
    #[cfg_attr(not(feature = "transliteration"), expect(dead_code))]
    is_transliterated: bool,
    replacement: Option<&'a str>,
    substitute: Option<&'a str>,
}

impl Checked<'_> {
    pub(crate) const STRICT: Self = Self {
        on_invalid: Policy::Strict,
        on_unencodable: Policy::Strict,
        granularity: Granularity::MaximalSubpart,
        bom: Bom::Auto,
        double_mappings: DoubleMappings::Table,
        jis_x_0212: false,
        utf7: Utf7Options::new(),
        utf7_tolerance: Utf7Tolerance::NONE,
        is_transliterated: false,
        replacement: None,
        substitute: None,
    };

    #[inline]
    pub(crate) fn options(&self) -> Options {
        let mut options = Options::strict();
        options.on_ill_formed = self.on_invalid;
        options.on_unencodable = self.on_unencodable;
        options.granularity = self.granularity;
        options.bom = self.bom;
        options.double_mappings = self.double_mappings;
        options.jis_x_0212 = self.jis_x_0212;
        options.utf7 = self.utf7;
        options.utf7_tolerance = self.utf7_tolerance;
        #[cfg(feature = "transliteration")]
        if self.is_transliterated {
            options.transliterate = Some(utfall::Transliterate(utfall_iconv::transliteration));
        }
        if let Some(text) = self.replacement {
            set_text(&mut options.replacement, text);
        }
        if let Some(text) = self.substitute {
            set_text(&mut options.substitute, text);
        }
        options
    }
}

#[cold]
fn set_text(place: &mut Option<Substitute>, text: &str) {
    *place = Substitute::new(text);
}

const STYLES: u32 = UTFALL_UTF7_SHIFT_SET_O | UTFALL_UTF7_EXPLICIT_CLOSE;

/// The deviations in UTF-7 that flags name.
#[inline]
pub(crate) fn tolerance(flags: u32) -> Option<Utf7Tolerance> {
    match flags & !STYLES {
        0 => Some(Utf7Tolerance::NONE),
        _ => named_tolerance(flags),
    }
}

#[cold]
fn named_tolerance(flags: u32) -> Option<Utf7Tolerance> {
    let named = Utf7Tolerance::NAMED;
    if (flags & !STYLES) >> named.len() != 0 {
        return None;
    }
    let is_set = |bit: &usize| flags & 1 << bit != 0;
    let all =
        (0..named.len()).filter(is_set).fold(Utf7Tolerance::NONE, |all, bit| all | named[bit].1);
    utfall_bind::options::conflict(all).is_none().then_some(all)
}

/// A short text, if there is one; the outer `None` if it is not UTF-8 or too long.
///
/// # Safety
/// The text must have this length for `'a`.
#[inline]
unsafe fn short<'a>(pointer: *const c_char, length: usize) -> Option<Option<&'a str>> {
    if pointer.is_null() && length == 0 {
        return Some(None);
    }
    // SAFETY: the same contract.
    unsafe { text(pointer, length) }.and_then(check_text).map(Some)
}

#[cold]
fn check_text(text: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(text).ok()?;
    Substitute::new(text).map(|_| text)
}

/// Reads a struct whose first field is its size in bytes. Of a smaller one, the missing fields are those of
/// `defaults`. A larger one, of a later version, must have only zeros in the fields that are unknown here.
///
/// # Safety
/// `pointer` must be NULL, or point to as many bytes as the size says. `T` must begin with the size, and
/// consist of integers and pointers, which may have any bytes.
#[inline]
pub(crate) unsafe fn sized<T: Copy>(pointer: *const T, defaults: T) -> Option<T> {
    if pointer.is_null() {
        return Some(defaults);
    }
    // SAFETY: the struct begins with its size.
    let size = unsafe { pointer.cast::<u32>().read_unaligned() } as usize;
    if size == size_of::<T>() {
        // SAFETY: the caller passes that many bytes; any bytes are valid for the fields.
        return Some(unsafe { pointer.read_unaligned() });
    }
    // SAFETY: the same contract.
    unsafe { resized(pointer, size, defaults) }
}

/// The same for a struct of another version, with another size.
///
/// # Safety
/// `pointer` must point to as many bytes as the size says, and `T` must be as for [`sized`].
#[cold]
unsafe fn resized<T: Copy>(pointer: *const T, size: usize, defaults: T) -> Option<T> {
    if size < size_of::<u32>() || size > 1 << 16 {
        return None;
    }
    // SAFETY: the caller passes that many bytes.
    let given = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), size) };
    let known = size.min(size_of::<T>());
    if given[known..].iter().any(|byte| *byte != 0) {
        return None;
    }
    let mut options = defaults;
    // SAFETY: both have at least `known` bytes; any bytes are valid for the fields.
    unsafe { ptr::copy_nonoverlapping(given.as_ptr(), (&raw mut options).cast::<u8>(), known) };
    Some(options)
}

/// Sets all options to their defaults.
///
/// @param options receives them; NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_options_init(options: *mut utfall_options) {
    // SAFETY: the caller passes NULL or a place for the options.
    unsafe { crate::arguments::store(options, utfall_options::DEFAULT) };
}

/// Sets one option by the name and the words of the flag of `utfall convert`, without dashes:
/// `on-error` (sets both policies), `on-invalid`, `on-unencodable`, `granularity`, `bom`,
/// `replacement`, `substitute`, `double-mappings`, `jis-x-0212`, `utf7`, `utf7-allow`.
///
/// @param options the options to change, initialized; keeps a pointer to `value` for `replacement` and
///   `substitute`, which must stay valid while they are used.
/// @param name the name of the option, of `name_length` bytes.
/// @param value its value, of `value_length` bytes.
/// @param message receives what is wrong, as `utfall_error_message` does; may be NULL.
/// @param capacity the size of that space in bytes.
/// @return UTFALL_OK or UTFALL_INVALID_ARGUMENT; the options are then unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_options_set(
    options: *mut utfall_options,
    name: *const c_char,
    name_length: usize,
    value: *const c_char,
    value_length: usize,
    message: *mut c_char,
    capacity: usize,
) -> utfall_status {
    guard(UTFALL_BUG, || {
        // SAFETY: the caller passes texts of these lengths, and NULL or options.
        let (name, word, old) =
            unsafe { (text(name, name_length), text(value, value_length), options.as_ref()) };
        let parse = |text: Option<&[u8]>| Some(String::from_utf8_lossy(text?).into_owned());
        let (Some(name), Some(word), Some(old)) = (parse(name), parse(word), old) else {
            return UTFALL_INVALID_ARGUMENT;
        };
        // SAFETY: the texts of the options have their lengths.
        let Some(parsed) = (unsafe { old.check() }) else { return UTFALL_INVALID_ARGUMENT };
        match set(parsed.options(), &name, &word) {
            Ok(new) => {
                let mut changed = old.with(&new);
                match &*name {
                    "replacement" => {
                        (changed.replacement, changed.replacement_length) = (value, value_length);
                    }
                    "substitute" => {
                        (changed.substitute, changed.substitute_length) = (value, value_length);
                    }
                    _ => {}
                }
                // SAFETY: it is not NULL, and the caller passes options to change.
                unsafe { options.write(changed) };
                UTFALL_OK
            }
            Err(why) => {
                // SAFETY: the caller passes space for `capacity` bytes.
                unsafe { copy_text(&why, message, capacity) };
                UTFALL_INVALID_ARGUMENT
            }
        }
    })
}

impl utfall_options {
    /// These options with the numbers of others.
    fn with(&self, new: &Options) -> Self {
        fn number<T: PartialEq>(words: &[(&str, T)], value: T) -> u8 {
            words.iter().position(|(_, it)| *it == value).unwrap_or_default() as u8
        }
        let policy = |policy: Policy| number(&POLICIES, policy);
        let named = Utf7Tolerance::NAMED.iter().enumerate();
        let mut utf7 = named
            .filter(|(_, (_, it, _))| new.utf7_tolerance.contains(*it))
            .fold(0, |all, (bit, _)| all | 1 << bit);
        utf7 |= if new.utf7.shift_set_o { UTFALL_UTF7_SHIFT_SET_O } else { 0 };
        utf7 |= if new.utf7.explicit_close { UTFALL_UTF7_EXPLICIT_CLOSE } else { 0 };
        Self {
            on_invalid: policy(new.on_ill_formed),
            on_unencodable: policy(new.on_unencodable),
            granularity: number(&GRANULARITIES, new.granularity),
            bom: number(&BOMS, new.bom),
            double_mappings: number(&DOUBLE_MAPPINGS, new.double_mappings),
            jis_x_0212: new.jis_x_0212.into(),
            utf7,
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use utfall::Escape;

    use super::*;

    /// The constants are the places in the lists of `utfall_bind`.
    #[test]
    fn numbers_are_those_of_the_words() {
        let policies = [
            (UTFALL_STRICT, Policy::Strict),
            (UTFALL_REPLACE, Policy::Replace),
            (UTFALL_SKIP, Policy::Skip),
            (UTFALL_ESCAPE, Policy::Escape(Escape::Braces)),
            (UTFALL_ESCAPE_XML, Policy::Escape(Escape::Xml)),
            (UTFALL_ESCAPE_PYTHON, Policy::Escape(Escape::Python)),
            (UTFALL_SURROGATEESCAPE, Policy::SurrogateEscape),
        ];
        assert_eq!(policies.len(), POLICIES.len());
        assert!(policies.iter().all(|(number, it)| POLICIES[usize::from(*number)].1 == *it));
        let granularities = [
            (UTFALL_MAXIMAL_SUBPART, Granularity::MaximalSubpart),
            (UTFALL_PER_BYTE, Granularity::PerByte),
            (UTFALL_JDK, Granularity::Jdk),
            (UTFALL_PERL, Granularity::Perl),
        ];
        assert!(granularities.iter().all(|(at, it)| GRANULARITIES[usize::from(*at)].1 == *it));
        let boms = [
            (UTFALL_BOM_AUTO, Bom::Auto),
            (UTFALL_BOM_KEEP, Bom::Keep),
            (UTFALL_BOM_STRIP, Bom::Strip),
            (UTFALL_BOM_ADD, Bom::Add),
        ];
        assert!(boms.iter().all(|(number, it)| BOMS[usize::from(*number)].1 == *it));
        let mappings = [
            (UTFALL_MAPPINGS_TABLE, DoubleMappings::Table),
            (UTFALL_MAPPINGS_ROUND_TRIP, DoubleMappings::RoundTrip),
            (UTFALL_MAPPINGS_EITHER, DoubleMappings::Either),
            (UTFALL_MAPPINGS_JIS, DoubleMappings::Jis),
            (UTFALL_MAPPINGS_MICROSOFT, DoubleMappings::Microsoft),
        ];
        assert!(mappings.iter().all(|(at, it)| DOUBLE_MAPPINGS[usize::from(*at)].1 == *it));
        let source = include_str!("options.rs");
        for (bit, (name, tolerance, _)) in Utf7Tolerance::NAMED.iter().enumerate() {
            assert_eq!(super::tolerance(1 << bit), Some(*tolerance));
            let name = name.to_uppercase().replace('-', "_");
            let value = if bit == 0 { "1".into() } else { format!("1 << {bit}") };
            assert!(source.contains(&format!("UTFALL_UTF7_{name}: u32 = {value};")), "{name}");
        }
        assert_eq!(tolerance(1 << 20), None);
    }

    #[test]
    fn sizes_may_differ() {
        let mut options = utfall_options { bom: UTFALL_BOM_ADD, ..utfall_options::DEFAULT };
        let read = |options: &utfall_options| {
            // SAFETY: the struct has at least the size that it says.
            unsafe { utfall_options::read(options) }.map(|read| (read.bom, read.utf7))
        };
        options.utf7 = 1;
        assert_eq!(read(&options), Some((UTFALL_BOM_ADD, 1)));
        options.size = 8;
        assert_eq!(read(&options), Some((UTFALL_BOM_ADD, 0)));
        options.size = 3;
        assert_eq!(read(&options), None);

        #[repr(C)]
        struct Larger(utfall_options, u64);
        let mut larger = Larger(utfall_options::DEFAULT, 0);
        larger.0.size = size_of::<Larger>() as u32;
        // SAFETY: the struct has the size that it says.
        let read = |larger: &Larger| unsafe { utfall_options::read((&raw const *larger).cast()) };
        assert!(read(&larger).is_some());
        larger.1 = 1;
        assert!(read(&larger).is_none());
    }
}
