//! The table of an instruction set that gives [`Simd`](crate::simd::Simd) its vectors: the
//! algorithms of `generic/` with those vectors.
//!
//! Such an instruction set has two macros of its own: `featured!` gives a function its features,
//! `token!` makes its token.

/// Kernels that compile a function of `generic/` with an instruction set. The function gets the
/// token before its other arguments.
macro_rules! kernels {
    ($( $of:vis $name:ident($($argument:ident: $type:ty),*) -> $result:ty
        = $generic:expr; )*) => { $(
        featured! {
            $of fn $name($($argument: $type),*) -> $result {
                ($generic)(token!(), $($argument),*)
            }
        }
    )* };
    // With a shorter function for modules of `bindings/js`, which browsers download.
    ($( $name:ident($($argument:ident: $type:ty),*) -> $result:ty
        = $generic:expr, or $small:expr; )*) => { $(
        featured! {
            fn $name($($argument: $type),*) -> $result {
                if cfg!(utfall_js) {
                    ($small)($($argument),*)
                } else {
                    ($generic)(token!(), $($argument),*)
                }
            }
        }
    )* };
    ($( $name:ident($src:ident: $type:ty $(, $dst:ident: $dst_type:ty)?) -> $result:ty
        = $short:expr, from $length:literal $generic:expr, or $small:expr; )*) => { $(
        featured! {
            fn $name($src: $type $(, $dst: $dst_type)?) -> $result {
                featured! {
                    #[inline(never)]
                    fn long($src: $type $(, $dst: $dst_type)?) -> $result {
                        ($generic)(token!(), $src $(, $dst)?)
                    }
                }
                if cfg!(utfall_js) {
                    ($small)($src $(, $dst)?)
                } else if $src.len() < $length {
                    ($short)($src $(, $dst)?)
                } else {
                    long($src $(, $dst)?)
                }
            }
        }
    )* };
    // The same for text from a given length on, with other functions for shorter text. Those do
    // not have to save registers and reserve stack space that they do not use.
    ($( $name:ident($src:ident: $type:ty $(, $dst:ident: $dst_type:ty)?) -> $result:ty
        = $short:expr, from $length:literal $generic:expr; )*) => { $(
        featured! {
            fn $name($src: $type $(, $dst: $dst_type)?) -> $result {
                featured! {
                    #[inline(never)]
                    fn long($src: $type $(, $dst: $dst_type)?) -> $result {
                        ($generic)(token!(), $src $(, $dst)?)
                    }
                }
                if $src.len() < $length { ($short)($src $(, $dst)?) } else { long($src $(, $dst)?) }
            }
        }
    )* };
    ($( $name:ident($src:ident: $type:ty, $dst:ident: $dst_type:ty) -> $result:ty
        = $short:expr, from $middling:literal $middle:expr, from $length:literal $generic:expr
        $(, or $small:expr)?;
    )*) => { $(
        featured! {
            fn $name($src: $type, $dst: $dst_type) -> $result {
                featured! {
                    #[inline(never)]
                    fn long($src: $type, $dst: $dst_type) -> $result {
                        ($generic)(token!(), $src, $dst)
                    }
                }
                $( if cfg!(utfall_js) {
                    return ($small)($src, $dst);
                } )?
                match $src.len() {
                    ..$middling => ($short)($src, $dst),
                    ..$length => ($middle)(token!(), $src, $dst),
                    _ => long($src, $dst),
                }
            }
        }
    )* };
    // With a first attempt, which does not have to save registers either.
    ($( $name:ident($src:ident: $type:ty, $dst:ident: $dst_type:ty) -> $result:ty
        = $short:expr, try from $length:literal $try:expr, else $generic:expr; )*) => { $(
        featured! {
            fn $name($src: $type, $dst: $dst_type) -> $result {
                featured! {
                    #[inline(never)]
                    fn long($src: $type, $dst: $dst_type) -> $result {
                        ($generic)(token!(), $src, $dst)
                    }
                }
                if $src.len() < $length {
                    ($short)($src, $dst)
                } else if let Some(done) = ($try)(token!(), $src, &mut *$dst) {
                    done
                } else {
                    long($src, $dst)
                }
            }
        }
    )* };
}

