"""The functions of ftfy, with the repairs of utfall.

>>> from utfall.compat import ftfy
>>> ftfy.fix_text("Les Ã©lÃ¨ves dâ€™abord")
"Les élèves d'abord"
>>> ftfy.fix_encoding("Les Ã©lÃ¨ves dâ€™abord")
'Les élèves d’abord'

The modules fixes, formatting, badness and bad_codecs have the names of those of ftfy. `python -m utfall.compat.ftfy` is
its command.
"""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, Final, Literal, NamedTuple, TextIO, TypeAlias, cast

from ..._detect import detect as _detect
from ..._repair import repair as _repair
from ..._utfall import VERSION as __version__, character_name, decode as _decode
from . import bad_codecs, fixes
from .badness import is_bad
from .formatting import display_ljust

__all__ = [
    "FIXERS",
    "ExplainedText",
    "ExplanationStep",
    "TextFixerConfig",
    "__version__",
    "apply_plan",
    "display_ljust",
    "explain_unicode",
    "fix_and_explain",
    "fix_encoding",
    "fix_encoding_and_explain",
    "fix_file",
    "fix_text",
    "fix_text_segment",
    "ftfy",
    "guess_bytes",
    "is_bad",
]


_Form: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD"]


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
    normalization: _Form | None = "NFC"
    max_decode_length: int = 1_000_000
    explain: bool = True


#: The functions that a plan may name.
FIXERS: Final[dict[str, Callable[[Any], Any]]] = {
    "unescape_html": fixes.unescape_html,
    "remove_terminal_escapes": fixes.remove_terminal_escapes,
    "restore_byte_a0": fixes.restore_byte_a0,
    "replace_lossy_sequences": fixes.replace_lossy_sequences,
    "decode_inconsistent_utf8": fixes.decode_inconsistent_utf8,
    "fix_c1_controls": fixes.fix_c1_controls,
    "fix_latin_ligatures": fixes.fix_latin_ligatures,
    "fix_character_width": fixes.fix_character_width,
    "uncurl_quotes": fixes.uncurl_quotes,
    "fix_line_breaks": fixes.fix_line_breaks,
    "fix_surrogates": fixes.fix_surrogates,
    "remove_control_chars": fixes.remove_control_chars,
}

# The steps after the encoding, in order.
_LATER = (
    "fix_c1_controls",
    "fix_latin_ligatures",
    "fix_character_width",
    "uncurl_quotes",
    "fix_line_breaks",
    "fix_surrogates",
    "remove_control_chars",
)


def fix_text(text: str, config: TextFixerConfig | None = None, **kwargs: Any) -> str:
    """Fix a text: mojibake, and the other things that config names.

    >>> from utfall.compat import ftfy
    >>> ftfy.fix_text("“schÃ¶n”")
    '"schön"'
    """
    return fix_and_explain(text, _configured(config, kwargs)._replace(explain=False)).text


#: The same function, as in ftfy.
ftfy = fix_text


def fix_and_explain(text: str, config: TextFixerConfig | None = None, **kwargs: Any) -> ExplainedText:
    """Fix a text, and list the changes.

    >>> from utfall.compat import ftfy
    >>> ftfy.fix_and_explain("“dÃ©jÃ\\xa0 vu”").explanation
    [ExplanationStep(action='repair', parameter='UTF-8 read as ISO-8859-1'), ExplanationStep(action='apply', parameter='uncurl_quotes')]
    """
    if isinstance(text, bytes):
        raise UnicodeError("expected str, not bytes: decode it, or use guess_bytes")
    config = _configured(config, kwargs)
    steps: list[ExplanationStep] = []

    def apply(name: str) -> None:
        nonlocal text
        fixed = FIXERS[name](text)
        if fixed != text:
            steps.append(ExplanationStep("apply", name))
        text = fixed

    # A tag means that the text is HTML, where entities are right.
    if config.unescape_html is True or config.unescape_html == "auto" and "<" not in text:
        apply("unescape_html")
    if config.remove_terminal_escapes:
        apply("remove_terminal_escapes")
    if config.fix_encoding:
        fixed = fix_encoding_and_explain(text, config)
        text = fixed.text
        steps.extend(fixed.explanation or [])
    for name in _LATER:
        if getattr(config, name):
            apply(name)
    if config.normalization is not None:
        fixed_form = unicodedata.normalize(config.normalization, text)
        if fixed_form != text:
            steps.append(ExplanationStep("normalize", config.normalization))
        text = fixed_form
    return ExplainedText(text, steps if config.explain else None)


def fix_text_segment(text: str, config: TextFixerConfig | None = None, **kwargs: Any) -> str:
    """The same as fix_text, which repairs each line on its own."""
    return fix_text(text, config, **kwargs)


