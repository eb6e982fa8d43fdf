"""Files of text in any encoding."""

from __future__ import annotations

import builtins
import io
import os
from typing import TYPE_CHECKING, cast

from . import codecs
from ._detect import detect
from ._errors import DetectError

if TYPE_CHECKING:
    from typing import BinaryIO


def open(
    file: str | os.PathLike[str] | os.PathLike[bytes] | int,
    mode: str = "r",
    encoding: str = "detect",
    errors: str | None = None,
    newline: str | None = None,
    buffering: int = -1,
) -> io.TextIOWrapper:
    """Open a file of text in any encoding. As the built-in open, except for the encoding.

    encoding: a name or alias; "detect" guesses that of an existing file, and writes a new one in UTF-8. A BOM that was
        found is not part of the text.

    Raises DetectError if the encoding is not certain: then pass one. The attribute encoding of the file tells which
    one it is.

    >>> import os, tempfile, utfall
    >>> path = os.path.join(tempfile.mkdtemp(), "note.txt")
    >>> with utfall.open(path, "w", encoding="UTF-16LE") as file:
    ...     _ = file.write("Grüße aus Köln\\n")
    >>> with utfall.open(path) as file:
    ...     print(file.encoding, file.read(), end="")
    utfall:utf-16le Grüße aus Köln
    """
    if "b" in mode:
        raise ValueError("utfall.open is for text; use the built-in open for bytes")
    binary = cast("BinaryIO", builtins.open(file, mode.replace("t", "") + "b", buffering or 1))
    try:
        name = _detected(file, binary) if encoding == "detect" else codecs.lookup(encoding).name
        codecs.register_prefixed()
        return io.TextIOWrapper(binary, name, errors, newline, line_buffering=buffering == 1)
    except BaseException:
        binary.close()
        raise


def _detected(file: str | os.PathLike[str] | os.PathLike[bytes] | int, binary: BinaryIO) -> str:
    """The codec of an existing file; UTF-8 for a new one."""
    if isinstance(file, int):
        if not (binary.readable() and binary.seekable()):
            return codecs.lookup("UTF-8").name
        place = binary.tell()
        guess = detect(binary)
        binary.seek(place)
    else:
        if os.path.isfile(file) and not os.path.getsize(file) or not os.path.isfile(file):
            return codecs.lookup("UTF-8").name
        guess = detect(file)
    if not guess.sure or guess.encoding is None:
        best = "; it is binary"
        if guess.encoding is not None:
            best = f"; best guess: {guess.encoding} ({guess.confidence:.0%})"
        shown = f"descriptor {file}" if isinstance(file, int) else os.fsdecode(file)
        raise DetectError(f"cannot tell the encoding of {shown}{best}")
    signed = any(reason.kind == "signature" for reason in guess.evidence)
    return codecs.lookup(guess.encoding + "-sig" if signed else guess.encoding).name
