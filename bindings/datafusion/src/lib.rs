//! Functions for [DataFusion](https://datafusion.apache.org) that validate, convert, detect and repair text in any
//! Unicode or legacy encoding. They need `datafusion-expr` only.
//!
//! ```
//! use datafusion_common::ScalarValue;
//! use datafusion_expr::registry::{FunctionRegistry, MemoryFunctionRegistry};
//! use datafusion_expr::{col, lit};
//!
//! // Also a `SessionContext`.
//! let mut registry = MemoryFunctionRegistry::new();
//! utfall_datafusion::register_all(&mut registry)?;
//!
//! let utf_decode = registry.udf("utf_decode")?;
//! let text = utf_decode.call(vec![col("data"), lit("latin1")]);
//! assert_eq!(text.schema_name().to_string(), "utf_decode(data,Utf8(\"latin1\"))");
//! # Ok::<(), datafusion_common::DataFusionError>(())
//! ```
//!
//! | function | result |
//! |---|---|
//! | `utf_valid(bytes [, encoding])` | Boolean: whether the bytes are valid, as UTF-8 if no encoding is given |
//! | `utf_decode(bytes, encoding [, on_error])` | text |
//! | `utf_encode(text, encoding [, on_error])` | binary data |
//! | `utf_transcode(bytes, from, to [, on_error])` | binary data |
//! | `utf_detect(bytes)` | a struct of `encoding`, `confidence`, `sure` and `evidence` |
//! | `utf_problem(bytes, encoding)` | the first error, or null: a struct of `offset`, `length`, `line`, `column`, `kind`, `clause` and `message` |
//! | `utf_repair(text)` | the text without mojibake |
//!
//! - **Types**: `bytes` and `text` are any binary data or text: `Binary`, `LargeBinary`, `BinaryView`, `Utf8`, `LargeUtf8`,
//!   `Utf8View`, `FixedSizeBinary`, or dictionaries of them. The result has the same layout: from `BinaryView`, `utf_decode`
//!   makes `Utf8View`. Text is its UTF-8, and `utf_encode` reads binary data as UTF-8. `utf_repair` makes binary data of
//!   binary data.
//! - **Null**: if an argument is null, so is the result.
//! - **Encodings** are [all of utfall](utfall::Encoding::ALL), by any label. Each row can have its own.
//! - **Errors**: an invalid value ends the query, unless `on_error` says otherwise: `strict` (an error), `null`, `replace`,
//!   `skip`, `escape`, `escape-xml`, `escape-python`, or `surrogateescape` (not with `utf_decode`).
//! - **BOM**: `utf_decode` removes it. `utf_transcode` keeps it, except if it determines the byte order of `UTF-16` or `UTF-32`.
//! - **Offsets** and lengths are in bytes, offsets from 0. Lines and columns count from 1, columns in code points.
//!
//! The functions are those of the DuckDB extension, whose
//! [page](https://github.com/utfall/utfall/blob/main/docs/duckdb.md) has more examples.
#![forbid(unsafe_code)]

mod bytes;
mod call;
mod convert;
mod function;
mod reports;

use std::sync::Arc;

use datafusion_common::Result;
use datafusion_expr::ScalarUDF;
use datafusion_expr::registry::FunctionRegistry;

use function::{Function, Kind};

/// The functions, for registries of other kinds, or to choose from.
///
/// ```
/// let names: Vec<_> = utfall_datafusion::functions().iter().map(|it| it.name().to_owned()).collect();
/// assert_eq!(names[..3], ["utf_valid", "utf_decode", "utf_encode"]);
/// ```
#[must_use]
pub fn functions() -> Vec<Arc<ScalarUDF>> {
    Kind::ALL.map(|kind| Arc::new(ScalarUDF::new_from_impl(Function::new(kind)))).into()
}

/// Registers all functions. They replace functions of the same names.
///
/// # Errors
/// Returns the error of the registry, for example if it is read-only.
///
/// ```
/// use datafusion_expr::registry::{FunctionRegistry, MemoryFunctionRegistry};
/// let mut registry = MemoryFunctionRegistry::new();
/// utfall_datafusion::register_all(&mut registry)?;
/// assert!(registry.udf("utf_repair").is_ok());
/// # Ok::<(), datafusion_common::DataFusionError>(())
/// ```
pub fn register_all(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in functions() {
        registry.register_udf(function)?;
    }
    Ok(())
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
