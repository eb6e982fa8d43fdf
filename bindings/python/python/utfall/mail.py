"""Mail: messages with their parts, header fields and texts, in any charset.

>>> from utfall import mail
>>> message = mail.Message(
...     b"From: =?UTF-7?Q?J+APY-rg?= <j@example.org>\\n"
...     b"Subject: =?UTF-8?Q?Caf=C3=A9?=\\n"
...     b"Content-Type: text/plain; charset=UTF-7\\n\\n"
...     b"Hi Mom +Jjo-!\\n"
... )
>>> message["From"], message["Subject"], message.text
('Jörg <j@example.org>', 'Café', 'Hi Mom ☺!\\n')

Any bytes are a message: reading does not fail. Offsets are in bytes of the message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field as attribute
from functools import cached_property
from typing import TYPE_CHECKING, Literal, overload

from . import _utfall
from ._words import count

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = [
    "Charset",
    "Converted",
    "Header",
    "Layer",
    "Message",
    "Part",
    "Problem",
    "Tally",
    "Text",
    "decode_header",
    "decode_words",
    "encode_words",
    "explain_json",
    "read_mbox",
]

_Transfer = Literal["7bit", "8bit", "quoted-printable", "base64"]


@dataclass(frozen=True, slots=True)
class Charset:
    """The encoding of a text, and how it was determined.

    encoding: its name.
    basis: "label"; "ascii" (there is no label, and the text is US-ASCII); or a guess: "bom", "valid-utf-8", "body"
        (the charset of the text of the message), "detected", "fallback" (windows-1252, in which almost any bytes are
        valid), "mislabelled" (the label cannot be right).
    """

    encoding: str
    basis: str

    @property
    def is_guess(self) -> bool:
        """Whether the encoding is a guess."""
        return self.basis not in ("label", "ascii")

    def __repr__(self) -> str:
        return f"Charset({self.encoding}, {self.basis})"


@dataclass(frozen=True, slots=True)
class Text:
    """A decoded text of a header field.

    text: the text, with U+FFFD for invalid sequences.
    words: the number of encoded words.
    unknown: the number of encoded words that stay as they are, since their charset is unknown.
    invalid: the number of invalid sequences.
    guess: the guessed charset of bytes above 7F outside encoded words; None if all bytes are US-ASCII.
    """

    text: str
    words: int
    unknown: int
    invalid: int
    guess: Charset | None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Header:
    """A header field.

    name: its name as written.
    text: the decoded value, unfolded and trimmed; None if the field is longer than 256 KiB.
    raw: the value as it is in the message, with the line ends that fold it.
    offset: where the value begins, in bytes of the message.
    decoded: the decoded value with counts of words and errors; None if the field is too long.
    """

    name: str
    text: str | None
    raw: bytes
    offset: int
    decoded: Text | None = attribute(repr=False)

    def __repr__(self) -> str:
        return f"Header({self.name}: {self.text})"


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a message.

    part: the index of the part.
    offset, length: the place in bytes of the message: all bytes that encode the invalid sequence, such as =C3=28.
    kind: a stable word, such as "truncated", "transfer-encoding" or "unknown-charset".
    message: the problem in words.
    clause: the clause of the specification that is violated; None if no clause covers the problem.
    """

    part: int
    offset: int
    length: int
    kind: str
    message: str
    clause: str | None

    def __repr__(self) -> str:
        return f"Problem({self.message} at byte {self.offset}, part {self.part})"


