//! Passes the versions of the libraries in `Cargo.lock` to the programs.
#![forbid(unsafe_code)]

use std::{env, fs};

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let path = format!("{root}/../../Cargo.lock");
    println!("cargo::rerun-if-changed={path}");
    let lock = fs::read_to_string(&path).unwrap_or_default();
    for (variable, name) in [("ENCODING_RS_VERSION", "encoding_rs"), ("SIMDUTF_VERSION", "simdutf")]
    {
        let mut lines = lock.lines().skip_while(|line| *line != format!("name = \"{name}\""));
        let version = lines.nth(1).and_then(|line| line.strip_prefix("version = "));
        let version = version.map_or("?", |quoted| quoted.trim_matches('"'));
        println!("cargo::rustc-env={variable}={version}");
    }
}
