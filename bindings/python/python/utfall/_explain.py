"""Text explained byte by byte."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from . import _utfall

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# Units shown in a notebook, and by print.
_SHOWN = 1000


@dataclass(frozen=True, slots=True)
class UnitProblem:
    """The problem of a unit.

    kind: a stable word for the kind of error.
    message: the problem in words.
    clause: the clause of the specification that it violates.
    offset, length: the place in bytes.
    """

    kind: str
    message: str
    clause: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A character, an error, or a control of the encoding. Units cover a text without gaps.

    kind: "character", "bom", "shift" or "problem".
    offset: the place in bytes.
    line, column: the position, from 1.
    bytes: the bytes.
    bits: the bits of each byte, or each digit of Base64.
    payload_mask: which of those bits belong to the code point.
    code_units: the code units, in hexadecimal.
    code_point: the code point; None for controls. Of errors, the one that an older specification would read.
    character: the same as a str.
    name: its name.
    note: something worth knowing.
    problem: the error; None if the unit is valid.
    accepted_by: the specifications of UTF-8 that accept it, if they disagree; otherwise None.
    """

    kind: str
    offset: int
    line: int
    column: int
    bytes: bytes
    bits: tuple[str, ...]
    payload_mask: tuple[str, ...]
    code_units: tuple[str, ...]
    code_point: int | None
    character: str | None
    name: str | None
    note: str | None
    problem: UnitProblem | None
    accepted_by: tuple[str, ...] | None

    @property
    def text(self) -> str:
        """What the unit is, in words."""
        if self.problem:
            return self.problem.message
        if self.code_point is not None:
            words = f"U+{self.code_point:04X} {self.name}"
            return f"{words} ({self.note})" if self.note else words
        return self.note or self.kind

    def __repr__(self) -> str:
        return f"Unit({self.bytes.hex(' ').upper()}: {self.text})"


class Explanation:
    """The explanation of a text. Iterate over its units, print it, or show it in a notebook."""

    __slots__ = ("_args", "encoding")

    #: The name of the encoding.
    encoding: str

    def __init__(self, *args: Any) -> None:
        self._args = args
        self.encoding = _utfall.Units(*args).encoding

    def __iter__(self) -> Iterator[Unit]:
        return (_unit(json.loads(line)) for line in _utfall.Units(*self._args))

    def json(self) -> str:
        """The report of `utfall explain --json`: a line for each unit, and one before and after."""
        return _utfall.explain_json(*self._args)

    def _first(self) -> tuple[list[Unit], bool]:
        units = list(islice(self, _SHOWN + 1))
        return units[:_SHOWN], len(units) > _SHOWN

    def __str__(self) -> str:
        units, is_cut = self._first()
        hexadecimal = [unit.bytes.hex(" ").upper() for unit in units]
        width = max(map(len, hexadecimal), default=0)
        rows = [f"{bytes:{width}}  {unit.text}" for bytes, unit in zip(hexadecimal, units)]
        return "\n".join([*rows, "…"] if is_cut else rows)

    def __repr__(self) -> str:
        return f"Explanation({self.encoding}, {len(memoryview(self._args[0]).cast('B'))} bytes)"

    def _repr_html_(self) -> str:
        """A table for notebooks."""
        units, is_cut = self._first()
        rows = "".join(map(_row, units))
        more = f"<caption style='caption-side:bottom'>The first {_SHOWN} units</caption>" if is_cut else ""
        head = "<tr><th>offset</th><th>bytes</th><th>bits</th><th></th><th>text</th></tr>"
        return f"<table class='utfall'>{more}<thead>{head}</thead><tbody>{rows}</tbody></table>"


def explain(
    data: ReadableBuffer,
    encoding: str | None = None,
    *,
    only_problems: bool = False,
    start: int = 0,
    end: int | None = None,
) -> Explanation:
    """Explain a text byte by byte: bits, code points, names, errors.

    data: any object with a contiguous buffer. It may contain any bytes.
    encoding: a name or alias; None for that of the BOM, else UTF-8.
    only_problems: whether to report only errors.
    start, end: the bytes to explain.

    >>> import utfall
    >>> print(utfall.explain("né".encode() + b"\\xc0\\xae"))
    6E     U+006E LATIN SMALL LETTER N
    C3 A9  U+00E9 LATIN SMALL LETTER E WITH ACUTE
    C0 AE  overlong form of U+002E "."
    >>> [unit.accepted_by for unit in utfall.explain(b"\\xc0\\xae")]
    [('RFC 2044', 'draft-yergeau-utf8-rev-00')]
    """
    return Explanation(data, encoding, (start, end), only_problems)


def _unit(parsed: dict[str, Any]) -> Unit:
    problem = parsed.get("problem")
    point = parsed.get("code_point")
    accepted = parsed.get("accepted_by")
    return Unit(
        kind=parsed["kind"],
        offset=parsed["offset"],
        line=parsed["line"],
        column=parsed["column"],
        bytes=bytes.fromhex(parsed["hex"]),
        bits=tuple(parsed["bits"]),
        payload_mask=tuple(parsed["payload_mask"]),
        code_units=tuple(parsed.get("code_units", ())),
        code_point=None if point is None else int(point[2:], 16),
        character=parsed.get("character"),
        name=parsed.get("name"),
        note=parsed.get("note"),
        problem=problem
        and UnitProblem(
            problem["kind"], problem["message"], problem["clause"], problem["offset"], problem["length"]
        ),
        accepted_by=None if accepted is None else tuple(accepted),
    )


def _row(unit: Unit) -> str:
    """A row of the table. The bits of the code point are bold."""
    bits = " ".join(map(_bits, unit.bits, unit.payload_mask))
    style = " style='background:#fdd;color:#600'" if unit.problem else ""
    character = html.escape(unit.character) if unit.character and unit.character.isprintable() else ""
    clause = f"<br><small>{html.escape(unit.problem.clause)}</small>" if unit.problem else ""
    return (
        f"<tr{style}><td>{unit.offset}</td><td><code>{unit.bytes.hex(' ').upper()}</code></td>"
        f"<td><code>{bits}</code></td><td><bdi>{character}</bdi></td>"
        f"<td style='text-align:left'>{html.escape(unit.text)}{clause}</td></tr>"
    )


def _bits(bits: str, mask: str) -> str:
    parts = groupby(zip(bits, mask), key=lambda pair: pair[1] == "1")
    shown = ((is_payload, "".join(bit for bit, _ in pairs)) for is_payload, pairs in parts)
    return "".join(f"<b>{run}</b>" if is_payload else run for is_payload, run in shown)
