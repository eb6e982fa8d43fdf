"""utfall.mail: messages, their texts, problems and conversions."""

import email
import email.header
import email.policy
import subprocess
import sys

import pytest

import utfall
from utfall import mail

MULTIPART = (
    b"From: =?UTF-8?Q?J=C3=B6rg?= <j@example.org>\r\n"
    b"To: a@example.org,\r\n =?ISO-8859-1?Q?Andr=E9?= <b@example.org>\r\n"
    b"Subject: =?UTF-8?B?5pel5pys6Kqe?=\r\n"
    b"Received: one\r\nReceived: two\r\n"
    b"Content-Type: multipart/mixed; boundary=outer\r\n\r\n"
    b"preamble\r\n"
    b"--outer\r\nContent-Type: multipart/alternative; boundary=inner\r\n\r\n"
    b"--inner\r\nContent-Type: text/html; charset=windows-1252\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    b"<p>caf=E9=\r\n</p>\r\n"
    b"--inner\r\nContent-Type: text/plain; charset=UTF-7\r\n\r\nHi Mom +Jjo-!\r\n"
    b"--inner--\r\n"
    b"--outer\r\nContent-Type: application/pdf; name=plain.pdf\r\nContent-Transfer-Encoding: base64\r\n"
    b"Content-Disposition: attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf\r\n\r\nJVBERg==\r\n"
    b"--outer\r\nContent-Type: message/rfc822\r\n\r\n"
    b"Subject: inside\r\nContent-Type: text/plain; charset=Shift_JIS\r\n\r\n\x93\xfa\x96\x7b\r\n"
    b"--outer--\r\n"
)


def test_parts():
    message = mail.Message(MULTIPART)
    assert [(part.media_type, part.kind, part.parent) for part in message.parts] == [
        ("multipart/mixed", "multipart", None),
        ("multipart/alternative", "multipart", 0),
        ("text/html", "text", 1),
        ("text/plain", "text", 1),
        ("application/pdf", "other", 0),
        ("message/rfc822", "message", 0),
        ("text/plain", "text", 5),
    ]
    assert [part.text for part in message.parts] == [
        None, None, "<p>café</p>", "Hi Mom ☺!", None, None, "日本",
    ]  # fmt: skip
    assert message.parts[0].parts == (message.parts[1], message.parts[4], message.parts[5])
    assert message.text == "Hi Mom ☺!"
    html, plain, pdf, japanese = (message.parts[index] for index in (2, 3, 4, 6))
    assert (html.label, html.transfer, html.charset) == (
        "windows-1252",
        "quoted-printable",
        mail.Charset("windows-1252", "label"),
    )
    assert plain.body == b"Hi Mom +Jjo-!" == MULTIPART[slice(*plain.body_span)]
    assert (pdf.content, pdf.filename, pdf.is_attachment, pdf.no_text) == (b"%PDF", "résumé.pdf", True, "part is not text")
    assert pdf.parameters == {"name": "plain.pdf"}
    assert (japanese.content, japanese.is_message, japanese["subject"]) == (b"\x93\xfa\x96\x7b", True, "inside")
    assert not message.is_limited


def test_headers():
    message = mail.Message(MULTIPART)
    assert message["subject"] == "日本語"
    assert message["To"] == "a@example.org, André <b@example.org>"
    assert message.get_all("RECEIVED") == ["one", "two"]
    assert (message.get("Cc"), message.get("Cc", "missing")) == (None, "missing")
    with pytest.raises(KeyError):
        message["Cc"]
    header = message.headers[0]
    assert MULTIPART[header.offset :].startswith(header.raw)
    assert header.decoded == mail.Text("Jörg <j@example.org>", 1, 0, 0, None)
    assert repr(message) == "Message('日本語', 7 parts)"
    assert repr(message.parts[3]) == "Part(text/plain, charset=UTF-7, 13 bytes)"