@dataclass(frozen=True, slots=True)
class Layer:
    """A text of a message, with the layers between its bytes and its characters.

    part: the index of the part.
    place: "body", "encoded-word", "parameter", "field" (bytes above 7F in a header field), or "long-field".
    field: the name of the header field; None for a body.
    start, end: its bytes in the message, with all syntax: =?UTF-8?Q?caf=C3=A9?=.
    transfer: the transfer encoding, such as "base64", "Q" or "percent"; None if it is unknown.
    label: the charset label as written; None without a label.
    charset: the charset; None if the label is unknown.
    data: the bytes in that charset.
    text: the decoded text, with U+FFFD for invalid sequences; None if the charset is unknown.
    """

    part: int
    place: str
    field: str | None
    start: int
    end: int
    transfer: str | None
    label: str | None
    charset: Charset | None
    data: bytes
    text: str | None
    _source: tuple[bytes, bool, int] = attribute(repr=False, compare=False)

    @property
    def places(self) -> list[tuple[int, int]]:
        """The span of the message, start and end, that encodes each byte of data."""
        return _utfall.mail_places(*self._source)

    def __repr__(self) -> str:
        where = self.field or "body"
        encoding = self.charset.encoding if self.charset else f"unknown charset {self.label!r}"
        return f"Layer({where}, {self.transfer or 'unknown'}, {encoding}: {self.text!r})"


