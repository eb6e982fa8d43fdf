"""Codecs for text that other programs wrote wrongly.

- sloppy-windows-1252 and its relatives have the C1 control for each undefined byte, and U+FFFD for 1A.
- utf-8-variants is UTF-8, with surrogate pairs as in CESU-8, and with C0 80 for U+0000 as in Java.

>>> from utfall.compat.ftfy import bad_codecs
>>> bad_codecs.lookup("sloppy-windows-1252").decode(b"\\x80\\x81")
('€\\x81', 2)

They are registered by ok(), not on import.
"""

from __future__ import annotations

import codecs
import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["lookup", "ok", "search_function"]

_SLOPPY = [*(f"windows-{number}" for number in range(1250, 1259)), *(f"cp{number}" for number in (*range(1250, 1259), 874)),
           *(f"iso-8859-{number}" for number in (3, 6, 7, 8, 11))]  # fmt: skip
_VARIANTS = {"utf_8_variants", "utf8_variants", "utf_8_variant", "utf8_variant", "utf_8_var", "utf8_var", "cesu_8", "cesu8", "java_utf_8",
             "java_utf8"}  # fmt: skip
_PAIR = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]|\xc0\x80")
# The start of such a sequence at the end of a piece.
_BEGUN = re.compile(rb"(?:\xc0|\xed(?:[\xa0-\xaf](?:[\x80-\xbf](?:\xed[\xb0-\xbf]?)?)?)?)\Z")


def ok() -> None:
    """Register the codecs. More than one call does no harm."""
    codecs.unregister(search_function)
    codecs.register(search_function)


def lookup(name: str) -> codecs.CodecInfo:
    """Look up one of these codecs, registered or not, or any other."""
    return search_function(name) or codecs.lookup(name)


@cache
def search_function(encoding: str) -> codecs.CodecInfo | None:
    """The codec with this name; None for the names of others."""
    name = encoding.lower().replace("-", "_")
    if name in _VARIANTS:
        return codecs.CodecInfo(
            codecs.utf_8_encode,
            _decode_variants,
            incrementalencoder=codecs.lookup("utf-8").incrementalencoder,
            incrementaldecoder=_VariantsDecoder,
            name="utf-8-variants",
        )
    for charset in _SLOPPY:
        if name == f"sloppy_{charset.replace('-', '_')}":
            return _sloppy(charset)
    return None


def _sloppy(charset: str) -> codecs.CodecInfo:
    characters = [bytes([byte]).decode(charset, "replace") for byte in range(256)]
    table = [chr(byte) if text == "\ufffd" else text for byte, text in enumerate(characters)]
    table[0x1A] = "\ufffd"
    decoding = "".join(table)
    encoding = codecs.charmap_build(decoding)

    def encode(text: str, errors: str = "strict") -> tuple[bytes, int]:
        return codecs.charmap_encode(text, errors, encoding)

    def decode(data: ReadableBuffer, errors: str = "strict") -> tuple[str, int]:
        return codecs.charmap_decode(data, errors, decoding)

    class IncrementalEncoder(codecs.IncrementalEncoder):
        def encode(self, input: str, final: bool = False) -> bytes:
            return encode(input, self.errors)[0]

    class IncrementalDecoder(codecs.IncrementalDecoder):
        def decode(self, input: ReadableBuffer, final: bool = False) -> str:
            return decode(input, self.errors)[0]

    return codecs.CodecInfo(
        encode,
        decode,
        incrementalencoder=IncrementalEncoder,
        incrementaldecoder=IncrementalDecoder,
        name=f"sloppy-{charset}",
    )


def _corrected(found: re.Match[bytes]) -> bytes:
    if found[0] == b"\xc0\x80":
        return b"\0"
    return found[0].decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16").encode()


def _decode_variants(data: ReadableBuffer, errors: str = "strict") -> tuple[str, int]:
    data = bytes(data)
    return _PAIR.sub(_corrected, data).decode("utf-8", errors), len(data)


class _VariantsDecoder(codecs.BufferedIncrementalDecoder):
    def _buffer_decode(self, input: ReadableBuffer, errors: str, final: bool) -> tuple[str, int]:
        data = bytes(input)
        begun = None if final else _BEGUN.search(data)
        whole = data[: begun.start()] if begun else data
        changed = _PAIR.sub(_corrected, whole)
        text, read = codecs.utf_8_decode(changed, errors, final)
        # An incomplete sequence at the end is the same before and after.
        return text, len(whole) - (len(changed) - read)