def test_guesses():
    def charset(data):
        part = mail.Message(data).parts[0]
        return part.text, part.charset, part.charset.is_guess

    label = b"Content-Type: text/plain; charset="
    assert charset(b"\nplain") == ("plain", mail.Charset("US-ASCII", "ascii"), False)
    assert charset("\né".encode()) == ("é", mail.Charset("UTF-8", "valid-utf-8"), True)
    assert charset(b"\ncaf\xe9") == ("café", mail.Charset("windows-1252", "detected"), True)
    assert charset(b"\n\xff\xfea\0") == ("a", mail.Charset("UTF-16LE", "bom"), True)
    assert charset(label + b"iso-8859-1\n\n\x93a\x94") == ("“a”", mail.Charset("windows-1252", "mislabelled"), True)
    unknown = mail.Message(label + b"x-klingon\n\nHi").parts[0]
    assert (unknown.text, unknown.charset, unknown.no_text) == (None, None, "charset of the part is not known")


def test_problems_have_places_in_the_message():
    data = (
        b"Subject: =?UTF-8?Q?ok?= caf\xe9 =?UTF-8?Q?b=C3=28?=\n"
        b"Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        b"one\ntwo =C0=AE\n"
    )
    found = mail.Message(data).problems
    assert [(data[p.offset : p.offset + p.length], p.kind, p.part) for p in found] == [
        (b"=C3", "missing-trail", 0),
        (b"=C0", "overlong", 0),
        (b"=AE", "unexpected-trail", 0),
    ]
    assert found[1].clause.startswith("RFC 3629")
    unknown = mail.Message(b"Content-Type: text/plain; charset=x-klingon\n\nHi").problems
    assert [(p.kind, p.message) for p in unknown] == [("unknown-charset", 'unknown charset "x-klingon"')]
    strange = mail.Message(b"Content-Transfer-Encoding: x-uuencode\n\nHi").problems
    assert [p.kind for p in strange] == ["unknown-transfer-encoding"]
    base64 = mail.Message(b"Content-Transfer-Encoding: base64\n\nw6k=w\n").problems
    assert [p.kind for p in base64] == ["transfer-encoding"]
    assert mail.Message(MULTIPART).problems == ()


def test_layers():
    layers = mail.Message(MULTIPART).layers
    assert [(layer.field, layer.transfer, layer.text) for layer in layers] == [
        ("From", "Q", "Jörg"),
        ("To", "Q", "André"),
        ("Subject", "B", "日本語"),
        (None, "quoted-printable", "<p>café\r\n</p>".replace("\r\n", "")),
        (None, "7bit", "Hi Mom ☺!"),
        ("Content-Disposition", "percent", "résumé.pdf"),
        (None, "7bit", "日本"),
    ]
    word = layers[1]
    assert MULTIPART[word.start : word.end] == b"=?ISO-8859-1?Q?Andr=E9?="
    assert [MULTIPART[start:end] for start, end in word.places] == [b"A", b"n", b"d", b"r", b"=E9"]
    assert (word.data, word.label, word.place) == (b"Andr\xe9", "ISO-8859-1", "encoded-word")


def test_convert():
    old = mail.Message(MULTIPART)
    new = old.convert("UTF-8", body="8bit")
    assert (new.texts.converted, new.fields.converted) == (3, 1)
    assert new.texts.skipped == {}
    message = mail.Message(new.data)
    assert [part.text for part in message.parts][2:4] == ["<p>café</p>", "Hi Mom ☺!"]
    assert {part.label for part in message.parts if part.kind == "text"} >= {"UTF-8"}
    # It is what the command writes.
    args = [sys.executable, "-m", "utfall", "mail", "--to", "UTF-8", "--body", "8bit"]
    assert subprocess.run(args, input=MULTIPART, capture_output=True, check=True).stdout == new.data
    # Another reader understands it.
    theirs = email.message_from_bytes(new.data, policy=email.policy.default)
    assert theirs["To"] == "a@example.org, André <b@example.org>"
    assert [part.get_content() for part in theirs.walk() if part.get_content_type() == "text/html"] == ["<p>café</p>"]