class Part:
    """A part of a message, or the whole message.

    index: its place in Message.parts.
    parent: the index of the part that contains it; None for the message.
    kind: "text", "multipart", "message" (the next part is a message), or "other".
    is_message: whether its header is that of a message, not only of a part.
    header_span, body_span: its header and its body in the message: start and end.
    media_type: the media type in lower case, such as "text/plain".
    parameters: the parameters of Content-Type, decoded.
    label: the charset label as written; None without a label.
    is_ambiguous: whether the part has two charset labels, so that readers may disagree.
    transfer: the transfer encoding, such as "base64"; None if it is unknown.
    is_attachment: whether it is meant to be saved and not displayed.
    filename: the suggested file name, which may contain a path; None without a suggestion.
    headers: its header fields.
    """

    __slots__ = (
        "_message",
        "body_span",
        "filename",
        "header_span",
        "headers",
        "index",
        "is_ambiguous",
        "is_attachment",
        "is_message",
        "kind",
        "label",
        "media_type",
        "parameters",
        "parent",
        "transfer",
    )

    index: int
    parent: int | None
    kind: str
    is_message: bool
    header_span: tuple[int, int]
    body_span: tuple[int, int]
    media_type: str
    parameters: Mapping[str, str]
    label: str | None
    is_ambiguous: bool
    transfer: str | None
    is_attachment: bool
    filename: str | None
    headers: tuple[Header, ...]

    def __init__(self, message: Message, index: int, row: _utfall._PartRow) -> None:
        tree, spans, content, parameters, fields = row
        self._message = message
        self.index = index
        self.parent, self.kind, self.is_message = tree
        self.header_span, self.body_span = spans
        self.media_type, self.label, self.is_ambiguous, self.transfer, self.is_attachment, self.filename = content
        self.parameters = dict(parameters)
        self.headers = tuple(_header(message.data, row) for row in fields)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts directly inside it."""
        return tuple(part for part in self._message.parts if part.parent == self.index)

    @property
    def text(self) -> str | None:
        """The text, with LF line ends and U+FFFD for invalid sequences; None if the part has no readable text."""
        text, _ = self._message._texts[self.index]
        return None if text is None else text[0]

    @property
    def no_text(self) -> str | None:
        """The reason if text is None: another media type, or an unknown charset or transfer encoding."""
        return self._message._texts[self.index][1]

    @property
    def charset(self) -> Charset | None:
        """The charset that the text was decoded from; None if text is None."""
        text, _ = self._message._texts[self.index]
        return None if text is None else Charset(*text[1])

    @property
    def body(self) -> bytes:
        """The body as it is in the message."""
        return self._message.data[slice(*self.body_span)]

    @property
    def content(self) -> bytes:
        """The bytes of the body, decoded from the transfer encoding; as they are if that is unknown."""
        return _utfall.decode_body(self.body, self.transfer)

    def __getitem__(self, name: str) -> str:
        found = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    @overload
    def get(self, name: str, default: None = None) -> str | None: ...

    @overload
    def get(self, name: str, default: str) -> str: ...

    def get(self, name: str, default: str | None = None) -> str | None:
        """The decoded value of the first header field with this name, in any case."""
        values = self.get_all(name)
        return values[0] if values else default

    def get_all(self, name: str) -> list[str]:
        """The decoded values of all header fields with this name, in any case."""
        wanted = name.lower()
        return [field.text for field in self.headers if field.name.lower() == wanted and field.text is not None]

    def __repr__(self) -> str:
        size = self.body_span[1] - self.body_span[0]
        label = "" if self.label is None else f", charset={self.label}"
        return f"Part({self.media_type}{label}, {count(size, 'byte')})"


class Message:
    """A message. It is read when it is made, which takes linear time and does not fail.

    data: the bytes, of which it keeps a copy; it may begin with the From line of an mbox.
    quoted: whether lines of the text that begin with "From " are quoted with ">", as in an mbox.

    >>> from utfall import mail
    >>> message = mail.Message(
    ...     b"Content-Type: multipart/mixed; boundary=x\\n\\n"
    ...     b"--x\\nContent-Transfer-Encoding: base64\\n\\nw6k=\\n"
    ...     b"--x\\nContent-Type: image/png; name=a.png\\n\\n...\\n--x--\\n"
    ... )
    >>> for part in message.parts:
    ...     print(part.media_type, part.filename, part.charset)
    multipart/mixed None None
    text/plain None Charset(UTF-8, valid-utf-8)
    image/png a.png None
    >>> message.text
    'é'
    """

    #: The bytes of the message.
    data: bytes
    #: The parts, in the order in which they begin. The first one is the whole message.
    parts: tuple[Part, ...]
    #: Whether it has more than 10,000 parts, or more than 64 levels of them, and not all were read.
    is_limited: bool

    def __init__(self, data: ReadableBuffer, *, quoted: bool = False) -> None:
        self.data = bytes(data)
        self._quoted = quoted
        rows, self.is_limited = _utfall.mail_parts(self.data, quoted)
        self.parts = tuple(Part(self, index, row) for index, row in enumerate(rows))

    @cached_property
    def _texts(self) -> list[_utfall._TextRow]:
        return _utfall.mail_texts(self.data, self._quoted)

    @cached_property
    def _layers(self) -> list[tuple[_utfall._LayerHead, _utfall._LayerBody]]:
        return _utfall.mail_layers(self.data, self._quoted)

    @property
    def headers(self) -> tuple[Header, ...]:
        """The header fields."""
        return self.parts[0].headers

    def __getitem__(self, name: str) -> str:
        return self.parts[0][name]

    @overload
    def get(self, name: str, default: None = None) -> str | None: ...

    @overload
    def get(self, name: str, default: str) -> str: ...

    def get(self, name: str, default: str | None = None) -> str | None:
        """The decoded value of the first header field with this name, in any case."""
        found = self.parts[0].get(name)
        return default if found is None else found

    def get_all(self, name: str) -> list[str]:
        """The decoded values of all header fields with this name, in any case."""
        return self.parts[0].get_all(name)

    @property
    def text(self) -> str | None:
        """The first text that is not an attachment, preferably text/plain; None if the message has only attachments."""
        texts = [part for part in self.parts if part.kind == "text" and not part.is_attachment and part.text is not None]
        texts.sort(key=lambda part: part.media_type != "text/plain")
        return texts[0].text if texts else None

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Every text of the message, header fields before bodies: encoded words, parameters, raw bytes, texts.

        >>> from utfall import mail
        >>> message = mail.Message(b"Subject: =?UTF-8?Q?=E2=98=BA?=\\n\\n+Jjo-\\n")
        >>> message.layers
        (Layer(Subject, Q, UTF-8: '☺'), Layer(body, 7bit, US-ASCII: '+Jjo-\\n'))
        >>> message.layers[0].places
        [(19, 22), (22, 25), (25, 28)]
        """
        return tuple(self._layer(index, *row) for index, row in enumerate(self._layers))

    def _layer(self, index: int, head: _utfall._LayerHead, body: _utfall._LayerBody) -> Layer:
        part, place, name, (start, end), transfer, label, charset = head
        data, text, _, _ = body
        found = Charset(*charset) if charset else None
        source = (self.data, self._quoted, index)
        return Layer(part, place, name, start, end, transfer, label, found, data, text, source)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the texts of the message: invalid sequences, unknown charsets and transfer encodings.

        >>> from utfall import mail
        >>> mail.Message(b"Subject: =?UTF-8?Q?a=C3?=\\n\\n").problems
        (Problem(incomplete UTF-8 sequence at the end of the input at byte 20, part 0),)
        """
        return tuple(problem for row in self._layers for problem in _problems(*row))

    def convert(
        self,
        charset: str = "UTF-8",
        *,
        body: _Transfer | None = None,
        wrap: bool = False,
        force: bool = False,
    ) -> Converted:
        """Convert the texts and header fields to another charset, as `utfall mail --to` does. All other bytes stay.

        charset: the charset, which must be one for mail.
        body: the transfer encoding of texts; by default the best one that the text permits.
        wrap: whether to break lines of text/plain that have more than 76 bytes.
        force: whether to convert signed messages, which breaks their signatures.

        >>> from utfall import mail
        >>> old = mail.Message(b"Subject: =?ISO-8859-1?Q?caf=E9?=\\nContent-Type: text/plain; charset=UTF-7\\n\\n+AOk-\\n")
        >>> new = old.convert("UTF-8", body="8bit")
        >>> new
        Converted(1 text, 1 header field)
        >>> mail.Message(new.data).parts[0].label, mail.Message(new.data).text
        ('UTF-8', 'é\\n')
        """
        data, texts, fields = _utfall.mail_rewrite(self.data, self._quoted, charset, body, wrap, force)
        return Converted(data, _tally(texts), _tally(fields))

    def __repr__(self) -> str:
        return f"Message({self.get('Subject', '')!r}, {count(len(self.parts), 'part')})"


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of converted texts or header fields.

    converted: how many were converted.
    guessed: how many of these from a guessed charset.
    unchanged: how many needed no change.
    skipped: how many stay as they are, by reason.
    """

    converted: int
    guessed: int
    unchanged: int
    skipped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Converted:
    """A converted message.

    data: its bytes.
    texts, fields: the counts for each.
    """

    data: bytes
    texts: Tally
    fields: Tally

    def __repr__(self) -> str:
        texts, fields = self.texts, self.fields
        skipped = sum(texts.skipped.values()) + sum(fields.skipped.values())
        more = f", {skipped} skipped" if skipped else ""
        return f"Converted({count(texts.converted, 'text')}, {count(fields.converted, 'header field')}{more})"


