"""The functions of chardet, with the answers of utfall.

>>> from utfall.compat import chardet
>>> chardet.detect("„Größe“ und Maß: über Köln – schön, nicht wahr?".encode("cp1252"))
{'encoding': 'windows-1252', 'confidence': 0.9899, 'language': 'de'}

Every name that is returned is one of a codec of Python. The language is a tag, as in chardet 7, and only guessed for
charsets older than Unicode.
"""

from __future__ import annotations

import codecs
from typing import Any, Final, TypedDict

from .._detect import Candidate, detect as _detect

__all__ = ["MINIMUM_THRESHOLD", "ResultDict", "UniversalDetector", "detect", "detect_all"]

#: Less probable guesses are left out, unless ignore_threshold is set.
MINIMUM_THRESHOLD: Final = 0.20

# A guess does not become better with more than this.
_LONGEST = 1 << 20


class ResultDict(TypedDict):
    """A guess."""

    encoding: str | None
    confidence: float
    language: str | None


_NONE: Final[ResultDict] = {"encoding": None, "confidence": 0.0, "language": None}


def detect(byte_str: bytes | bytearray, **_ignored: Any) -> ResultDict:
    """Guess the encoding of bytes. Other keywords of chardet are accepted, and have no effect.

    >>> from utfall.compat import chardet
    >>> chardet.detect(b"Hello, world! How are you?")
    {'encoding': 'ascii', 'confidence': 0.9989, 'language': ''}
    """
    return detect_all(byte_str)[0]


def detect_all(byte_str: bytes | bytearray, ignore_threshold: bool = False, **_ignored: Any) -> list[ResultDict]:
    """Guess the encoding of bytes, and list the other possible ones, likeliest first.

    >>> from utfall.compat import chardet
    >>> [guess["encoding"] for guess in chardet.detect_all("日本語のテキスト".encode("euc-jp"))][0]
    'EUC-JP'
    """
    if not isinstance(byte_str, (bytes, bytearray)):
        raise TypeError(f"Expected object of type bytes or bytearray, got: {type(byte_str)}")
    least = 0.0 if ignore_threshold else MINIMUM_THRESHOLD
    found = [_result(candidate) for candidate in _detect(byte_str, limit=20).candidates]
    usable = [guess for guess in found if guess is not None]
    return [guess for guess in usable if guess["confidence"] > least] or usable[:1] or [_NONE.copy()]


class UniversalDetector:
    """Guess the encoding of bytes that come in pieces.

    >>> from utfall.compat.chardet import UniversalDetector
    >>> detector = UniversalDetector()
    >>> detector.feed("Über".encode())
    >>> detector.close()["encoding"]
    'utf-8'
    """

    MINIMUM_THRESHOLD: Final = MINIMUM_THRESHOLD

    def __init__(self, **_ignored: Any) -> None:
        self.reset()

    def reset(self) -> None:
        """Return to the beginning, for another text."""
        self.result: ResultDict = _NONE.copy()
        self.done = False
        self._data = bytearray()

    def feed(self, byte_str: bytes | bytearray) -> None:
        """Take the next piece."""
        if self.done:
            return
        self._data += byte_str[: _LONGEST - len(self._data)]
        self.done = len(self._data) >= _LONGEST
        if self.done:
            self.result = detect(self._data)

    def close(self) -> ResultDict:
        """End the text, and return the guess, which is also in result."""
        if not self.done:
            self.done = True
            self.result = detect(self._data)
        return self.result


def _result(candidate: Candidate) -> ResultDict | None:
    """A guess with a name that Python knows; None if it has no such codec."""
    encoding = _name(candidate)
    if encoding is None:
        return None
    return {"encoding": encoding, "confidence": candidate.confidence, "language": candidate.language or ""}


def _name(candidate: Candidate) -> str | None:
    signed = any(reason.kind == "signature" for reason in candidate.evidence)
    match candidate.encoding:
        case "US-ASCII":
            return "ascii"
        case "UTF-8":
            return "UTF-8-SIG" if signed else "utf-8"
        case "UTF-16LE" | "UTF-16BE" if signed:
            return "UTF-16"
        case "UTF-32LE" | "UTF-32BE" if signed:
            return "UTF-32"
    codec = candidate.codec
    if codec.startswith("utfall:"):
        return None
    try:
        same = codecs.lookup(candidate.encoding).name == codecs.lookup(codec).name
    except LookupError:
        same = False
    return candidate.encoding if same else codec