def test_convert_says_what_it_leaves():
    signed = mail.Message(b"DKIM-Signature: x\nSubject: =?UTF-7?Q?+AOk-?=\n\nx").convert()
    assert signed.data == b"DKIM-Signature: x\nSubject: =?UTF-7?Q?+AOk-?=\n\nx"
    assert signed.fields.skipped == {"signed": 1}
    assert repr(signed) == "Converted(0 texts, 0 header fields, 1 skipped)"
    forced = mail.Message(b"DKIM-Signature: x\nSubject: =?UTF-7?Q?+AOk-?=\n\nx").convert(force=True)
    assert mail.Message(forced.data)["Subject"] == "é"
    with pytest.raises(ValueError, match="UTF-7-IMAP cannot be the charset of mail"):
        mail.Message(b"").convert("UTF-7-IMAP")
    with pytest.raises(ValueError, match="body must be"):
        mail.Message(b"").convert(body="9bit")


def test_mbox():
    data = b"From a\nSubject: 1\n\n>From here\n\nFrom b\nSubject: 2\n\nx\n"
    assert [(message["Subject"], message.text) for message in mail.read_mbox(data)] == [("1", "From here\n"), ("2", "x\n")]
    assert list(mail.read_mbox(b"")) == []


@pytest.mark.parametrize("charset", ["UTF-8", "UTF-7", "ISO-8859-1", "windows-1252", "GB18030", "UTF-16BE"])
def test_words_round_trip(charset):
    text = "Grüße: déjà vu, señor, " * 9 + "Maß"
    encoded = mail.encode_words(text, charset)
    assert all(len(word) <= 75 for word in encoded.split())
    found = mail.decode_words(encoded, strict=True)
    assert (found.text, found.words, found.invalid) == (text, len(encoded.split()), 0)
    if charset != "UTF-7":
        assert str(email.header.make_header(email.header.decode_header(encoded))) == text


def test_words():
    assert mail.encode_words("日本語", scheme="B") == "=?UTF-8?B?5pel5pys6Kqe?="
    assert mail.encode_words("é", scheme="Q") == "=?UTF-8?Q?=C3=A9?="
    assert mail.decode_words(b"=?x-klingon?Q?a?=") == mail.Text("=?x-klingon?Q?a?=", 0, 1, 0, None)
    assert mail.decode_words(b"caf\xe9").guess == mail.Charset("windows-1252", "fallback")
    assert mail.decode_words("=?UTF-8?Q?a b?=").text == "a b"
    assert mail.decode_words("=?UTF-8?Q?a b?=", strict=True).text == "=?UTF-8?Q?a b?="
    with pytest.raises(utfall.EncodeError) as raised:
        mail.encode_words("5 €", "ISO-8859-1")
    assert (raised.value.start, raised.value.object) == (2, "5 €")
    with pytest.raises(ValueError, match="scheme must be"):
        mail.encode_words("a", scheme="X")


@pytest.mark.parametrize("data", [b"", b"\n", b"\0" * 99, bytes(range(256)) * 9, b"Content-Type: multipart/mixed; boundary=a\n\n--a\n--a--"])
def test_any_bytes_are_a_message(data):
    message = mail.Message(bytearray(data))
    assert message.parts[0].parent is None
    assert all(0 <= layer.start <= layer.end <= len(data) for layer in message.layers)
    assert all(problem.offset + problem.length <= len(data) for problem in message.problems)
    assert mail.Message(message.convert().data) is not None


def test_many_parts_take_linear_time():
    part = b"--a\nContent-Type: text/plain; charset=UTF-7\n\n+Jjo-\n"
    message = mail.Message(b"Content-Type: multipart/mixed; boundary=a\n\n" + part * 12_000 + b"--a--\n")
    assert message.is_limited
    assert {part.text for part in message.parts[1:]} == {"☺"}
    assert len(message.layers) == len(message.parts) - 1