def fix_encoding(text: str, config: TextFixerConfig | None = None, **kwargs: Any) -> str:
    """Fix mojibake only."""
    return fix_encoding_and_explain(text, _configured(config, kwargs)._replace(explain=False)).text


def fix_encoding_and_explain(text: str, config: TextFixerConfig | None = None, **kwargs: Any) -> ExplainedText:
    """Fix mojibake only, and list the steps for apply_plan. If these do not give the same text, as where only a part of it is
    damaged, the list has the wrong decodings in words.

    >>> from utfall.compat import ftfy
    >>> ftfy.fix_encoding_and_explain("sÃ³").explanation
    [ExplanationStep(action='encode', parameter='sloppy-windows-1252'), ExplanationStep(action='decode', parameter='utf-8')]
    """
    config = _configured(config, kwargs)
    repaired = _repair(text)
    if not config.explain:
        return ExplainedText(repaired.text, None)
    if not repaired:
        return ExplainedText(repaired.text, [])
    chains = dict.fromkeys(change.steps for change in repaired.changes)
    for chain in chains:
        plan = list(_plan(chain))
        try:
            if plan and apply_plan(text, plan) == repaired.text:
                return ExplainedText(repaired.text, plan)
        except (LookupError, UnicodeError):
            pass
    names = dict.fromkeys(step for chain in chains for step in chain)
    return ExplainedText(repaired.text, [ExplanationStep("repair", name) for name in names])


def _plan(chain: Sequence[str]) -> Iterator[ExplanationStep]:
    """The steps that reverse wrong decodings such as "UTF-8 read as windows-1252"."""
    for step in reversed(chain):
        right, read, wrong = step.partition(" read as ")
        if not read:
            return
        yield ExplanationStep("encode", _PLAN_NAMES.get(wrong) or f"sloppy-{wrong.lower()}")
        yield ExplanationStep("decode", right.lower())


_PLAN_NAMES: Final = {"ISO-8859-1": "latin-1", "macintosh": "macroman", "IBM437": "cp437", "ISO-8859-2": "iso-8859-2"}


def apply_plan(text: str, plan: Iterable[tuple[str, str]]) -> str:
    """Apply the steps of an explanation to a text: "encode", "decode", "transcode", "apply", "normalize" and "repair".

    >>> from utfall.compat import ftfy
    >>> ftfy.apply_plan("schÃ¶n", [("encode", "latin-1"), ("decode", "utf-8")])
    'schön'
    """
    data: Any = text
    for action, parameter in plan:
        if action in ("encode", "decode"):
            codec = bad_codecs.lookup(parameter)
            data = (codec.encode if action == "encode" else codec.decode)(data)[0]
        elif action in ("transcode", "apply"):
            if parameter not in FIXERS:
                raise ValueError(f"unknown function: {parameter}")
            data = FIXERS[parameter](data)
        elif action == "normalize":
            data = unicodedata.normalize(cast("_Form", parameter), data)
        elif action == "repair":
            data = fix_encoding(data)
        else:
            raise ValueError(f"unknown step: {action}")
    return str(data)


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
    config = _configured(config, kwargs)
    for line in input_file:
        if isinstance(line, bytes):
            if encoding is None:
                line, encoding = guess_bytes(line)
            else:
                line = _decode(line, encoding)
        if config.unescape_html == "auto" and "<" in line:
            # The rest is HTML, too.
            config = config._replace(unescape_html=False)
        yield fix_text(line, config)


def explain_unicode(text: str) -> None:
    """Print each character with its code point, category and name.

    >>> from utfall.compat import ftfy
    >>> ftfy.explain_unicode("é☺")
    U+00E9  é       [Ll] LATIN SMALL LETTER E WITH ACUTE
    U+263A  ☺       [So] WHITE SMILING FACE
    """
    for character in text:
        shown = character if character.isprintable() else character.encode("unicode-escape").decode("ascii")
        category, name = unicodedata.category(character), character_name(ord(character))
        print(f"U+{ord(character):04X}  {display_ljust(shown, 7)} [{category}] {name}")


def _configured(config: TextFixerConfig | None, changes: dict[str, Any]) -> TextFixerConfig:
    """The configuration with these changes. Names of ftfy 5 are accepted, with a warning."""
    if "fix_entities" in changes:
        warnings.warn("fix_entities is now unescape_html", DeprecationWarning, stacklevel=3)
        changes = {"unescape_html" if name == "fix_entities" else name: value for name, value in changes.items()}
    if "remove_bom" in changes:
        warnings.warn("remove_bom is part of remove_control_chars", DeprecationWarning, stacklevel=3)
        changes = {name: value for name, value in changes.items() if name != "remove_bom"}
    unknown = [name for name in changes if name not in TextFixerConfig._fields]
    if unknown:
        raise ValueError(f"unknown names: {', '.join(unknown)}")
    return (config or TextFixerConfig())._replace(**changes)
