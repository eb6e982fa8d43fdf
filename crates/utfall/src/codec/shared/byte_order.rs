//! Byte order: in the name of the encoding, or told by a byte order mark, or big-endian.

use crate::codec::Next;
use crate::{Bom, Options};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::codec) enum Order {
    Little,
    Big,
}

impl Order {
    /// One of two, by this order.
    pub(in crate::codec) fn choose<T>(self, little: T, big: T) -> T {
        match self {
            Self::Little => little,
            Self::Big => big,
        }
    }
}

/// The byte order of text that is being read.
#[derive(Clone)]
pub(in crate::codec) struct OrderRead {
    /// `None` until a byte order mark, or its absence, has decided.
    order: Option<Order>,
    /// Without an order in its name, an encoding takes a mark for itself, unless it is to be
    /// kept.
    removes_bom: bool,
}

impl OrderRead {
    /// The order that the name of the encoding says, if it does.
    pub(in crate::codec) fn new(order: Option<Order>, options: &Options) -> Self {
        Self { order, removes_bom: order.is_none() && options.bom != Bom::Keep }
    }

    pub(in crate::codec) fn known(&self) -> Option<Order> {
        self.order
    }

    pub(in crate::codec) fn removes_bom(&self) -> bool {
        self.removes_bom
    }

    /// The order, or, once, what becomes of the mark that has decided it. `mark` is the
    /// big-endian one.
    pub(in crate::codec) fn decide<const N: usize>(
        &mut self,
        mark: [u8; N],
        src: &[u8],
        last: bool,
    ) -> Result<Order, Next> {
        if let Some(order) = self.order {
            return Ok(order);
        }
        let mut reversed = mark;
        reversed.reverse();
        let order = match src.first_chunk() {
            Some(found) if *found == mark => Order::Big,
            Some(found) if *found == reversed => Order::Little,
            None if !last => return Err(Next::End),
            _ => {
                self.order = Some(Order::Big);
                return Ok(Order::Big);
            }
        };
        self.order = Some(order);
        Err(match self.removes_bom {
            true => Next::Skip { length: N },
            false => Next::Point { point: 0xFEFF, length: N },
        })
    }
}

/// Whether an encoder writes a mark before the first character.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::codec) enum Mark {
    /// The encoding wants one.
    Always,
    /// If the text begins with U+FEFF, which a decoder would take for a mark.
    IfTextHasOne,
    /// No, or it has been written.
    Never,
}

impl Mark {
    /// This, unless no marks are wanted.
    pub(in crate::codec) fn unless_stripped(self, options: &Options) -> Self {
        if options.bom == Bom::Strip { Self::Never } else { self }
    }

    /// Whether one is to be written before `point`.
    pub(in crate::codec) fn precedes(self, point: u32) -> bool {
        match self {
            Self::Always => true,
            Self::IfTextHasOne => point == 0xFEFF,
            Self::Never => false,
        }
    }
}