/// Conversions with a condition that tells whether the text is too short for vectors. Such text
/// goes to the scalar function before registers are saved for the vector function.
macro_rules! conversions {
    ($( $name:ident = $generic:expr, if $short:expr => $scalar:expr $(, or $small:expr)?; )*) => { $(
        featured! {
            fn $name(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                featured! {
                    #[inline(never)]
                    fn vectors(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                        ($generic)(token!(), src, dst)
                    }
                }
                $( if cfg!(utfall_js) {
                    return ($small)(src, dst);
                } )?
                if ($short)(token!(), src) {
                    return ($scalar)(src, dst);
                }
                vectors(src, dst)
            }
        }
    )* };
    // Three functions: one for short text, one for most other text, and one that continues after it.
    ($( $name:ident = $scalar:expr, from $length:literal $most:expr, else $generic:expr
        $(, or $small:expr)?; )*) => { $(
        featured! {
            fn $name(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                featured! {
                    #[inline(never)]
                    fn rest(src: &[u8], dst: &mut [u8], done: (usize, usize)) -> (usize, usize) {
                        ($generic)(token!(), src, dst, done)
                    }
                }
                featured! {
                    #[inline(never)]
                    fn most(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                        let done = ($most)(token!(), src, &mut *dst);
                        if done.0 == src.len() { done } else { rest(src, dst, done) }
                    }
                }
                $( if cfg!(utfall_js) {
                    return ($small)(src, dst);
                } )?
                if src.len() < $length {
                    ($scalar)(src, dst)
                } else if cfg!(utfall_js) {
                    rest(src, dst, (0, 0))
                } else {
                    most(src, dst)
                }
            }
        }
    )* };
}

/// Conversions that take the table of a single-byte charset. Text up to a given length goes to the
/// scalar function.
macro_rules! by_table {
    ($( $name:ident -> $result:ty = $short:expr, from $length:expr, $generic:expr; )*) => { $(
        featured! {
            pub(crate) fn $name(table: &Table, src: &[u8], dst: &mut [u8]) -> $result {
                featured! {
                    #[inline(never)]
                    fn long(table: &Table, src: &[u8], dst: &mut [u8]) -> $result {
                        ($generic)(token!(), table, src, dst)
                    }
                }
                if src.len() < $length { ($short)(table, src, dst) } else { long(table, src, dst) }
            }
        }
    )* };
}

