//! The Python package. `python/utfall` has what needs no Rust.
//!
//! - `memory.rs`: the memory of a `str`; `text.rs`: the way between Rust and `str`; `input.rs`: buffers;
//!   `arrow/capsule.rs`: columns of other packages; `arrow/text.rs`: columns of text. All `unsafe` is in these five.
//! - `characters.rs`: `str` to bytes without errors.
//! - `decode.rs`, `encode.rs`, `transcode.rs`: whole texts, and the streams that run error handlers of Python.
//! - `decoder.rs`, `encoder.rs`: texts in pieces, for people and for `codecs`.
//! - `reports.rs`: detection, repair, explanations and checks, as JSON of `utfall-bind`.
//! - `mail.rs`: messages.
//! - `arrow.rs`: columns of Arrow.
//! - `errors.rs`, `handler.rs`, `arguments.rs`: exceptions, handlers, arguments.

mod arguments;
mod arrow;
mod characters;
mod command;
mod decode;
mod decoder;
mod encode;
mod encoder;
mod errors;
mod handler;
mod input;
mod mail;
mod memory;
mod reports;
mod text;
mod transcode;

/// The compiled part of utfall.
#[pyo3::pymodule(gil_used = false)]
mod _utfall {
    #[pymodule_export]
    use crate::arguments::{name_of, resolve};
    #[pymodule_export]
    use crate::arrow::{
        Array, ChunkedArray, arrow_decode, arrow_detect, arrow_encode, arrow_is_valid,
        arrow_problem, arrow_repair, arrow_transcode,
    };
    #[pymodule_export]
    use crate::command::run;
    #[pymodule_export]
    use crate::decode::{decode, is_valid};
    #[pymodule_export]
    use crate::decoder::Decoder;
    #[pymodule_export]
    use crate::encode::encode;
    #[pymodule_export]
    use crate::encoder::Encoder;
    #[pymodule_export]
    use crate::errors::{locate, suggest};
    #[pymodule_export]
    use crate::mail::{
        decode_body, decode_field, decode_words, encode_words, mail_layers, mail_parts,
        mail_places, mail_rewrite, mail_texts, mbox,
    };
    #[pymodule_export]
    use crate::reports::{
        Units, character_name, check_json, detect_bytes, detect_path, explain_json,
        explain_mail_json, facts, find_bom, imap_canonical, problems_of, repair_bytes,
        repair_report,
    };
    #[pymodule_export]
    use crate::transcode::{Counts, Transcoder, transcode};

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        crate::memory::prepare(module.py());
        Ok(())
    }

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
