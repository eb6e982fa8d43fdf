"""Exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _utfall

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class DetectError(ValueError):
    """The encoding of a text cannot be guessed with enough confidence."""


class _Details:
    """The attributes that Python's own exceptions lack."""

    kind: str
    clause: str
    offset: int
    run_bit: int | None
    _position: tuple[int, int] | None

    def _describe(
        self,
        kind: str,
        clause: str,
        offset: int,
        position: tuple[int | None, int | None],
        run_bit: int | None,
    ) -> None:
        self.kind = kind
        self.clause = clause
        self.offset = offset
        self.run_bit = run_bit
        line, column = position
        self._position = None if line is None or column is None else (line, column)

    @property
    def line(self) -> int:
        """The line, from 1."""
        return self._place()[0]

    @property
    def column(self) -> int:
        """The column, from 1, in code points."""
        return self._place()[1]

    def _place(self) -> tuple[int, int]:
        if self._position is None:
            self._position = self._locate()
        return self._position

    def _locate(self) -> tuple[int, int]:
        raise NotImplementedError


class DecodeError(_Details, UnicodeDecodeError):
    """Bytes are not valid in an encoding.

    In addition to the attributes of UnicodeDecodeError (encoding, object, start, end, reason), it has:

    kind: a stable word for the kind of error, such as "overlong" or "truncated".
    clause: the clause of the specification that the bytes violate.
    offset: the place in bytes, from the beginning of the text. In a text that is decoded in pieces, this is more than
        start, which counts from the beginning of object.
    run_bit: in UTF-7, the bit of its group of eight digits at which the sequence begins; otherwise None.

    >>> import utfall
    >>> try:
    ...     utfall.decode(b"one\\ntwo \\xc0\\xae")
    ... except utfall.DecodeError as error:
    ...     print(error)
    ...     print(error.kind, error.line, error.column, error.clause, sep=" | ")
    overlong form in UTF-8 at byte 8 (line 2, column 5): C0
    overlong | 2 | 5 | RFC 3629 §3: there is only one valid way to encode a character
    """

    _hint: str | None

    def __init__(
        self,
        encoding: str,
        object: ReadableBuffer,
        start: int,
        end: int,
        reason: str,
        *,
        kind: str = "",
        clause: str = "",
        offset: int | None = None,
        line: int | None = None,
        column: int | None = None,
        run_bit: int | None = None,
    ) -> None:
        super().__init__(encoding, object, start, end, reason)
        self._describe(kind, clause, start if offset is None else offset, (line, column), run_bit)

    @property
    def hint(self) -> str | None:
        """What to try next, if there is a likely cause."""
        if not hasattr(self, "_hint"):
            found = _utfall.suggest(self.object, self.encoding, self.start)
            self._hint = None if found is None else f'{found[0]}: try encoding="{found[1]}"'
        return self._hint

    def _locate(self) -> tuple[int, int]:
        return _utfall.locate(self.object, self.encoding, self.start) or (1, self.start + 1)

    def __str__(self) -> str:
        shown = self.object[self.start : min(self.end, self.start + 8)].hex(" ").upper()
        line, column = self._place()
        text = f"{self.reason} at byte {self.offset} (line {line}, column {column})"
        text += f": {shown}" if shown else ""
        return f"{text}; {self.hint}" if self.hint else text


class EncodeError(_Details, UnicodeEncodeError):
    """An encoding lacks a character.

    In addition to the attributes of UnicodeEncodeError (encoding, object, start, end, reason), it has:

    kind: "unencodable".
    clause: the clause of the specification that says so; may be empty.
    offset: the place from the beginning of the text, in code points; in bytes from utfall.transcode, utfall.Transcoder and
        utfall.arrow, whose texts are bytes. object has only the character then.
    run_bit: None.

    >>> import utfall
    >>> try:
    ...     utfall.encode("5 €", "latin1")
    ... except utfall.EncodeError as error:
    ...     print(error)
    U+20AC "€" cannot be encoded in ISO-8859-1 at character 2 (line 1, column 3); UTF-8 has every character
    """

    def __init__(
        self,
        encoding: str,
        object: str,
        start: int,
        end: int,
        reason: str,
        *,
        kind: str = "",
        clause: str = "",
        offset: int | None = None,
        line: int | None = None,
        column: int | None = None,
        run_bit: int | None = None,
        is_in_bytes: bool = False,
    ) -> None:
        super().__init__(encoding, object, start, end, reason)
        self._is_in_bytes = is_in_bytes
        self._describe(kind, clause, start if offset is None else offset, (line, column), run_bit)

    @property
    def hint(self) -> str:
        """What to try next."""
        character = self.object[self.start : self.start + 1]
        if "\ud800" <= character <= "\udfff":
            return f"U+{ord(character):04X} is a surrogate, half of a character: WTF-8 has surrogates"
        return "UTF-8 has every character"

    def _locate(self) -> tuple[int, int]:
        line = self.object.count("\n", 0, self.start) + 1
        return line, self.start - self.object.rfind("\n", 0, self.start)

    def __str__(self) -> str:
        line, column = self._place()
        unit = "byte" if self._is_in_bytes else "character"
        return f"{self.reason} at {unit} {self.offset} (line {line}, column {column}); {self.hint}"
