//! The cases that every binding runs, in `testdata/bindings/cases.json`, and the names of
//! characters.

mod cases;
mod names;
