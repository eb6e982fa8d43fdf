//! Tests of the functions in SQL, with all of DataFusion.

mod page;
mod sql;
