"""Guesses of encodings."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from . import _utfall
from ._encodings import codec_of

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# As much as is read of a file that has no name.
_SAMPLE = 1 << 20


class _Readable(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """A reason for a guess.

    kind: a stable word for the kind of reason.
    text: the reason in words.
    count: how often it was seen.
    first_offset: where it was first seen, in bytes; None if that means nothing.
    """

    kind: str
    text: str
    count: int
    first_offset: int | None

    def __repr__(self) -> str:
        return f"Evidence({self.text})"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An encoding that a text may be in.

    encoding: its name.
    confidence: the probability that it decodes the text correctly, from 0 to 1.
    evidence: the reasons, strongest first.
    rival: another encoding that is nearly as likely; None if the lead is clear.
    language: the likeliest language as a BCP 47 tag, such as "cs"; only for charsets older than Unicode.
    layer: "base64", "quoted-printable" or "double-utf-8" if the text is itself an encoding of another text.
    inside: the guess for that other text.
    """

    encoding: str
    confidence: float
    evidence: tuple[Evidence, ...]
    rival: str | None
    language: str | None
    layer: str | None
    inside: Candidate | None

    @property
    def codec(self) -> str:
        """The name for bytes.decode and open: a codec of Python, else one that utfall.codecs.register() adds."""
        return codec_of(self.encoding)

    def __repr__(self) -> str:
        return f"Candidate({self.encoding}, {_shown(self.confidence)})"


@dataclass(frozen=True, slots=True)
class Detection:
    """A guess of an encoding. It is true if the guess is good enough to act on.

    encoding: the name of the likeliest encoding; None for binary data.
    confidence: the probability that it decodes the text correctly, from 0 to 1.
    sure: whether the guess is good enough to act on: confidence of at least 0.9 (or min_confidence) and a clear lead.
    candidates: the likeliest encodings, best first.
    bytes_read: how much was examined.
    """

    encoding: str | None
    confidence: float
    sure: bool
    candidates: tuple[Candidate, ...]
    bytes_read: int
    _json: str

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The reasons for the best guess, strongest first."""
        return self.candidates[0].evidence if self.candidates else ()

    @property
    def codec(self) -> str | None:
        """The name for bytes.decode and open: a codec of Python, else one that utfall.codecs.register() adds."""
        return self.candidates[0].codec if self.candidates else None

    def json(self) -> str:
        """The report of `utfall detect --json`, without the version."""
        return self._json

    def __bool__(self) -> bool:
        return self.sure

    def __repr__(self) -> str:
        if self.encoding is None:
            return "Detection(binary)"
        return f"Detection({self.encoding}, {_shown(self.confidence)}{'' if self.sure else ', unsure'})"


def detect(
    source: ReadableBuffer | str | os.PathLike[str] | os.PathLike[bytes] | _Readable,
    *,
    language: str | None = None,
    expected: Iterable[str] | None = None,
    min_confidence: float | None = None,
    all: bool = False,
    limit: int = 5,
) -> Detection:
    """Guess the encoding of bytes, of the file at a path, or of an open binary file.

    source: bytes or any other buffer; a path; or an object with read, which is read from where it is and returns
        there if it can.
    language: the language of the text as a BCP 47 tag, such as "ja".
    expected: the encodings that are possible.
    min_confidence: the confidence that is enough to be sure, instead of the usual rule.
    all: whether to read all of a long text, not samples.
    limit: the most candidates to report.

    >>> import utfall
    >>> guess = utfall.detect("„Größe“ und Maß: über Köln – schön, nicht wahr?".encode("cp1252"))
    >>> guess.encoding, guess.codec, guess.sure
    ('windows-1252', 'cp1252', True)
    >>> utfall.detect(bytes(range(256)))
    Detection(binary)
    """
    how = (all, limit, min_confidence)
    wanted = None if expected is None else list(expected)
    if isinstance(source, (str, os.PathLike)):
        report = _utfall.detect_path(os.fsdecode(source), language, wanted, how)
    elif hasattr(source, "read"):
        report = _utfall.detect_bytes(_contents(source, all), language, wanted, how)
    else:
        report = _utfall.detect_bytes(source, language, wanted, how)
    parsed = json.loads(report)
    candidates = tuple(map(_candidate, parsed["candidates"]))
    best = candidates[0] if candidates else None
    return Detection(
        encoding=best.encoding if best else None,
        confidence=best.confidence if best else 0.0,
        sure=parsed["sure"],
        candidates=candidates,
        bytes_read=parsed["bytes_read"],
        _json=report,
    )


def _contents(file: Any, all: bool) -> bytes:
    """As much of an open file as a guess needs. The file returns to its place, if it can."""
    is_seekable = hasattr(file, "seekable") and file.seekable()
    place = file.tell() if is_seekable else 0
    data = file.read() if all else file.read(_SAMPLE)
    if is_seekable:
        file.seek(place)
    if not isinstance(data, (bytes, bytearray)):
        raise TypeError("expected a file that is open in binary mode")
    return bytes(data)


def _candidate(parsed: dict[str, Any]) -> Candidate:
    inside = parsed.get("inside")
    return Candidate(
        encoding=parsed["encoding"],
        confidence=parsed["confidence"],
        evidence=tuple(
            Evidence(reason["kind"], reason["text"], reason["count"], reason.get("first_offset"))
            for reason in parsed["evidence"]
        ),
        rival=parsed.get("rival"),
        language=parsed.get("language"),
        layer=inside["layer"] if inside else None,
        inside=_candidate(inside["candidate"]) if inside else None,
    )


def _shown(confidence: float) -> str:
    """The confidence with two digits; only an exact 1 is shown as 1."""
    return f"{int(confidence * 100) / 100:.2f}" if confidence < 1 else "1"
