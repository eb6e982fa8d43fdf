//! Methods of tokens and vectors that are an expression of intrinsics.
//!
//! Methods of a trait cannot have features, so each calls a function that has them. That call and
//! loads and stores are the only `unsafe` code of tokens and vectors. A user of these
//! macros guarantees that a value of the type exists only in code that runs with the features of
//! `featured!`, and calls its register `Register`.

/// Methods of a token that make a vector.
macro_rules! constructors {
    ($vector:ident: $( $name:ident($($value:ident: $type:ty),+) = $register:expr; )*) => { $(
        #[inline(always)]
        fn $name(self, $($value: $type),+) -> $vector {
            featured! {
                #[inline]
                fn register($($value: $type),+) -> Register {
                    $register
                }
            }
            // SAFETY: the invariant of the token.
            $vector(unsafe { register($($value),+) })
        }
    )* };
}

/// Methods of one vector or more that make another.
macro_rules! vectors {
    ($( $name:ident($first:ident $(, $other:ident)*) = $register:expr; )*) => { $(
        #[inline(always)]
        fn $name(self $(, $other: Self)*) -> Self {
            featured! {
                #[inline]
                fn register($first: Register $(, $other: Register)*) -> Register {
                    $register
                }
            }
            // SAFETY: the invariant of the vector.
            Self(unsafe { register(self.0 $(, $other.0)*) })
        }
    )* };
}

/// Methods that shift by a constant, `BITS`.
macro_rules! shifts {
    ($( $name:ident($vector:ident) = $register:expr; )*) => { $(
        #[inline(always)]
        fn $name<const BITS: i32>(self) -> Self {
            featured! {
                #[inline]
                fn register<const BITS: i32>($vector: Register) -> Register {
                    $register
                }
            }
            // SAFETY: the invariant of the vector.
            Self(unsafe { register::<BITS>(self.0) })
        }
    )* };
}

/// Methods of a vector that make something else.
macro_rules! values {
    ($( $name:ident($vector:ident) -> $result:ty = $value:expr; )*) => { $(
        #[inline(always)]
        fn $name(self) -> $result {
            featured! {
                #[inline]
                fn value($vector: Register) -> $result {
                    $value
                }
            }
            // SAFETY: the invariant of the vector.
            unsafe { value(self.0) }
        }
    )* };
}