def read_mbox(data: ReadableBuffer) -> Iterator[Message]:
    """Iterate over the messages of an mbox.

    >>> from utfall import mail
    >>> [message.text for message in mail.read_mbox(b"From a Sat Nov 21\\n\\n>From here\\n\\nFrom b Sat Nov 21\\n\\n2\\n")]
    ['From here\\n', '2\\n']
    """
    copy = bytes(data)
    return (Message(copy[start:end], quoted=True) for start, end in _utfall.mbox(copy))


def explain_json(
    data: ReadableBuffer,
    *,
    only_problems: bool = False,
    only_layers: bool = False,
    start: int = 0,
    end: int | None = None,
) -> str:
    """Explain mail text by text. Returns the report of `utfall explain --mail --json`.

    data: a message, an mbox, or encoded words.
    only_problems: whether to report only errors.
    only_layers: whether to report the texts without their characters.
    start, end: the bytes to explain.

    >>> import json
    >>> from utfall import mail
    >>> report = mail.explain_json(b"Subject: =?UTF-7?Q?Hi_+Jjo-?=\\n\\n", only_layers=True)
    >>> layer = json.loads(report.splitlines()[2])
    >>> layer["place"], layer["transfer_encoding"], layer["encoding"], layer["text"]
    ('encoded-word', 'Q', 'UTF-7', 'Hi ☺')
    """
    return _utfall.explain_mail_json(data, (start, end), only_problems, only_layers)


