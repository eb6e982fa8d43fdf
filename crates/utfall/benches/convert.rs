//! Speed of the public API on real text and on short strings, beside the standard library
//! and `encoding_rs` where they do the same work. What is compared is checked to be equal
//! first.
//!
//! `cargo bench -p utfall` measures; `-- --test` runs each once.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use utfall::{Encoding, Options, transcode_into};

const CORPORA: &[&str] =
    &["Latin-Lipsum", "wiki-french", "Russian-Lipsum", "Chinese-Lipsum", "Emoji-Lipsum"];

fn corpus(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/corpora");
    fs::read_to_string(folder.join(format!("{name}.utf8.txt"))).expect("a corpus of UTF-8")
}

fn validate(criterion: &mut Criterion) {
    for name in CORPORA {
        let text = corpus(name);
        let mut group = criterion.benchmark_group(format!("validate UTF-8/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("utfall", |b| {
            b.iter(|| Encoding::Utf8.validate(black_box(text.as_bytes())).is_ok());
        });
        group.bench_function("std", |b| {
            b.iter(|| std::str::from_utf8(black_box(text.as_bytes())).is_ok());
        });
    }
}

fn convert(criterion: &mut Criterion) {
    let pairs = [
        (Encoding::Utf8, Encoding::Utf16Le),
        (Encoding::Utf16Le, Encoding::Utf8),
        (Encoding::Utf8, Encoding::Utf7),
        (Encoding::Utf7, Encoding::Utf8),
        (Encoding::Utf8, Encoding::Scsu),
        (Encoding::Utf8, Encoding::Bocu1),
    ];
    for name in CORPORA {
        let text = corpus(name);
        for (from, to) in pairs {
            let input = from.encode(&text).expect("all text has this encoding");
            let mut output = vec![0; 4 * text.len()];
            let mut group = criterion.benchmark_group(format!("{from} to {to}/{name}"));
            group.throughput(Throughput::Bytes(input.len() as u64));
            group.bench_function("utfall", |b| {
                b.iter(|| {
                    transcode_into(from, to, black_box(&input), &mut output, Options::default())
                });
            });
            if (from, to) == (Encoding::Utf16Le, Encoding::Utf8) {
                let (theirs, _) = encoding_rs::UTF_16LE.decode_without_bom_handling(&input);
                assert_eq!(theirs, text);
                group.bench_function("encoding_rs", |b| {
                    b.iter(|| {
                        encoding_rs::UTF_16LE.decode_without_bom_handling(black_box(&input)).1
                    });
                });
            }
            if (from, to) == (Encoding::Utf8, Encoding::Utf16Le) {
                let theirs = text.encode_utf16().flat_map(u16::to_le_bytes);
                assert!(theirs.eq(to.encode(&text).expect("all text").iter().copied()));
                group.bench_function("std", |b| {
                    b.iter(|| black_box(&text).encode_utf16().fold(0, |sum, unit| sum ^ unit));
                });
            }
        }
    }
}

fn short(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("short strings");
    for length in [0, 1, 5, 16, 64] {
        let text: String = "é€x, ".chars().cycle().take(length).collect();
        let mut output = [0; 1024];
        group.bench_function(format!("validate, {length} characters"), |b| {
            b.iter(|| Encoding::Utf8.validate(black_box(text.as_bytes())).is_ok());
        });
        group.bench_function(format!("UTF-8 to UTF-16LE, {length} characters"), |b| {
            b.iter(|| {
                let text = black_box(text.as_bytes());
                transcode_into(
                    Encoding::Utf8,
                    Encoding::Utf16Le,
                    text,
                    &mut output,
                    Options::default(),
                )
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = validate, convert, short
}
criterion_main!(benches);
