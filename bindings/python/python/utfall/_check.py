"""Text checked for invalid or suspicious parts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _utfall
from ._words import count

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem in a text.

    rule: the rule that found it, such as "ill-formed" or "bidi-control".
    level: "error" or "warning".
    offset, length: the place in bytes.
    line, column: the position, from 1.
    message: the problem in words.
    """

    rule: str
    level: str
    offset: int
    length: int
    line: int
    column: int
    message: str

    def __repr__(self) -> str:
        return f"Finding({self.level} at line {self.line}, column {self.column}: {self.message} [{self.rule}])"


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check, which is true without errors.

    encoding: the encoding in which the text was checked.
    valid: whether the text is valid in it.
    findings: the problems, in order.
    explanation: for UTF-8, which specifications accept it; otherwise None.
    """

    encoding: str
    valid: bool
    findings: tuple[Finding, ...]
    explanation: str | None
    _json: str

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The problems with the level "error"."""
        return tuple(finding for finding in self.findings if finding.level == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The problems with the level "warning"."""
        return tuple(finding for finding in self.findings if finding.level == "warning")

    def json(self) -> str:
        """The report of `utfall check --json --all`."""
        return self._json

    def __bool__(self) -> bool:
        return not self.errors

    def __repr__(self) -> str:
        return f"Checked({self.encoding}, {count(len(self.errors), 'error')}, {count(len(self.warnings), 'warning')})"


def check(
    data: ReadableBuffer,
    encoding: str | None = None,
    *,
    rules: Mapping[str, str] | None = None,
    concealed: bool = False,
    utf7_allow: str | None = None,
    json_escapes: bool = False,
) -> Checked:
    """Check a text for invalid or suspicious parts, as `utfall check` does.

    data: any object with a contiguous buffer.
    encoding: a name or alias; None for that of the BOM, else UTF-8.
    rules: levels of rules, "off", "warning" or "error", such as {"control": "error", "bom": "off"}.
    concealed: whether to search for text that is encoded without need, to hide it from filters.
    utf7_allow: deviations in UTF-7 to accept, separated by commas.
    json_escapes: whether to decode escapes such as \\\\u00e9.

    >>> import utfall
    >>> result = utfall.check("if (isAdmin\\u202e) {\\n".encode())
    >>> result
    Checked(UTF-8, 1 error, 0 warnings)
    >>> result.findings[0].rule, result.findings[0].column
    ('bidi-unbalanced', 12)
    """
    levels = list((rules or {}).items())
    report = _utfall.check_json(data, encoding, levels, concealed, utf7_allow, json_escapes)
    lines = [json.loads(line) for line in report.splitlines()]
    file: dict[str, Any] = next(line for line in lines if line["type"] == "file")
    return Checked(
        encoding=file["encoding"],
        valid=file["valid"],
        findings=tuple(_finding(line) for line in lines if line["type"] == "problem"),
        explanation=file.get("explanation"),
        _json=report,
    )


def _finding(parsed: dict[str, Any]) -> Finding:
    return Finding(
        rule=parsed["rule"],
        level=parsed["level"],
        offset=parsed["offset"],
        length=parsed["length"],
        line=parsed["line"],
        column=parsed["column"],
        message=parsed["message"],
    )
