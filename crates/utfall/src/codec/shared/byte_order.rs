//! Byte order: determined by the name of the encoding or a byte order mark; otherwise big-endian.

use crate::codec::Next;
use crate::{Bom, ByteOrder, Options};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::codec) enum Order {
    Little,
    Big,
}

impl Order {
    /// Selects one of two values by byte order.
    pub(in crate::codec) fn choose<T>(self, little: T, big: T) -> T {
        match self {
            Self::Little => little,
            Self::Big => big,
        }
    }
}

/// The property of an encoding whose name has this order, if any.
pub(in crate::codec) const fn property(order: Option<Order>) -> ByteOrder {
    match order {
        Some(Order::Little) => ByteOrder::Little,
        Some(Order::Big) => ByteOrder::Big,
        None => ByteOrder::Marked,
    }
}

/// The byte order of the input.
#[derive(Clone)]
pub(in crate::codec) struct OrderRead {
    /// `None` until a BOM, or its absence, has determined it.
    order: Option<Order>,
    /// If the name of the encoding has no order, a BOM is consumed, unless [`Bom::Keep`] is set.
    removes_bom: bool,
}

impl OrderRead {
    /// The order in the name of the encoding, if any.
    pub(in crate::codec) fn new(order: Option<Order>, options: &Options) -> Self {
        Self { order, removes_bom: order.is_none() && options.bom != Bom::Keep }
    }

    pub(in crate::codec) fn known(&self) -> Option<Order> {
        self.order
    }

    pub(in crate::codec) fn removes_bom(&self) -> bool {
        self.removes_bom
    }

    /// Returns the order, or, once, what happens to the BOM that determined it. `mark` is the
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

/// Whether an encoder writes a BOM before the first character.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::codec) enum Mark {
    /// The encoding requires one.
    Always,
    /// Needed if the text begins with U+FEFF, which a decoder would treat as a BOM.
    IfTextHasOne,
    /// No BOM is needed, or it has been written.
    Never,
}

impl Mark {
    /// This, unless BOMs are disabled.
    pub(in crate::codec) fn unless_stripped(self, options: &Options) -> Self {
        if options.bom == Bom::Strip { Self::Never } else { self }
    }

    /// Whether a BOM must be written before `point`.
    pub(in crate::codec) fn precedes(self, point: u32) -> bool {
        match self {
            Self::Always => true,
            Self::IfTextHasOne => point == 0xFEFF,
            Self::Never => false,
        }
    }
}
