//! The cases that every binding runs, in `testdata/bindings/cases.json`.

mod cases;
