//! `utfall_mime::layers` with every mail vector, the example messages, and random messages.

use std::fs;
use std::path::Path;

use utfall_mime::layers::{self, Layer, Place};
use utfall_mime::{Message, parameter};
use utfall_oracle::vectors;

/// Checks that every byte has a place inside the text.
fn check(src: &[u8]) -> usize {
    let message = Message::parse(src);
    let mut count = 0;
    layers::of(&message, |layer| {
        let places: Vec<_> = layer.places().collect();
        let shown = src.escape_ascii();
        assert_eq!(places.len(), layer.bytes.len(), "{layer:?} of {shown}");
        // The sections of a parameter may appear in any order.
        let is_sorted = places.is_sorted_by_key(|place| place.start);
        assert!(is_sorted || layer.place == Place::Parameter, "{layer:?} of {shown}");
        assert!(layer.range.end <= src.len());
        for (place, byte) in places.iter().zip(&*layer.bytes) {
            assert!(layer.range.start <= place.start && place.end <= layer.range.end, "{shown}");
            // In Base64 each byte has two digits; `_` is the space.
            let stands_for_itself = place.len() == 1;
            if stands_for_itself && src[place.start] != b'_' {
                assert_eq!(src[place.start], *byte, "{shown}");
            }
        }
        check_parameter(&layer, &message);
        count += 1;
    });
    count
}

/// The bytes are those that `parameter::parse` decodes.
fn check_parameter(layer: &Layer<'_>, message: &Message<'_>) {
    let Some(charset) = layer.charset.filter(|_| layer.place == Place::Parameter) else { return };
    let text = charset.decode(&layer.bytes).0;
    let fields = message.parts().iter().flat_map(|part| message.fields(part));
    let mut values =
        fields.flat_map(|field| parameter::parse(field.value).all).map(|one| one.value);
    assert!(values.any(|value| value == text), "{text:?} in {}", message.src().escape_ascii());
}

#[test]
fn vectors_of_mail() {
    let mut count = 0;
    for case in vectors::mail_cases() {
        if !case.direction.starts_with("decode") {
            continue;
        }
        let input = vectors::bytes(&case.input);
        for before in [
            "Subject: ",
            "From: ",
            "Content-Disposition: ",
            "\n",
            "Content-Transfer-Encoding: base64\n\n",
            "Content-Transfer-Encoding: quoted-printable\n\n",
        ] {
            count += check(&[before.as_bytes(), &input].concat());
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/mail");
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        assert!(check(&fs::read(&path).unwrap()) > 0, "{}", path.display());
    }
}

#[test]
fn random_messages() {
    const PIECES: [&[u8]; 20] = [
        b"Content-Type: text/plain; charset=UTF-7\n",
        b"Content-Type: multipart/mixed; boundary=b\n",
        b"Content-Disposition: a; filename*=utf-8'en'%C3%A9\n",
        b"Content-Disposition: a; f*0*=utf-8''%C3; f*1*=%A9; f*2=\"\\\"x\"\n",
        b"Content-Transfer-Encoding: base64\n",
        b"Content-Transfer-Encoding: quoted-printable\n",
        b"Content-Transfer-Encoding: x-unknown\n",
        b"Subject: ",
        b"To: ",
        b"=?UTF-8?B?4pi6?=",
        b"=?UTF-7?Q?+Jjo-_=3D?= ",
        b"=?x-klingon?Q?a?=",
        b"\xC3\xA9",
        b"\xFF",
        b" (a <b@c>, \"d\" ",
        b"\n",
        b"\n\n",
        b"\n--b\n",
        b"=E2=98=BA=\nabc=",
        b"4pi6",
    ];
    let mut state = 11_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (state >> 33) as usize % below
    };
    let mut count = 0;
    for _ in 0..20_000 {
        let src: Vec<u8> =
            (0..random(12)).flat_map(|_| PIECES[random(PIECES.len())]).copied().collect();
        count += check(&src);
    }
    assert!(count > 20_000, "{count}");
}
