"""The functions of chardet, with the answers of utfall.

>>> from utfall.compat import chardet
>>> chardet.detect("„Größe“ und Maß: über Köln – schön, nicht wahr?".encode("cp1252"))
{'encoding': 'windows-1252', 'confidence': 0.9899, 'language': 'de', 'mime_type': 'text/plain'}

Every name that is returned is one of a codec of Python. The language is a tag, as in chardet 7, and only guessed for
charsets older than Unicode.

The modules enums and universaldetector have the names of those of chardet. `python -m utfall.compat.chardet` is the
command chardetect.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import Any, Final, TypedDict

from ..._detect import Candidate, detect as _detect
from ..._encodings import find_bom
from ..._utfall import VERSION as __version__
from .enums import EncodingEra, LanguageFilter

__all__ = [
    "DEFAULT_MAX_BYTES",
    "MINIMUM_THRESHOLD",
    "VERSION",
    "DetectionDict",
    "EncodingEra",
    "LanguageFilter",
    "ResultDict",
    "UniversalDetector",
    "__version__",
    "detect",
    "detect_all",
]

VERSION: Final = __version__.split(".")

#: Less probable guesses are left out, unless ignore_threshold is set.
MINIMUM_THRESHOLD: Final = 0.20

#: The most bytes that a UniversalDetector keeps. A guess does not become better with more.
DEFAULT_MAX_BYTES: Final = 1 << 20

_LEGACY: Final = MappingProxyType(
    {"ascii": "windows-1252", "iso8859-1": "windows-1252", "iso8859-9": "windows-1254", "iso8859-11": "cp874"}
)

# The charsets of each language of a LanguageFilter, as codecs of Python.
_CJK: Final = {
    LanguageFilter.CHINESE_SIMPLIFIED: ("gb18030", "gbk", "gb2312", "hz"),
    LanguageFilter.CHINESE_TRADITIONAL: ("big5hkscs", "big5", "cp950"),
    LanguageFilter.JAPANESE: ("cp932", "shift_jis", "euc_jp", "iso2022_jp"),
    LanguageFilter.KOREAN: ("cp949", "euc_kr", "iso2022_kr", "johab"),
}


class ResultDict(TypedDict):
    """A guess.

    encoding: the name of a codec; None for binary data.
    confidence: the probability that the guess is right, from 0 to 1.
    language: a tag such as "de"; empty if it is not known.
    mime_type: "text/plain", or "application/octet-stream" for binary data.
    """

    encoding: str | None
    confidence: float
    language: str | None
    mime_type: str | None


DetectionDict = ResultDict

_NONE: Final[ResultDict] = {"encoding": None, "confidence": 0.0, "language": None, "mime_type": None}


def detect(
    byte_str: bytes | bytearray,
    should_rename_legacy: bool = False,
    encoding_era: EncodingEra = EncodingEra.ALL,
    chunk_size: int = 65_536,
    max_bytes: int | None = None,
    *,
    prefer_superset: bool = False,
    compat_names: bool = True,
    include_encodings: Iterable[str] | None = None,
    exclude_encodings: Iterable[str] | None = None,
    no_match_encoding: str | None = None,
    empty_input_encoding: str | None = None,
) -> ResultDict:
    """Guess the encoding of bytes.

    should_rename_legacy, prefer_superset: whether to name windows-1252 instead of ASCII, and other larger charsets.
    max_bytes: how many bytes to examine; all by default.
    compat_names: False for the names of codecs of Python, such as "cp1252".
    include_encodings, exclude_encodings: the encodings to consider, and not to consider.
    no_match_encoding, empty_input_encoding: the answer if nothing matches, and for an empty text.
    encoding_era, chunk_size: these have no effect.

    >>> from utfall.compat import chardet
    >>> chardet.detect(b"Hello, world! How are you?")
    {'encoding': 'ascii', 'confidence': 0.9989, 'language': '', 'mime_type': 'text/plain'}
    """
    found = detect_all(
        byte_str,
        False,
        should_rename_legacy,
        encoding_era,
        chunk_size,
        max_bytes,
        prefer_superset=prefer_superset,
        compat_names=compat_names,
        include_encodings=include_encodings,
        exclude_encodings=exclude_encodings,
        no_match_encoding=no_match_encoding,
        empty_input_encoding=empty_input_encoding,
    )
    return found[0]


def detect_all(
    byte_str: bytes | bytearray,
    ignore_threshold: bool = False,
    should_rename_legacy: bool = False,
    encoding_era: EncodingEra = EncodingEra.ALL,
    chunk_size: int = 65_536,
    max_bytes: int | None = None,
    *,
    prefer_superset: bool = False,
    compat_names: bool = True,
    include_encodings: Iterable[str] | None = None,
    exclude_encodings: Iterable[str] | None = None,
    no_match_encoding: str | None = None,
    empty_input_encoding: str | None = None,
) -> list[ResultDict]:
    """Guess the encoding of bytes, and list the other possible ones, likeliest first. The arguments are those of detect.

    ignore_threshold: whether to list improbable guesses, too.

    >>> from utfall.compat import chardet
    >>> [guess["encoding"] for guess in chardet.detect_all("日本語のテキスト".encode("euc-jp"))][0]
    'EUC-JP'
    """
    if not isinstance(byte_str, (bytes, bytearray)):
        raise TypeError(f"Expected object of type bytes or bytearray, got: {type(byte_str)}")
    is_wanted = _filter(include_encodings, exclude_encodings)
    if max_bytes is not None:
        byte_str = byte_str[: _checked(max_bytes)]
    names = _names(should_rename_legacy or prefer_superset, compat_names)
    return _guesses(byte_str, ignore_threshold, names, is_wanted, no_match_encoding, empty_input_encoding)


def _guesses(
    data: bytes | bytearray,
    ignore_threshold: bool,
    names: Callable[[str], str],
    is_wanted: Callable[[str], bool],
    no_match: str | None,
    empty: str | None,
) -> list[ResultDict]:
    if not data and empty is not None:
        return [{"encoding": names(empty), "confidence": 0.0, "language": None, "mime_type": "text/plain"}]
    candidates = _detect(data, limit=20).candidates
    found = [(candidate, _name(candidate)) for candidate in candidates]
    usable: list[ResultDict] = [
        {
            "encoding": names(name),
            "confidence": candidate.confidence,
            "language": candidate.language or "",
            "mime_type": "text/plain",
        }
        for candidate, name in found
        if name is not None and is_wanted(name)
    ]
    least = 0.0 if ignore_threshold else MINIMUM_THRESHOLD
    listed = [guess for guess in usable if guess["confidence"] > least] or usable[:1]
    if listed:
        return listed
    if candidates and no_match is not None:
        return [{"encoding": names(no_match), "confidence": 0.0, "language": None, "mime_type": "text/plain"}]
    return [_NONE | {"mime_type": "text/plain" if candidates else "application/octet-stream"}]


def _checked(max_bytes: int) -> int:
    if max_bytes < 1:
        raise ValueError("max_bytes must be a positive integer")
    return max_bytes


def _codec(name: str) -> str:
    """The name of a codec of Python, without the difference of a BOM."""
    try:
        return codecs.lookup(name).name.removesuffix("-sig")
    except LookupError:
        raise ValueError(f"unknown encoding: {name}") from None


def _filter(
    include: Iterable[str] | None, exclude: Iterable[str] | None, languages: LanguageFilter = LanguageFilter.ALL
) -> Callable[[str], bool]:
    """Whether an encoding may be the answer."""
    wanted = None if include is None else {_codec(name) for name in include}
    unwanted = {_codec(name) for name in exclude or ()}
    for language, charsets in _CJK.items():
        if not languages & language:
            unwanted.update(charsets)
    has_others = bool(languages & LanguageFilter.NON_CJK)
    east_asian = {charset for charsets in _CJK.values() for charset in charsets}

    def is_wanted(name: str) -> bool:
        codec = _codec(name)
        is_other = codec != "ascii" and not codec.startswith("utf") and codec not in east_asian
        return codec not in unwanted and (wanted is None or codec in wanted) and (has_others or not is_other)

    return is_wanted


def _names(is_superset: bool, compat_names: bool) -> Callable[[str], str]:
    """The function that gives an encoding the name that is wanted."""

    def name_of(name: str) -> str:
        if is_superset:
            name = _LEGACY.get(codecs.lookup(name).name, name)
        return name if compat_names else codecs.lookup(name).name

    return name_of


class UniversalDetector:
    """Guess the encoding of bytes that come in pieces. The arguments are those of detect.

    lang_filter: the languages whose charsets to consider. Unicode is always considered.

    done: whether more bytes would not change the result: after a BOM, and after max_bytes.
    result: the guess, after close or when done is true.

    >>> from utfall.compat.chardet import UniversalDetector
    >>> detector = UniversalDetector()
    >>> detector.feed("Über".encode())
    >>> detector.close()["encoding"]
    'utf-8'
    """

    MINIMUM_THRESHOLD: Final = MINIMUM_THRESHOLD
    LEGACY_MAP: Final = _LEGACY

    def __init__(
        self,
        lang_filter: LanguageFilter = LanguageFilter.ALL,
        should_rename_legacy: bool = False,
        encoding_era: EncodingEra = EncodingEra.ALL,
        max_bytes: int = DEFAULT_MAX_BYTES,
        *,
        prefer_superset: bool = False,
        compat_names: bool = True,
        include_encodings: Iterable[str] | None = None,
        exclude_encodings: Iterable[str] | None = None,
        no_match_encoding: str | None = None,
        empty_input_encoding: str | None = None,
    ) -> None:
        self.lang_filter = lang_filter
        self.should_rename_legacy = should_rename_legacy
        self._longest = _checked(max_bytes)
        names = _names(should_rename_legacy or prefer_superset, compat_names)
        is_wanted = _filter(include_encodings, exclude_encodings, lang_filter)
        self._how: tuple[Any, ...] = (False, names, is_wanted, no_match_encoding, empty_input_encoding)
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
        before = len(self._data)
        self._data += byte_str[: self._longest - before]
        # The longest BOM has four bytes.
        has_bom = before < 4 <= len(self._data) and find_bom(self._data[:4]) is not None
        if has_bom or len(self._data) >= self._longest:
            self._finish()

    def close(self) -> ResultDict:
        """End the text, and return the guess, which is also in result."""
        if not self.done:
            self._finish()
        return self.result

    def _finish(self) -> None:
        self.done = True
        self.result = _guesses(self._data, *self._how)[0]


def _name(candidate: Candidate) -> str | None:
    """A name that Python knows; None if it has no such codec."""
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