/// `table`, which returns the table of the given name.
macro_rules! table {
    ($name:literal) => {
        use $crate::arch::scalar::{
            BIG, LITTLE, Latin1, Utf8, Utf16, Utf32, convert_call, single_byte as few,
        };
        use $crate::generic::utf8_to::{
            convert, convert_few, convert_lossy, convert_lossy_short, convert_short,
        };
        use $crate::generic::single_byte::{self, LONG, SHORT};
        use $crate::generic::{ascii, codes, latin1, map, remarkable, small, to_utf8, utf8, utf8_latin1, utf16, utf32, utf7};
        use $crate::kernels::Lossy;
        use $crate::single_byte::Table;
        use $crate::utf7::{RunState, Style};

        // East Asian charsets.
        kernels! {
            bytes_from_codes(units: &[u16], dst: &mut [u8]) -> (usize, usize) = codes::to_bytes;
        }

        // Runs of ASCII.
        kernels! {
            ascii_prefix(src: &[u8]) -> usize = ascii::prefix_short, from 64 ascii::prefix;
        }

        // UTF-8.
        kernels! {
            utf8_count(src: &[u8]) -> usize = utf8::count;
            utf8_unremarkable_prefix(src: &[u8]) -> usize = remarkable::prefix;
            utf16_len_from_utf8(src: &[u8]) -> usize = utf8::utf16_len;
        }

        kernels! {
            utf8_prefix(src: &[u8]) -> usize = utf8::prefix_short, from 16 utf8::prefix;
            utf8_latin1_prefix(src: &[u8]) -> usize
                = utf8_latin1::prefix_short, from 64 utf8_latin1::prefix;
            utf8_to_latin1(src: &[u8], dst: &mut [u8]) -> (usize, usize)
                = utf8_latin1::convert_short, from 72 utf8_latin1::convert;
            utf8_to_utf8_lossy(src: &[u8], dst: &mut [u8]) -> Lossy
                = utf8::repair_short, from 19 utf8::repair;
        }

        kernels! {
            utf8_to_utf16le(src: &[u8], dst: &mut [u8]) -> (usize, usize)
                = convert_short::<Utf16<LITTLE>>,
                    from 16 convert_few::<_, Utf16<LITTLE>>,
                    from 113 convert::<_, Utf16<LITTLE>>;
            utf8_to_utf16be(src: &[u8], dst: &mut [u8]) -> (usize, usize)
                = convert_short::<Utf16<BIG>>,
                    from 16 convert_few::<_, Utf16<BIG>>,
                    from 113 convert::<_, Utf16<BIG>>,
                    or |src, dst| small::to_swapped::<_, 2>(token!(), src, dst, utf8_to_utf16le);
            utf8_to_utf32le(src: &[u8], dst: &mut [u8]) -> (usize, usize)
                = convert_short::<Utf32<LITTLE>>,
                    from 16 convert_few::<_, Utf32<LITTLE>>,
                    from 65 convert::<_, Utf32<LITTLE>>;
            utf8_to_utf32be(src: &[u8], dst: &mut [u8]) -> (usize, usize)
                = convert_short::<Utf32<BIG>>,
                    from 16 convert_few::<_, Utf32<BIG>>,
                    from 65 convert::<_, Utf32<BIG>>,
                    or |src, dst| small::to_swapped::<_, 4>(token!(), src, dst, utf8_to_utf32le);
        }

        kernels! {
            utf8_count_lossy(src: &[u8]) -> usize
                = utf8::count_lossy_short, from 19 utf8::count_lossy,
                or |src| small::sum_lossy(src, utf8_prefix, |src| utf8_count(src));
            utf16_len_from_utf8_lossy(src: &[u8]) -> usize
                = utf8::utf16_len_lossy_short, from 19 utf8::utf16_len_lossy,
                or |src| small::sum_lossy(src, utf8_prefix, |src| utf16_len_from_utf8(src) / 2) * 2;
            utf8_to_utf16le_lossy(src: &[u8], dst: &mut [u8]) -> Lossy
                = convert_lossy_short::<Utf16<LITTLE>>, from 48 convert_lossy::<_, Utf16<LITTLE>>,
                or |src, dst| small::lossy::<Utf8, Utf16<LITTLE>>(
                    src, dst, convert_short::<Utf16<LITTLE>>, utf8_to_utf16le);
            utf8_to_utf16be_lossy(src: &[u8], dst: &mut [u8]) -> Lossy
                = convert_lossy_short::<Utf16<BIG>>, from 48 convert_lossy::<_, Utf16<BIG>>,
                or |src, dst| small::lossy::<Utf8, Utf16<BIG>>(
                    src, dst, convert_short::<Utf16<BIG>>, utf8_to_utf16be);
            utf8_to_utf32le_lossy(src: &[u8], dst: &mut [u8]) -> Lossy
                = convert_lossy_short::<Utf32<LITTLE>>, from 48 convert_lossy::<_, Utf32<LITTLE>>,
                or |src, dst| small::lossy::<Utf8, Utf32<LITTLE>>(
                    src, dst, convert_short::<Utf32<LITTLE>>, utf8_to_utf32le);
            utf8_to_utf32be_lossy(src: &[u8], dst: &mut [u8]) -> Lossy
                = convert_lossy_short::<Utf32<BIG>>, from 48 convert_lossy::<_, Utf32<BIG>>,
                or |src, dst| small::lossy::<Utf8, Utf32<BIG>>(
                    src, dst, convert_short::<Utf32<BIG>>, utf8_to_utf32be);
        }

        kernels! {
            utf16le_to_utf8_lossy(src: &[u8], dst: &mut [u8]) -> Lossy
                = to_utf8::lossy::<_, LITTLE>,
                or |src, dst| small::lossy::<Utf16<LITTLE>, Utf8>(
                    src, dst, convert_call::<Utf16<LITTLE>, Utf8>, utf16le_to_utf8);
            utf16be_to_utf8_lossy(src: &[u8], dst: &mut [u8]) -> Lossy
                = to_utf8::lossy::<_, BIG>,
                or |src, dst| small::lossy::<Utf16<BIG>, Utf8>(
                    src, dst, convert_call::<Utf16<BIG>, Utf8>, utf16be_to_utf8);
        }

        // To UTF-8.
        conversions! {
            utf16le_to_utf8 = convert_call::<Utf16<LITTLE>, Utf8>,
                from 16 to_utf8::convert_basic::<_, Utf16<LITTLE>>, else to_utf8::convert::<_, Utf16<LITTLE>>;
            utf16be_to_utf8 = convert_call::<Utf16<BIG>, Utf8>,
                from 16 to_utf8::convert_basic::<_, Utf16<BIG>>, else to_utf8::convert::<_, Utf16<BIG>>,
                or |src, dst| small::from_swapped::<_, 2>(token!(), src, dst, utf16le_to_utf8);
            utf32le_to_utf8 = convert_call::<Utf32<LITTLE>, Utf8>,
                from 32 to_utf8::convert_basic::<_, Utf32<LITTLE>>, else to_utf8::convert::<_, Utf32<LITTLE>>;
            utf32be_to_utf8 = convert_call::<Utf32<BIG>, Utf8>,
                from 32 to_utf8::convert_basic::<_, Utf32<BIG>>, else to_utf8::convert::<_, Utf32<BIG>>,
                or |src, dst| small::from_swapped::<_, 4>(token!(), src, dst, utf32le_to_utf8);
            latin1_to_utf8 = convert_call::<Latin1, Utf8>,
                from 8 to_utf8::convert_basic::<_, Latin1>, else to_utf8::convert::<_, Latin1>;
        }

        // From UTF-16.
        kernels! {
            utf16le_to_utf16be(src: &[u8], dst: &mut [u8]) -> (usize, usize)
                = utf16::swap::<_, LITTLE>;
            utf16le_latin1_prefix(src: &[u8]) -> usize = utf16::latin1_prefix::<_, LITTLE>;
            utf16le_prefix(src: &[u8]) -> usize = utf16::prefix::<_, LITTLE>;
            utf16le_count(src: &[u8]) -> usize = utf16::count::<_, LITTLE>;
            utf8_len_from_utf16le(src: &[u8]) -> usize = utf16::utf8_len::<_, LITTLE>;
            utf16be_to_utf16le(src: &[u8], dst: &mut [u8]) -> (usize, usize)
                = utf16::swap::<_, BIG>;
            utf16be_latin1_prefix(src: &[u8]) -> usize = utf16::latin1_prefix::<_, BIG>;
            utf16be_prefix(src: &[u8]) -> usize = utf16::prefix::<_, BIG>;
            utf16be_count(src: &[u8]) -> usize = utf16::count::<_, BIG>;
            utf8_len_from_utf16be(src: &[u8]) -> usize = utf16::utf8_len::<_, BIG>;
        }

        kernels! {
            utf16le_to_utf16le_lossy(src: &[u8], dst: &mut [u8]) -> Lossy
                = utf16::to_well_formed_short::<LITTLE>,
                    try from 8 utf16::copy_short::<_, LITTLE>, else utf16::to_well_formed::<_, LITTLE>;
            utf16be_to_utf16be_lossy(src: &[u8], dst: &mut [u8]) -> Lossy
                = utf16::to_well_formed_short::<BIG>,
                    try from 8 utf16::copy_short::<_, BIG>, else utf16::to_well_formed::<_, BIG>;
        }

        conversions! {
            utf16le_to_utf32le = utf16::to_utf32::<_, LITTLE, LITTLE>,
                if map::is_short::<_, 4> => convert_call::<Utf16<LITTLE>, Utf32<LITTLE>>;
            utf16le_to_utf32be = utf16::to_utf32::<_, LITTLE, BIG>,
                if map::is_short::<_, 4> => convert_call::<Utf16<LITTLE>, Utf32<BIG>>,
                or |src, dst| small::to_swapped::<_, 4>(token!(), src, dst, utf16le_to_utf32le);
            utf16le_to_latin1 = utf16::to_latin1::<_, LITTLE>,
                if map::is_short::<_, 8> => convert_call::<Utf16<LITTLE>, Latin1>;
            utf16be_to_utf32le = utf16::to_utf32::<_, BIG, LITTLE>,
                if map::is_short::<_, 4> => convert_call::<Utf16<BIG>, Utf32<LITTLE>>,
                or |src, dst| small::from_swapped::<_, 2>(token!(), src, dst, utf16le_to_utf32le);
            utf16be_to_utf32be = utf16::to_utf32::<_, BIG, BIG>,
                if map::is_short::<_, 4> => convert_call::<Utf16<BIG>, Utf32<BIG>>,
                or |src, dst| small::from_swapped::<_, 2>(token!(), src, dst, utf16le_to_utf32be);
            utf16be_to_latin1 = utf16::to_latin1::<_, BIG>,
                if map::is_short::<_, 8> => convert_call::<Utf16<BIG>, Latin1>;
        }

        // From UTF-32.
        kernels! {
            utf32le_to_utf32be(src: &[u8], dst: &mut [u8]) -> (usize, usize)
                = utf32::swap::<_, LITTLE>;
            utf32le_prefix(src: &[u8]) -> usize = utf32::prefix::<_, LITTLE>;
            utf8_len_from_utf32le(src: &[u8]) -> usize = utf32::utf8_len::<_, LITTLE>;
            utf16_len_from_utf32le(src: &[u8]) -> usize = utf32::utf16_len::<_, LITTLE>;
            utf32be_to_utf32le(src: &[u8], dst: &mut [u8]) -> (usize, usize)
                = utf32::swap::<_, BIG>;
            utf32be_prefix(src: &[u8]) -> usize = utf32::prefix::<_, BIG>;
            utf8_len_from_utf32be(src: &[u8]) -> usize = utf32::utf8_len::<_, BIG>;
            utf16_len_from_utf32be(src: &[u8]) -> usize = utf32::utf16_len::<_, BIG>;
        }

        conversions! {
            utf32le_to_utf16le = utf32::to_utf16::<_, LITTLE, LITTLE>,
                if map::is_short::<_, 8> => convert_call::<Utf32<LITTLE>, Utf16<LITTLE>>;
            utf32le_to_utf16be = utf32::to_utf16::<_, LITTLE, BIG>,
                if map::is_short::<_, 8> => convert_call::<Utf32<LITTLE>, Utf16<BIG>>,
                or |src, dst| small::to_swapped::<_, 2>(token!(), src, dst, utf32le_to_utf16le);
            utf32le_to_latin1 = utf32::to_latin1::<_, LITTLE>,
                if map::is_short::<_, 16> => convert_call::<Utf32<LITTLE>, Latin1>;
            utf32be_to_utf16le = utf32::to_utf16::<_, BIG, LITTLE>,
                if map::is_short::<_, 8> => convert_call::<Utf32<BIG>, Utf16<LITTLE>>,
                or |src, dst| small::from_swapped::<_, 4>(token!(), src, dst, utf32le_to_utf16le);
            utf32be_to_utf16be = utf32::to_utf16::<_, BIG, BIG>,
                if map::is_short::<_, 8> => convert_call::<Utf32<BIG>, Utf16<BIG>>,
                or |src, dst| small::from_swapped::<_, 4>(token!(), src, dst, utf32le_to_utf16be);
            utf32be_to_latin1 = utf32::to_latin1::<_, BIG>,
                if map::is_short::<_, 16> => convert_call::<Utf32<BIG>, Latin1>;
        }

        // From Latin-1.
        kernels! {
            utf8_len_from_latin1(src: &[u8]) -> usize = latin1::utf8_len;
        }

        conversions! {
            latin1_to_utf16le = latin1::to_utf16::<_, LITTLE>,
                if map::is_short::<_, 2> => convert_call::<Latin1, Utf16<LITTLE>>;
            latin1_to_utf32le = latin1::to_utf32::<_, LITTLE>,
                if map::is_short::<_, 1> => convert_call::<Latin1, Utf32<LITTLE>>;
            latin1_to_utf16be = latin1::to_utf16::<_, BIG>,
                if map::is_short::<_, 2> => convert_call::<Latin1, Utf16<BIG>>;
            latin1_to_utf32be = latin1::to_utf32::<_, BIG>,
                if map::is_short::<_, 1> => convert_call::<Latin1, Utf32<BIG>>;
        }

        // UTF-7.
        featured! {
            pub(crate) fn utf7_to_utf8(
                state: &mut RunState, src: &[u8], dst: &mut [u8]
            ) -> (usize, usize) {
                featured! {
                    #[inline(never)]
                    fn long(state: &mut RunState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                        utf7::long_to_utf8(token!(), state, src, dst)
                    }
                }
                if utf7::has_blocks(token!()) && src.len() >= utf7::LONG {
                    long(state, src, dst)
                } else {
                    utf7::to_utf8(token!(), state, src, dst)
                }
            }
        }
        kernels! {
            pub(crate) utf7_to_utf16le(state: &mut RunState, src: &[u8], dst: &mut [u8]) -> (usize, usize)
                = utf7::to_utf16::<_, LITTLE>;
            pub(crate) utf7_to_utf16be(state: &mut RunState, src: &[u8], dst: &mut [u8]) -> (usize, usize)
                = utf7::to_utf16::<_, BIG>;
            pub(crate) utf8_to_utf7(
                style: Style, state: &mut RunState, src: &[u8], dst: &mut [u8]
            ) -> (usize, usize) = utf7::from_utf8;
            pub(crate) utf16le_to_utf7(
                style: Style, state: &mut RunState, src: &[u8], dst: &mut [u8]
            ) -> (usize, usize) = utf7::from_utf16::<_, LITTLE>;
            pub(crate) utf16be_to_utf7(
                style: Style, state: &mut RunState, src: &[u8], dst: &mut [u8]
            ) -> (usize, usize) = utf7::from_utf16::<_, BIG>;
        }

        use $crate::arch::scalar::utf7::len_from_utf8 as utf7_len_from_utf8;

        // Single-byte charsets.
        by_table! {
            utf8_from_table -> (usize, usize)
                = few::to_utf8_strict, from SHORT, single_byte::to_utf8_strict;
            utf16le_from_table -> (usize, usize)
                = few::to_utf16_strict::<LITTLE>, from LONG, single_byte::to_utf16_strict::<_, LITTLE>;
            utf16be_from_table -> (usize, usize)
                = few::to_utf16_strict::<BIG>, from LONG, single_byte::to_utf16_strict::<_, BIG>;
            utf8_from_table_lossy -> Lossy
                = few::to_utf8::<true>, from SHORT, single_byte::to_utf8::<_, true>;
            utf16le_from_table_lossy -> Lossy
                = few::to_utf16::<LITTLE, true>, from LONG, single_byte::to_utf16::<_, LITTLE, true>;
            utf16be_from_table_lossy -> Lossy
                = few::to_utf16::<BIG, true>, from LONG, single_byte::to_utf16::<_, BIG, true>;
            table_from_utf8 -> (usize, usize)
                = few::from_utf8, from LONG, single_byte::from_utf8;
            table_from_utf16le -> (usize, usize)
                = few::from_utf16::<LITTLE>, from LONG, single_byte::from_utf16::<_, LITTLE>;
            table_from_utf16be -> (usize, usize)
                = few::from_utf16::<BIG>, from LONG, single_byte::from_utf16::<_, BIG>;
        }

        featured! {
            fn table() -> &'static $crate::Kernels {
                &$crate::kernels::list!(named_alike! $name)
            }
        }
    };
}

