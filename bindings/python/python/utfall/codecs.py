"""Codecs for bytes.decode, open, pandas.read_csv and everything else that takes the name of an encoding.

>>> import utfall.codecs
>>> utfall.codecs.register()
>>> "日本語".encode("scsu")
b'\\x0fe\\xe5g,\\x8a\\x9e'
>>> b"+ZeVnLIqe-".decode("utfall:utf-7")
'日本語'

After register(), the names and aliases that Python lacks ("scsu", "bocu-1", "cesu-8", "utf-7-imap") work everywhere. With
"utfall:" before it, every name does, also where Python has a codec of that name. "-sig" after a Unicode encoding, as in
"utfall:utf-8-sig", removes a BOM when reading and writes one when writing.

Decoders and encoders can be used in pieces, and save their state: tell and seek work. All error handlers of Python work.
"""

from __future__ import annotations

import codecs as _codecs
from functools import cache
from typing import IO, TYPE_CHECKING, Any, Literal, Self, cast

from . import _utfall

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["lookup", "register", "unregister"]

_PREFIX = "utfall_"
_SIGNATURE = "_sig"
# What they write ends a shift at the end of each piece: Python's files do not tell an encoder when the text ends.
_CLOSED = ("UTF-7", "UTF-7/RFC1642")


def register() -> None:
    """Register the codecs. More than one call does no harm.

    Python asks for a codec by its name once, and remembers the answer until unregister().
    """
    _register(_search)


def unregister() -> None:
    """Undo register()."""
    for search in (_search, _search_prefixed):
        if search in _registered:
            _registered.remove(search)
            _codecs.unregister(search)


def lookup(name: str) -> _codecs.CodecInfo:
    """Look up a codec of utfall, whether it is registered or not.

    >>> import utfall.codecs
    >>> utfall.codecs.lookup("latin1").decode(b"\\xe9")
    ('é', 1)
    """
    found = _find(_normalized(name))
    if found is None:
        # An error with suggestions.
        _utfall.is_valid(b"", name)
        raise LookupError(f"unknown encoding: {name}")
    return found


_registered: list[Any] = []


def _register(search: Any) -> None:
    if search not in _registered:
        _registered.append(search)
        _codecs.register(search)


def register_prefixed() -> None:
    """Register only the names that begin with "utfall:", for utfall.open."""
    _register(_search_prefixed)


def _search(name: str) -> _codecs.CodecInfo | None:
    return _find(name.removeprefix(_PREFIX))


def _search_prefixed(name: str) -> _codecs.CodecInfo | None:
    return _find(name.removeprefix(_PREFIX)) if name.startswith(_PREFIX) else None


def _normalized(name: str) -> str:
    """As Python changes a name before it passes it to a search function."""
    words = "".join(c if c.isascii() and c.isalnum() or c == "." else " " for c in name.lower()).split()
    return "_".join(words)


@cache
def _find(normalized: str) -> _codecs.CodecInfo | None:
    name = _utfall.resolve(normalized)
    if name is not None:
        return _info(name, f"utfall:{name.lower()}", None, None)
    name = _utfall.resolve(normalized.removesuffix(_SIGNATURE))
    if name is not None and normalized.endswith(_SIGNATURE) and _utfall.encode("\ufeff", name, "ignore"):
        return _info(name, f"utfall:{name.lower()}-sig", "strip", "add")
    return None


def _info(
    name: str, shown: str, reading: Literal["strip"] | None, writing: Literal["add"] | None
) -> _codecs.CodecInfo:
    """The codec with this name, and how it handles a BOM."""
    is_closed = name in _CLOSED

    def encode(input: str, errors: str = "strict") -> tuple[bytes, int]:
        return _utfall.encode(input, name, errors, bom=writing), len(input)

    def decode(input: ReadableBuffer, errors: str = "strict") -> tuple[str, int]:
        return _utfall.decode(input, name, errors, bom=reading), memoryview(input).nbytes

    class IncrementalDecoder(_utfall.Decoder):
        def __new__(cls, errors: str = "strict") -> Self:
            return super().__new__(cls, name, errors, bom=reading)

    class IncrementalEncoder(_utfall.Encoder):
        def __new__(cls, errors: str = "strict") -> Self:
            return super().__new__(cls, name, errors, bom=writing)

        def encode(self, text: str, final: bool = False) -> bytes:
            return super().encode(text, final or is_closed)

    class StreamReader(_codecs.StreamReader):
        def __init__(self, stream: IO[bytes], errors: str = "strict") -> None:
            super().__init__(stream, errors)
            self._decoder = IncrementalDecoder(errors)

        def decode(self, input: bytes, errors: str = "strict") -> tuple[str, int]:
            if errors != self._decoder.errors:
                self._decoder = IncrementalDecoder(errors)
            return self._decoder.decode(input), len(input)

        def reset(self) -> None:
            super().reset()
            self._decoder.reset()

    class StreamWriter(_codecs.StreamWriter):
        def __init__(self, stream: IO[bytes], errors: str = "strict") -> None:
            super().__init__(stream, errors)
            self._encoder = IncrementalEncoder(errors)

        def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
            if errors != self._encoder.errors:
                self._encoder = IncrementalEncoder(errors)
            return self._encoder.encode(input), len(input)

        def reset(self) -> None:
            # Ends a shift, so that what was written is a whole text.
            end = self._encoder.encode("", True)
            if end:
                self.stream.write(end)
            self._encoder.reset()

    info = _codecs.CodecInfo(
        name=shown,
        encode=encode,
        decode=decode,
        incrementalencoder=cast("Any", IncrementalEncoder),
        incrementaldecoder=cast("Any", IncrementalDecoder),
        streamreader=cast("Any", StreamReader),
        streamwriter=cast("Any", StreamWriter),
    )
    # So that Detection.codec prefers a codec of Python.
    info.is_utfall = True  # type: ignore[attr-defined]
    return info
