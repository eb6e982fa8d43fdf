"""The invalid sequences of a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _utfall

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


@dataclass(frozen=True, slots=True)
class Problem:
    """An invalid sequence of a text.

    offset, length: its place, in bytes.
    line, column: the line and the column in code points, from 1.
    kind: a stable word for the kind of error, such as "overlong" or "truncated".
    clause: the clause of the specification that it violates.
    message: the problem in words.
    encoding: the encoding that the bytes violate: that of the BOM, in a text with one.
    run_bit: in UTF-7, the bit of its group of eight digits at which the sequence begins; otherwise None.
    """

    offset: int
    length: int
    line: int
    column: int
    kind: str
    clause: str
    message: str
    encoding: str
    run_bit: int | None

    def __repr__(self) -> str:
        return f"Problem({self.message} at byte {self.offset}, line {self.line}, column {self.column})"


def problems(data: ReadableBuffer, encoding: str = "UTF-8", limit: int | None = None) -> list[Problem]:
    """List the invalid sequences of a text.

    data: any object with a contiguous buffer.
    encoding: a name or alias, in any case; "detect" to guess.
    limit: the most problems to list; None for all.

    >>> import utfall
    >>> utfall.problems(b"a\\xc0\\xaeb\\xe2\\x82")
    [Problem(overlong form in UTF-8 at byte 1, line 1, column 2), \
Problem(unexpected continuation byte in UTF-8 at byte 2, line 1, column 3), \
Problem(incomplete UTF-8 sequence at the end of the input at byte 4, line 1, column 5)]
    """
    return [Problem(*problem) for problem in _utfall.problems_of(data, encoding, limit)]
