//! Every surface of the library.

mod find;
mod mail;
mod oneshot;
mod stream;

use utfall::Encoding;

use crate::surface::Surface;

pub(crate) fn all() -> Vec<Surface> {
    [stream::all(), oneshot::all(), find::all(), mail::all()].into_iter().flatten().collect()
}

/// One encoding for each codec: single-byte tables are all alike.
fn encodings() -> impl Iterator<Item = Encoding> {
    let is_table = |name: &str| {
        let tables = ["ISO-8859-", "windows-", "KOI8-", "x-mac", "macintosh", "IBM"];
        tables.iter().any(|table| name.starts_with(table)) && name != "windows-1252"
    };
    let latin1 = |encoding: &Encoding| *encoding == Encoding::Iso8859_1;
    Encoding::ALL.iter().copied().filter(move |one| latin1(one) || !is_table(one.name()))
}
