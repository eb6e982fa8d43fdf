//! The formats of libiconv's `--byte-subst`, `--widechar-subst` and `--unicode-subst`.

use std::fmt::Write as _;

/// A text with a placeholder for one number, in the syntax of C's `printf`.
///
/// ```
/// use utfall_iconv::Format;
/// let format = Format::parse("<0x%02X>").unwrap();
/// assert_eq!(format.of(10), "<0x0A>");
/// assert_eq!(Format::parse("100%% %-4u|").unwrap().of(7), "100% 7   |");
/// assert!(Format::parse("%s").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    before: String,
    number: Option<Number>,
    after: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Number {
    left: bool,
    zeros: bool,
    alternate: bool,
    width: usize,
    digits: Option<usize>,
    radix: Radix,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Radix {
    #[default]
    Decimal,
    Octal,
    Lower,
    Upper,
}

/// The maximum field width.
const WIDEST: usize = 64;

impl Format {
    /// Parses a format. It may have one directive with a conversion of `d i u o x X`, the flags
    /// `-`, `0` and `#`, a width and a precision. `%%` is a percent sign.
    ///
    /// # Errors
    /// Returns a description of the error.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut format = Self { before: String::new(), number: None, after: String::new() };
        let mut rest = text.chars().peekable();
        while let Some(scalar) = rest.next() {
            let literal =
                if format.number.is_none() { &mut format.before } else { &mut format.after };
            if scalar != '%' {
                literal.push(scalar);
                continue;
            }
            if rest.next_if_eq(&'%').is_some() {
                literal.push('%');
                continue;
            }
            if format.number.is_some() {
                return Err(format!("\"{text}\" has more than one directive"));
            }
            let mut number = Number::default();
            while let Some(flag) = rest.next_if(|c| "-0#+ '".contains(*c)) {
                match flag {
                    '-' => number.left = true,
                    '0' => number.zeros = true,
                    '#' => number.alternate = true,
                    // An unsigned number has no signs or groups.
                    _ => {}
                }
            }
            number.width = digits(&mut rest).unwrap_or(0);
            if rest.next_if_eq(&'.').is_some() {
                number.digits = Some(digits(&mut rest).unwrap_or(0));
            }
            while rest.next_if(|c| "hlLqjzt".contains(*c)).is_some() {}
            number.radix = match rest.next() {
                Some('d' | 'i' | 'u') => Radix::Decimal,
                Some('o') => Radix::Octal,
                Some('x') => Radix::Lower,
                Some('X') => Radix::Upper,
                _ => return Err(format!("\"{text}\": after % only d, i, u, o, x or X")),
            };
            if number.width.max(number.digits.unwrap_or(0)) > WIDEST {
                return Err(format!("\"{text}\": a number of more than {WIDEST} digits"));
            }
            format.number = Some(number);
        }
        Ok(format)
    }

    /// The text for a number.
    #[must_use]
    pub fn of(&self, value: u32) -> String {
        let number = self.number.map_or_else(String::new, |number| number.of(value));
        format!("{}{number}{}", self.before, self.after)
    }
}

impl Number {
    fn of(self, value: u32) -> String {
        let mut digits = String::new();
        _ = match self.radix {
            Radix::Decimal => write!(digits, "{value}"),
            Radix::Octal => write!(digits, "{value:o}"),
            Radix::Lower => write!(digits, "{value:x}"),
            Radix::Upper => write!(digits, "{value:X}"),
        };
        let prefix = match self.radix {
            Radix::Octal if self.alternate && value != 0 => "0",
            Radix::Lower if self.alternate && value != 0 => "0x",
            Radix::Upper if self.alternate && value != 0 => "0X",
            _ => "",
        };
        let wanted = match self.digits {
            Some(wanted) => wanted,
            None if self.zeros && !self.left => self.width.saturating_sub(prefix.len()),
            None => 0,
        };
        let text = format!("{prefix}{digits:0>wanted$}");
        match self.left {
            true => format!("{text:<width$}", width = self.width),
            false => format!("{text:>width$}", width = self.width),
        }
    }
}

fn digits(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<usize> {
    let mut text = String::new();
    while let Some(digit) = rest.next_if(char::is_ascii_digit) {
        text.push(digit);
    }
    // A number too large to parse is too large in any case.
    (!text.is_empty()).then(|| text.parse().unwrap_or(usize::MAX))
}
