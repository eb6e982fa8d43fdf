"""Whether a text has mojibake.

>>> from utfall.compat.ftfy.badness import is_bad
>>> is_bad("sÃ³"), is_bad("só")
(True, False)
"""

from __future__ import annotations

from ..._repair import repair as _repair

__all__ = ["badness", "is_bad"]


def badness(text: str) -> int:
    """How many places would be repaired, or look misread and would be skipped."""
    repaired = _repair(text)
    return len(repaired.changes) + len(repaired.skipped)


def is_bad(text: str) -> bool:
    """Whether a place would be repaired, or looks misread and would be skipped."""
    return badness(text) > 0
