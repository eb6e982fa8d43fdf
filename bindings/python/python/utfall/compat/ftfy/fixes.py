"""Single fixes, as functions of a text.

>>> from utfall.compat.ftfy import fixes
>>> fixes.uncurl_quotes("“schön”"), fixes.fix_latin_ligatures("ﬂuﬃest")
('"schön"', 'fluffiest')
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Final

from ..._repair import repair as _repair
from ..._utfall import decode as _decode

__all__ = [
    "convert_surrogate_pair",
    "decode_escapes",
    "decode_inconsistent_utf8",
    "fix_c1_controls",
    "fix_character_width",
    "fix_latin_ligatures",
    "fix_line_breaks",
    "fix_surrogates",
    "remove_bom",
    "remove_control_chars",
    "remove_terminal_escapes",
    "replace_lossy_sequences",
    "restore_byte_a0",
    "uncurl_quotes",
    "unescape_html",
]

_TERMINAL = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
_CONTROLS = re.compile("[\0-\x08\x0b\x0e-\x1f\x7f\u206a-\u206f\ufeff\ufff9-\ufffc]")
_C1 = re.compile("[\x80-\x9f]")
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")
_WIDE = re.compile("[\u3000\uff01-\uffef]")
_ENTITY = re.compile(r"&#?[0-9A-Za-z]{1,24};")
_ESCAPE = re.compile(r"""\\(?:U[0-9A-Fa-f]{8}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[0-7]{1,3}|N\{[^}]+\}|[\\'"abfnrtv])""")
_QUOTES: Final = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u02bc": "'"}
)
_LIGATURES: Final = str.maketrans({c: unicodedata.normalize("NFKC", c) for c in "ĲĳŉǱǲǳǄǅǆǇǈǉǊǋǌﬀﬁﬂﬃﬄﬅﬆ"})

# UTF-8 in which one of the continuation bytes is a space, or a substitute.
_SPACED = re.compile(
    rb"[\xc2-\xdf] |[\xe0-\xef] [\x80-\xbf]|[\xe0-\xef][\x80-\xbf] |"
    rb"[\xf0-\xf4] [\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf] [\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2} "
)
_LOSSY = re.compile(
    rb"[\xc2-\xdf]\x1a|[\xe0-\xef](?:\x1a[\x80-\xbf]|[\x80-\xbf]\x1a|\x1a\x1a)|[\xf0-\xf4](?=[\x80-\xbf]*\x1a)[\x1a\x80-\xbf]{3}|"
    # A question mark may also be one.
    rb"[\xc2\xc3]\?|[\xe0-\xef][\x80-\xbf]\?|[\xf0-\xf4][\x80-\xbf]{2}\?"
)


def unescape_html(text: str) -> str:
    """Replace the entities of HTML that end with a semicolon."""
    return _ENTITY.sub(_unescaped, text)


def _unescaped(found: re.Match[str]) -> str:
    entity = found[0]
    plain = html.unescape(entity)
    if plain == entity and entity[1:-1].isupper():
        # A name that was changed to capitals, such as &EACUTE;
        for name in (entity.capitalize(), f"&{entity[1].upper()}{entity[2:].lower()}", entity.lower()):
            plain = html.unescape(name)
            if plain != name and len(plain) == 1:
                return plain.upper()
        return entity
    return plain


def remove_terminal_escapes(text: str) -> str:
    """Remove escape sequences for colours of a terminal."""
    return _TERMINAL.sub("", text)


def uncurl_quotes(text: str) -> str:
    """Replace curly quotes by straight ones."""
    return text.translate(_QUOTES)


def fix_latin_ligatures(text: str) -> str:
    """Replace ligatures by their letters."""
    return text.translate(_LIGATURES)


def fix_character_width(text: str) -> str:
    """Replace fullwidth and halfwidth characters by the usual ones."""
    return _WIDE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)


def fix_line_breaks(text: str) -> str:
    """Replace all line ends by a line feed."""
    for end in ("\r\n", "\r", "\u2028", "\u2029", "\x85"):
        text = text.replace(end, "\n")
    return text


def convert_surrogate_pair(match: re.Match[str]) -> str:
    """The character of a match of two surrogates; U+FFFD for a lone one."""
    return match[0].encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def fix_surrogates(text: str) -> str:
    """Replace pairs of surrogates by their character, and lone ones by U+FFFD."""
    return _SURROGATES.sub(convert_surrogate_pair, text)


def remove_control_chars(text: str) -> str:
    """Remove controls that text does not need, and BOMs."""
    return _CONTROLS.sub("", text)


def remove_bom(text: str) -> str:
    """Remove BOMs at the start."""
    return text.lstrip("\ufeff")


def fix_c1_controls(text: str) -> str:
    """Replace C1 controls by the characters that these bytes are in windows-1252."""
    return _C1.sub(lambda found: _decode(found[0].encode("latin1"), "windows-1252"), text)


def decode_escapes(text: str) -> str:
    r"""Replace the escape sequences of Python and C.

    >>> from utfall.compat.ftfy import fixes
    >>> fixes.decode_escapes(r"\u00e9\n\x41")
    'é\nA'
    """
    return _ESCAPE.sub(lambda found: found[0].encode("ascii", "ignore").decode("unicode-escape"), text)


def restore_byte_a0(byts: bytes) -> bytes:
    """Replace a space by the byte A0 where that makes valid UTF-8."""
    return _SPACED.sub(lambda found: found[0].replace(b" ", b"\xa0"), byts)


def replace_lossy_sequences(byts: bytes) -> bytes:
    """Replace UTF-8 that lost a byte by U+FFFD."""
    return _LOSSY.sub("\ufffd".encode(), byts)


def decode_inconsistent_utf8(text: str) -> str:
    """Repair the damaged parts of a text, as fix_encoding does."""
    return _repair(text).text
