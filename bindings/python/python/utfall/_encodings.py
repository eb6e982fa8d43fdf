"""The list of encodings."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from . import _utfall

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# Where Python's name differs, or where another of its codecs is nearer to the encoding of the web. None: no codec of
# Python decodes it, or only a different encoding has that name.
_PYTHON_NAMES: dict[str, str | None] = {
    "Big5": "big5hkscs",
    "EUC-KR": "cp949",
    "GBK": "gb18030",
    "IBM866": "cp866",
    "ISO-8859-8-I": "iso8859-8",
    "Shift_JIS": "cp932",
    "UTF-16": None,
    "UTF-32": None,
    "macintosh": "mac-roman",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
}


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding.

    name: its name, as in reports.
    aliases: other names that the functions accept.
    description: what it is.
    specification: where it is defined.
    number: its number, which no other encoding ever gets. The C library has the same.
    bom: the BOM that it writes; empty if it has none.
    code_unit: the length of its code units in bytes.
    registered: whether IANA registered it.
    ascii_transparent: whether US-ASCII stays as it is.
    seven_bit: whether all bytes are below 80.
    stateful: whether the meaning of bytes depends on earlier ones, beyond a character.
    self_synchronizing: whether the start of the next character can be found from any place.
    """

    name: str
    aliases: tuple[str, ...]
    description: str
    specification: str
    number: int
    bom: bytes
    code_unit: int
    registered: bool
    ascii_transparent: bool
    seven_bit: bool
    stateful: bool
    self_synchronizing: bool

    def __repr__(self) -> str:
        return f"Encoding({self.name})"


@cache
def encodings() -> tuple[Encoding, ...]:
    """List every encoding.

    >>> import utfall
    >>> utfall.encodings()[0]
    Encoding(UTF-8)
    >>> utfall.encodings()[0].aliases[:3]
    ('csUTF8', 'utf-8-rfc3629', 'unicode-2-0-utf-8')
    """
    return tuple(
        Encoding(name, tuple(aliases), description, specification, number, bom, code_unit, *flags)
        for (name, aliases, description, specification), (number, code_unit), bom, flags in _utfall.facts()
    )


@cache
def _by_name() -> dict[str, Encoding]:
    return {encoding.name: encoding for encoding in encodings()}


def lookup(label: str) -> Encoding:
    """Find the encoding with this name or alias, in any case. An unknown label raises LookupError, with similar names.

    >>> import utfall
    >>> utfall.lookup("latin1"), utfall.lookup("latin1").specification
    (Encoding(ISO-8859-1), 'ISO/IEC 8859-1:1998')
    """
    return _by_name()[_utfall.name_of(label)]


def find_bom(data: ReadableBuffer) -> tuple[Encoding, int] | None:
    """Find the BOM at the start of a text: the encoding that it marks, and its length in bytes. None without a BOM.

    >>> import utfall
    >>> utfall.find_bom("\ufeffa".encode())
    (Encoding(UTF-8), 3)
    """
    found = _utfall.find_bom(data)
    return None if found is None else (lookup(found[0]), found[1])


@cache
def codec_of(name: str) -> str:
    """The name of an encoding for bytes.decode: that of a codec of Python, else one of utfall.codecs."""
    known = _PYTHON_NAMES.get(name, name)
    if known is not None:
        try:
            info = codecs.lookup(known)
        except LookupError:
            pass
        else:
            if not getattr(info, "is_utfall", False):
                return info.name
    return f"utfall:{name.lower()}"
