"""Mojibake, fixed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from . import _utfall
from ._words import count

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

Data = TypeVar("Data", str, bytes)


@dataclass(frozen=True, slots=True)
class Change:
    """A change to a text.

    line: the line, from 1.
    offset: the place in the original, in bytes of UTF-8.
    offset_after: the place in the repaired text.
    before, after: the text, with U+FFFD for invalid UTF-8.
    before_bytes, after_bytes: the same as bytes.
    steps: the wrong decodings that explain the damage, the first first.
    confidence: the probability that the change is right, from 0 to 1.
    """

    line: int
    offset: int
    offset_after: int
    before: str
    after: str
    before_bytes: bytes
    after_bytes: bytes
    steps: tuple[str, ...]
    confidence: float

    def __repr__(self) -> str:
        return f"Change({self.before!r} to {self.after!r}, line {self.line}: {', then '.join(self.steps)})"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A place that looks misread, but was left as it is.

    line: the line, from 1.
    offset: the place in the original, in bytes of UTF-8.
    before: the text, with U+FFFD for invalid UTF-8.
    after: what a repair would make of it.
    reason: why it was skipped: "topic" (the text is about misread text), "charsets" (the line names charsets),
      "quoted" (it looks like a quoted example), "restored" (the line also has the restored text), "list" (a list of
      characters), "half_word" (the rest of the word cannot be repaired), "other_damage" (the line is damaged in another
      way), or "binary" (the whole text has zero bytes; before and after are empty). force=True repairs all but
      "half_word" and "other_damage".
    """

    line: int
    offset: int
    before: str
    after: str
    reason: str

    def __repr__(self) -> str:
        return f"Skipped({self.before!r}, line {self.line}: {self.reason})"


class Repaired(Generic[Data]):
    """A repaired text. It is true if something was changed.

    text: the text, a str or bytes as the argument.
    """

    __slots__ = ("_args", "_changes", "_count", "_skipped", "_skipped_count", "text")

    text: Data

    def __init__(self, text: Data, count: int, skipped_count: int, *args: Any) -> None:
        self.text = text
        self._count = count
        self._skipped_count = skipped_count
        # A report takes longer than the repair: it is made when it is asked for.
        self._args = args
        self._changes: tuple[Change, ...] | None = None
        self._skipped: tuple[Skipped, ...] | None = None

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes, in order; empty if the text stays as it is."""
        if self._changes is None:
            self._changes = tuple(map(_change, self._lines("change")))
        return self._changes

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The places that look misread but were left as they are, in order."""
        if self._skipped is None:
            self._skipped = tuple(map(_skipped, self._lines("skipped"))) if self._skipped_count else ()
        return self._skipped

    def _lines(self, kind: str) -> list[dict[str, Any]]:
        lines = map(json.loads, self.json().splitlines())
        return [line for line in lines if line["type"] == kind]

    def json(self) -> str:
        """The report of `utfall repair --json`: a line for each change and each skipped place, and one at the end."""
        return _utfall.repair_report(*self._args)

    def __bool__(self) -> bool:
        return self._count > 0

    def __repr__(self) -> str:
        skipped = f", {count(self._skipped_count, 'place')} skipped" if self._skipped_count else ""
        return f"Repaired({self.text!r}, {count(self._count, 'change')}{skipped})"


@overload
def repair(
    text: str,
    *,
    min_confidence: float | None = None,
    json_escapes: bool = False,
    html_entities: bool = False,
    percent_encoding: bool = False,
    force: bool = False,
) -> Repaired[str]: ...


@overload
def repair(
    text: ReadableBuffer,
    *,
    min_confidence: float | None = None,
    json_escapes: bool = False,
    html_entities: bool = False,
    percent_encoding: bool = False,
    force: bool = False,
) -> Repaired[bytes]: ...


def repair(
    text: str | ReadableBuffer,
    *,
    min_confidence: float | None = None,
    json_escapes: bool = False,
    html_entities: bool = False,
    percent_encoding: bool = False,
    force: bool = False,
) -> Repaired[Any]:
    """Fix mojibake: text that was decoded with the wrong encoding. Other text stays as it is.

    text: a str, or UTF-8, which may be damaged.
    min_confidence: the probability that a change must have, from 0 to 1.
    json_escapes: whether to look into escapes such as \\\\u00e9.
    html_entities: whether to look into entities such as &Atilde;.
    percent_encoding: whether to look into percent-encoding such as %C3%83.
    force: whether to repair what seems to show mojibake on purpose too, such as quoted examples.

    >>> import utfall
    >>> fixed = utfall.repair("Les Ã©lÃ¨ves dâ€™abord")
    >>> fixed.text
    'Les élèves d’abord'
    >>> fixed.changes[0]
    Change('Ã©' to 'é', line 1: UTF-8 read as windows-1252)
    >>> utfall.repair("IRMÃ, É© and ©")
    Repaired('IRMÃ, É© and ©', 0 changes)
    >>> utfall.repair("the signs “Ã©” mean a wrong charset").skipped
    (Skipped('Ã©', line 1: charsets),)
    """
    # A copy, since a report may be made later.
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
    args = (data, min_confidence, (json_escapes, html_entities, percent_encoding), force)
    repaired, number, skipped = _utfall.repair_bytes(*args)
    if not isinstance(text, str):
        return Repaired(repaired, number, skipped, *args)
    fixed = repaired.decode("utf-8", "surrogatepass") if number else text
    return Repaired(fixed, number, skipped, *args)


def _change(parsed: dict[str, Any]) -> Change:
    return Change(
        line=parsed["line"],
        offset=parsed["offset"],
        offset_after=parsed["offset_after"],
        before=parsed["before_text"],
        after=parsed["after_text"],
        before_bytes=bytes.fromhex(parsed["before_hex"]),
        after_bytes=bytes.fromhex(parsed["after_hex"]),
        steps=tuple(map(_step, parsed["steps"])),
        confidence=parsed["confidence"],
    )


def _skipped(parsed: dict[str, Any]) -> Skipped:
    return Skipped(
        line=parsed["line"],
        offset=parsed["offset"],
        before=parsed["before_text"],
        after=parsed["after_text"],
        reason=parsed["reason"],
    )


def _step(parsed: dict[str, Any]) -> str:
    match parsed["step"]:
        case "misread":
            loss = f", {parsed['loss']}" if "loss" in parsed else ""
            return f"UTF-8 read as {parsed['charset']}{loss}"
        case "surrogates":
            return "surrogates written as UTF-8"
        case "overlong":
            return f"overlong forms of {parsed['bytes']} bytes"
        case "utf_16le":
            return "UTF-16LE read as bytes"
        case "utf_16be":
            return "UTF-16BE read as bytes"
        case "c1_controls":
            return "windows-1252 read as ISO-8859-1"
        case "stray_bom":
            return "a BOM inside the text"
        case "json_escapes":
            return "JSON escapes"
        case "html_entities":
            return "HTML entities"
        case "percent_encoding":
            return "percent-encoding"
        case other:
            return str(other)
