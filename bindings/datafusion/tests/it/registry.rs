//! The functions in a registry, and what they say about themselves.

use datafusion_expr::registry::{FunctionRegistry, MemoryFunctionRegistry};
use datafusion_expr::{Volatility, col, lit};

use crate::call::function;

#[test]
fn all_are_registered() {
    let mut registry = MemoryFunctionRegistry::new();
    utfall_datafusion::register_all(&mut registry).unwrap();
    // Again: they replace each other.
    utfall_datafusion::register_all(&mut registry).unwrap();
    let mut names: Vec<_> = registry.udfs().into_iter().collect();
    names.sort();
    let expected = [
        "utf_decode",
        "utf_detect",
        "utf_encode",
        "utf_problem",
        "utf_repair",
        "utf_transcode",
        "utf_valid",
    ];
    assert_eq!(names, expected);
}

#[test]
fn they_are_documented() {
    for function in utfall_datafusion::functions() {
        let name = function.name();
        let found = function.documentation().expect(name);
        assert!(found.syntax_example.starts_with(&format!("{name}(")), "{}", found.syntax_example);
        assert!(!found.description.is_empty(), "{name}");
        let arguments = found.arguments.as_ref().expect(name);
        assert!(arguments.iter().all(|(name, about)| !name.is_empty() && about.ends_with('.')));
    }
    let decode = function("utf_decode");
    let syntax = &decode.documentation().unwrap().syntax_example;
    assert_eq!(syntax, "utf_decode(bytes, encoding [, on_error])");
}

#[test]
fn equal_calls_can_be_computed_once() {
    let call = || function("utf_decode").call(vec![col("data"), lit("latin1")]);
    assert_eq!(call(), call());
    assert_ne!(call(), function("utf_encode").call(vec![col("data"), lit("latin1")]));
    for function in utfall_datafusion::functions() {
        assert_eq!(function.signature().volatility, Volatility::Immutable);
        assert!(function.inner().is_strict(), "{}", function.name());
    }
}
