//! Every surface of the library.

mod find;
mod mail;
mod oneshot;
mod stream;

use utfall::{Encoding, Family, Repertoire};

use crate::surface::Surface;

pub(crate) fn all() -> Vec<Surface> {
    [stream::all(), oneshot::all(), find::all(), mail::all()].into_iter().flatten().collect()
}

/// One encoding for each codec: single-byte tables are all alike.
fn encodings() -> impl Iterator<Item = Encoding> {
    let is_table = |encoding: &Encoding| {
        let info = encoding.info();
        (info.family, info.repertoire) == (Family::SingleByte, Repertoire::Table)
            && !matches!(encoding, Encoding::Windows1252 | Encoding::UserDefined)
    };
    Encoding::ALL.iter().copied().filter(move |encoding| !is_table(encoding))
}
