"""The functions of ftfy, with the repairs of utfall.

>>> from utfall.compat import ftfy
>>> ftfy.fix_text("Les Ã©lÃ¨ves dâ€™abord")
"Les élèves d'abord"
>>> ftfy.fix_encoding("Les Ã©lÃ¨ves dâ€™abord")
'Les élèves d’abord'
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from typing import Any, BinaryIO, Literal, NamedTuple, TextIO

from .._detect import detect as _detect
from .._repair import repair as _repair
from .._utfall import decode as _decode

__all__ = [
    "ExplainedText",
    "ExplanationStep",
    "TextFixerConfig",
    "fix_and_explain",
    "fix_encoding",
    "fix_encoding_and_explain",
    "fix_file",
    "fix_text",
    "fix_text_segment",
    "guess_bytes",
]


class ExplanationStep(NamedTuple):
    """A step of a repair: its name, and the charset or function that it used."""

    action: str
    parameter: str


class ExplainedText(NamedTuple):
    """A text with its changes; None if explain is off."""

    text: str
    explanation: list[ExplanationStep] | None


class TextFixerConfig(NamedTuple):
    """What to fix. The names and defaults are those of ftfy."""

    unescape_html: str | bool = "auto"
    remove_terminal_escapes: bool = True
    fix_encoding: bool = True
    restore_byte_a0: bool = True
    replace_lossy_sequences: bool = True
    decode_inconsistent_utf8: bool = True
    fix_c1_controls: bool = True
    fix_latin_ligatures: bool = True
    fix_character_width: bool = True
    uncurl_quotes: bool = True
    fix_line_breaks: bool = True
    fix_surrogates: bool = True
    remove_control_chars: bool = True
    normalization: Literal["NFC", "NFD", "NFKC", "NFKD"] | None = "NFC"
    max_decode_length: int = 1_000_000
    explain: bool = True


_TERMINAL = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
_CONTROLS = re.compile("[\0-\x08\x0b\x0e-\x1f\x7f\u206a-\u206f\ufeff\ufff9-\ufffc]")
_C1 = re.compile("[\x80-\x9f]")
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")
_WIDE = re.compile("[\u3000\uff01-\uffef]")
_ENTITY = re.compile(r"&#?[0-9A-Za-z]{1,24};")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"',
                         "\u201f": '"', "\u02bc": "'"})
_LIGATURES = str.maketrans({c: unicodedata.normalize("NFKC", c) for c in "ĲĳŉǱǲǳǄǅǆǇǈǉǊǋǌﬀﬁﬂﬃﬄﬅﬆ"})


def fix_text(text: str, config: TextFixerConfig | None = None, **kwargs: Any) -> str:
    """Fix a text: mojibake, and the other things that config names.

    >>> from utfall.compat import ftfy
    >>> ftfy.fix_text("“schÃ¶n”")
    '"schön"'
    """
    return fix_and_explain(text, _configured(config, kwargs)._replace(explain=False)).text


def fix_and_explain(text: str, config: TextFixerConfig | None = None, **kwargs: Any) -> ExplainedText:
    """Fix a text, and list what was changed.

    >>> from utfall.compat import ftfy
    >>> ftfy.fix_and_explain("dÃ©jÃ\\xa0 vu").explanation
    [ExplanationStep(action='repair', parameter='UTF-8 read as windows-1252')]
    """
    if isinstance(text, bytes):
        raise UnicodeError("expected str, not bytes: decode it, or use guess_bytes")
    config = _configured(config, kwargs)
    steps: list[ExplanationStep] = []

    def apply(name: str, fixed: str) -> str:
        if fixed != text:
            steps.append(ExplanationStep("apply", name))
        return fixed

    # A tag means that the text is HTML, where entities are right.
    if config.unescape_html is True or config.unescape_html == "auto" and "<" not in text:
        text = apply("unescape_html", _ENTITY.sub(lambda found: html.unescape(found[0]), text))
    if config.remove_terminal_escapes:
        text = apply("remove_terminal_escapes", _TERMINAL.sub("", text))
    if config.fix_encoding:
        fixed = fix_encoding_and_explain(text, config)
        text = fixed.text
        steps.extend(fixed.explanation or [])
    if config.fix_c1_controls:
        text = apply("fix_c1_controls", _C1.sub(lambda found: _decode(found[0].encode("latin1"), "windows-1252"), text))
    if config.fix_latin_ligatures:
        text = apply("fix_latin_ligatures", text.translate(_LIGATURES))
    if config.fix_character_width:
        text = apply("fix_character_width", _WIDE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text))
    if config.uncurl_quotes:
        text = apply("uncurl_quotes", text.translate(_QUOTES))
    if config.fix_line_breaks:
        breaks = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n").replace("\x85", "\n")
        text = apply("fix_line_breaks", breaks)
    if config.fix_surrogates:
        text = apply("fix_surrogates", _SURROGATES.sub(_joined, text))
    if config.remove_control_chars:
        text = apply("remove_control_chars", _CONTROLS.sub("", text))
    if config.normalization is not None:
        fixed_form = unicodedata.normalize(config.normalization, text)
        if fixed_form != text:
            steps.append(ExplanationStep("normalize", config.normalization))
        text = fixed_form
    return ExplainedText(text, steps if config.explain else None)


def fix_text_segment(text: str, config: TextFixerConfig | None = None, **kwargs: Any) -> str:
    """The same as fix_text: lines are repaired alone anyway."""
    return fix_text(text, config, **kwargs)


def fix_encoding(text: str, config: TextFixerConfig | None = None, **kwargs: Any) -> str:
    """Fix mojibake only."""
    return fix_encoding_and_explain(text, _configured(config, kwargs)._replace(explain=False)).text


def fix_encoding_and_explain(text: str, config: TextFixerConfig | None = None, **kwargs: Any) -> ExplainedText:
    """Fix mojibake only, and list the wrong decodings."""
    config = _configured(config, kwargs)
    repaired = _repair(text)
    if not config.explain:
        return ExplainedText(repaired.text, None)
    names = dict.fromkeys(step for change in repaired.changes for step in change.steps)
    return ExplainedText(repaired.text, [ExplanationStep("repair", name) for name in names])


def guess_bytes(bstring: bytes) -> tuple[str, str]:
    """Decode bytes of unknown encoding. Returns the text and the name of the encoding.

    >>> from utfall.compat import ftfy
    >>> ftfy.guess_bytes("Größe".encode())
    ('Größe', 'utf-8')
    """
    if isinstance(bstring, str):
        raise UnicodeError("expected bytes, not str")
    guess = _detect(bstring)
    name = guess.encoding or "windows-1252"
    bom: Literal["strip"] | None = "strip" if name.startswith("UTF-") else None
    return _decode(bstring, name, "replace", bom=bom), (guess.codec or "cp1252")


def fix_file(
    input_file: TextIO | BinaryIO, encoding: str | None = None, config: TextFixerConfig | None = None, **kwargs: Any
) -> Iterator[str]:
    """Fix a file, line by line. Lines of bytes are decoded, with a guess if no encoding is given."""
    for line in input_file:
        if isinstance(line, bytes):
            if encoding is None:
                line, encoding = guess_bytes(line)
            else:
                line = _decode(line, encoding)
        yield fix_text(line, config, **kwargs)


def _configured(config: TextFixerConfig | None, changes: dict[str, Any]) -> TextFixerConfig:
    """The configuration with these changes."""
    return (config or TextFixerConfig())._replace(**changes)


def _joined(found: re.Match[str]) -> str:
    """The character of a pair of surrogates; U+FFFD for a lone one."""
    return found[0].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
