"""The width of text in a terminal.

>>> from utfall.compat.ftfy import formatting
>>> formatting.monospaced_width("車ñ"), formatting.display_ljust("車", 4, ".")
(3, '車..')
"""

from __future__ import annotations

import unicodedata

from .fixes import remove_terminal_escapes

__all__ = ["character_width", "display_center", "display_ljust", "display_rjust", "monospaced_width"]


def character_width(char: str) -> int:
    """The columns of a character: 0, 1 or 2, and -1 for controls."""
    match unicodedata.category(char):
        case "Mn" | "Me":
            return 0
        case "Cf":
            # The soft hyphen is shown.
            return 1 if char == "\xad" else 0
        case "Cc":
            return 0 if char == "\0" else -1
    if "\u1160" <= char <= "\u11ff":
        # Vowels and final consonants join the letter before.
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def monospaced_width(text: str) -> int:
    """The columns of a text; -1 if it has controls."""
    widths = [character_width(char) for char in unicodedata.normalize("NFC", remove_terminal_escapes(text))]
    return -1 if -1 in widths else sum(widths)


def display_ljust(text: str, width: int, fillchar: str = " ") -> str:
    """The text at the left of this many columns."""
    return text + _fill(text, width, fillchar)


def display_rjust(text: str, width: int, fillchar: str = " ") -> str:
    """The text at the right of this many columns."""
    return _fill(text, width, fillchar) + text


def display_center(text: str, width: int, fillchar: str = " ") -> str:
    """The text in the middle of this many columns."""
    fill = _fill(text, width, fillchar)
    left = fill[: len(fill) // 2]
    return left + text + fill[len(left) :]


def _fill(text: str, width: int, fillchar: str) -> str:
    """The padding that a text needs. A text of unknown width gets none."""
    if len(fillchar) != 1 or character_width(fillchar) != 1:
        raise ValueError("the padding character must have one column")
    used = monospaced_width(text)
    return "" if used == -1 else fillchar * max(0, width - used)
