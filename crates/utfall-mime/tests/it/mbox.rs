//! Files of messages, with reads of any size.

use std::io::Read;

use utfall_mime::mbox::{Item, Mbox};

/// A reader that returns this many bytes at a time.
struct Slowly<'a>(&'a [u8], usize);

impl Read for Slowly<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

/// Returns the messages, the concatenated items, and the number of messages that were too long.
fn read(src: &[u8], step: usize, longest: usize) -> (Vec<String>, Vec<u8>, u64) {
    let mut mbox = Mbox::new(Slowly(src, step), longest);
    let (mut messages, mut all) = (Vec::new(), Vec::new());
    while let Some(item) = mbox.next().unwrap() {
        match item {
            Item::Message(message) => {
                messages.push(message.escape_ascii().to_string());
                all.extend_from_slice(message);
            }
            Item::Other(bytes) => all.extend_from_slice(bytes),
        }
    }
    (messages, all, mbox.too_long())
}

#[test]
fn messages() {
    for (src, expected) in [
        (&b""[..], &[][..]),
        (b"From a\nb\n", &["b\\n"]),
        (b"From a\nb", &["b"]),
        (b"From a\nb\n\nFrom c\nd\n", &["b\\n", "d\\n"]),
        (b"From a\r\nb\r\n\r\nFrom c\r\nd\r\n", &["b\\r\\n", "d\\r\\n"]),
        // Only after an empty line.
        (b"From a\nb\nFrom c\nd\n", &["b\\nFrom c\\nd\\n"]),
        (b"From a\nb\n\nFrom: c\n", &["b\\n\\nFrom: c\\n"]),
        (b"From a\nb\n\n>From c\n", &["b\\n\\n>From c\\n"]),
        // All empty lines except the last one belong to the message.
        (b"From a\nb\n\n\n\nFrom c\n\nd\n\n", &["b\\n\\n\\n", "\\nd\\n\\n"]),
        // Empty messages.
        (b"From a\n\nFrom b\n\nFrom c\n", &["", "", ""]),
        (b"From a\n", &[""]),
        // No `From ` line at the start.
        (b"Subject: x\n\ny\n\nFrom a\nz\n", &["Subject: x\\n\\ny\\n", "z\\n"]),
    ] {
        for step in [1, 2, 3, 5, 8, 100] {
            let (messages, all, _) = read(src, step, 1000);
            assert_eq!(messages, expected, "{} by {step}", src.escape_ascii());
            assert_eq!(all, src);
        }
    }
}

#[test]
fn long_messages_are_passed_on() {
    let long = "x\n".repeat(1000);
    let src = format!("From a\nshort\n\nFrom b\n{long}\nFrom c\nshort\n\nFrom d\n{long}");
    for step in [1, 7, 100, 5000] {
        let (messages, all, too_long) = read(src.as_bytes(), step, 100);
        assert!(all == src.as_bytes(), "by {step}");
        assert_eq!(too_long, 2, "by {step}");
        assert_eq!(messages, ["short\\n", "short\\n"], "by {step}");
    }
}
