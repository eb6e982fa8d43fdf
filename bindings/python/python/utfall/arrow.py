"""Columns of Arrow: those of pyarrow, Polars, pandas, DuckDB and everything else with the Arrow PyCapsule protocol.

The functions take all six types of binary data and text (binary, large_binary, binary_view, string, large_string, string_view),
arrays and chunked arrays, and keep the layout, the chunks and the nulls. Where nothing changes, memory is shared. pyarrow is
not needed.

    import pyarrow
    from utfall import arrow

    column = pyarrow.array([b"caf\\xe9", None])
    pyarrow.array(arrow.decode(column, "windows-1252"))  # ["café", None]
"""

from __future__ import annotations

from typing import Any, Protocol

from . import _utfall
from ._utfall import Array, ChunkedArray

__all__ = ["Array", "ChunkedArray", "decode", "detect", "encode", "is_valid", "problem", "repair", "transcode"]


class _Array(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...


class _Stream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


Column = _Array | _Stream


def decode(column: Column, encoding: str, errors: str | None = None) -> Array | ChunkedArray:
    """Decode a column of bytes to text.

    column: any object with the protocol.
    encoding: a name or alias, in any case.
    errors: "strict" raises DecodeError, with the row as a note; "null" makes such values null; "replace", "ignore",
        "backslashreplace".
    """
    return _utfall.arrow_decode(column, encoding, errors)


def encode(column: Column, encoding: str, errors: str | None = None) -> Array | ChunkedArray:
    """Encode a column of text to bytes.

    errors: "strict" raises EncodeError, with the row as a note; "null" makes such values null; "replace", "ignore",
        "backslashreplace", "xmlcharrefreplace".
    """
    return _utfall.arrow_encode(column, encoding, errors)


def transcode(column: Column, source: str, target: str = "UTF-8", errors: str | None = None) -> Array | ChunkedArray:
    """Convert a column of bytes from one encoding to another. errors as for decode and encode."""
    return _utfall.arrow_transcode(column, source, target, errors)


def is_valid(column: Column, encoding: str = "UTF-8") -> Array | ChunkedArray:
    """Tell which values are valid in an encoding: a column of booleans."""
    return _utfall.arrow_is_valid(column, encoding)


def problem(column: Column, encoding: str = "UTF-8") -> Array | ChunkedArray:
    """The first problem of each value: offset, length, line, column, kind, clause and message; null if the value is valid."""
    return _utfall.arrow_problem(column, encoding)


def detect(column: Column) -> Array | ChunkedArray:
    """Guess the encoding of each value: encoding, which is null for binary data, confidence, sure, and the evidence in words."""
    return _utfall.arrow_detect(column)


def repair(column: Column) -> Array | ChunkedArray:
    """Fix mojibake in a column. The type stays."""
    return _utfall.arrow_repair(column)
