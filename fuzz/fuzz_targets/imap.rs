//! IMAP mailbox names against the oracle, and their canonical spelling.
#![no_main]

use libfuzzer_sys::fuzz_target;
use utfall::{Encoding, imap_name};
use utfall_fuzz::shifted;

fuzz_target!(|input: (shifted::Bytes, Vec<u8>, String)| {
    let (bytes, cuts, text) = input;
    let bytes = bytes.bytes();
    shifted::check_reading(Encoding::Utf7Imap, &bytes, &cuts);

    // A valid name is canonical, and the other way round.
    let name = imap_name::decode(&bytes);
    if Encoding::Utf7Imap.validate(&bytes).is_ok() {
        assert!(name.problems().is_empty());
        assert_eq!(Encoding::Utf7Imap.decode(&bytes).as_deref(), Ok(name.text()));
    }
    if let Some(canonical) = name.canonical() {
        let again = imap_name::decode(canonical.as_bytes());
        assert_eq!(again.text(), name.text());
        assert!(again.is_canonical());
    }

    let spelled = imap_name::encode(&text);
    let read = imap_name::decode(spelled.as_bytes());
    assert_eq!(read.text(), text);
    assert!(read.is_canonical());
    let points: Vec<u32> = text.chars().map(u32::from).collect();
    let mut plain = Vec::new();
    utfall_oracle::encode("UTF-7-IMAP", &points, &mut plain).expect("it has every character");
    assert_eq!(spelled.as_bytes(), plain);
});