def decode_words(value: ReadableBuffer | str, *, strict: bool = False) -> Text:
    """Decode a text with encoded words (RFC 2047), such as a Subject.

    value: the text as in a header field, possibly folded.
    strict: whether to decode only what RFC 2047 allows. Otherwise, common deviations are decoded too: words of any length,
        words that touch other text, spaces in Q, and missing padding.

    >>> from utfall import mail
    >>> str(mail.decode_words("=?UTF-8?B?5pel5pys6Kqe?= =?ISO-8859-1?Q?_=28caf=E9=29?="))
    '日本語 (café)'
    """
    return _text(_utfall.decode_words(_value(value), strict))


def decode_header(name: str, value: ReadableBuffer | str, *, strict: bool = False) -> Text:
    """Decode the value of a header field by its rules: in To, only names and comments may be encoded, not addresses.

    >>> from utfall import mail
    >>> str(mail.decode_header("To", "=?UTF-7?Q?J+APY-rg?= <=?UTF-8?Q?x?=@example.org>"))
    'Jörg <=?UTF-8?Q?x?=@example.org>'
    """
    return _text(_utfall.decode_field(name, _value(value), strict))


def encode_words(
    text: str,
    charset: str = "UTF-8",
    scheme: Literal["Q", "B"] | None = None,
    *,
    first: int | None = None,
    separator: str = "\r\n ",
) -> str:
    """Encode a text as encoded words (RFC 2047) of at most 75 bytes, each of whole characters.

    charset: the charset, which must be one for mail.
    scheme: "Q" or "B"; by default B if it is shorter by more than six bytes.
    first: the space for the first word in its line, in bytes.
    separator: what to write between words. The default folds the field.

    Raises EncodeError for a character that the charset lacks.

    >>> from utfall import mail
    >>> mail.encode_words("Hi Mom ☺!", "UTF-7")
    '=?UTF-7?Q?Hi_Mom_+JjoAIQ-?='
    """
    return separator.join(_utfall.encode_words(text, charset, scheme, first))


def _value(value: ReadableBuffer | str) -> bytes:
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else bytes(value)


def _text(row: _utfall._Words) -> Text:
    text, words, unknown, invalid, guess = row
    return Text(text, words, unknown, invalid, Charset(*guess) if guess else None)


def _header(data: bytes, row: _utfall._FieldRow) -> Header:
    name, (start, end), _, words = row
    decoded = _text(words) if words else None
    return Header(name, decoded.text if decoded else None, data[start:end], start, decoded)


def _tally(row: _utfall._TallyRow) -> Tally:
    converted, guessed, unchanged, skipped = row
    return Tally(converted, guessed, unchanged, dict(skipped))


def _problems(head: _utfall._LayerHead, body: _utfall._LayerBody) -> Iterator[Problem]:
    part, place, name, (start, end), transfer, label, charset = head
    errors = body[2]

    def whole(kind: str, message: str) -> Problem:
        return Problem(part, start, end - start, kind, message, None)

    if place == "long-field":
        yield whole("too-long", f"{name} is too long to decode")
    elif transfer is None:
        yield whole("unknown-transfer-encoding", "unknown transfer encoding")
    elif charset is None:
        yield whole("unknown-charset", f'unknown charset "{label}"')
    if errors:
        yield whole("transfer-encoding", f"{count(errors, 'error')} in {transfer}")
    for (first, last), kind, message, clause in body[3]:
        yield Problem(part, first, last - first, kind, message, clause)