/// A table of functions that are named as the kernels are.
macro_rules! named_alike {
    (
        $name:literal
        convert { $( $(#[$_doc_c:meta])* $convert:ident $_forms_c:tt, )* }
        lossy { $( $(#[$_doc_l:meta])* $lossy:ident $_forms_l:tt, )* }
        measure { $( $(#[$_doc_m:meta])* $measure:ident, )* }
    ) => {
        $crate::Kernels {
            name: $name,
            $( $convert, )*
            $( $lossy, )*
            $( $measure, )*
            utf7_to_utf8,
            utf7_to_utf16le: $crate::kernels::unless_small!(utf7_to_utf16le),
            utf7_to_utf16be: $crate::kernels::unless_small!(utf7_to_utf16be),
            utf8_to_utf7,
            utf16le_to_utf7: $crate::kernels::unless_small!(utf16le_to_utf7),
            utf16be_to_utf7: $crate::kernels::unless_small!(utf16be_to_utf7),
            utf7_len_from_utf8,
            utf8_from_table,
            utf16le_from_table,
            utf16be_from_table,
            utf8_from_table_lossy,
            utf16le_from_table_lossy,
            utf16be_from_table_lossy,
            table_from_utf8,
            table_from_utf16le,
            table_from_utf16be,
            utf8_from_pairs: None,
            utf16le_from_pairs: None,
            utf16be_from_pairs: None,
            bytes_from_codes: $crate::kernels::unless_small!(bytes_from_codes),
        }
    };
}
