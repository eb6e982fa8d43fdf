//! Tests on arrays, as DataFusion passes them.

mod call;
mod cases;
mod registry;
mod types;
mod values;
