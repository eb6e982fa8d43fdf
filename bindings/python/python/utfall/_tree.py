"""Whole folders, converted by the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from ._words import count

Path = str | os.PathLike[str]


class ConvertError(Exception):
    """The command could not run: a wrong argument, or a run that cannot be undone."""


@dataclass(frozen=True, slots=True)
class ConvertedFile:
    """What happened to a file.

    path: the file.
    action: "converted"; "unchanged", "converted_before", "not_needed" or "copied": no conversion needed; "binary": skipped;
        "unknown", "contradicted", "invalid", "unencodable", "lossy" or "failed": not converted because of a problem.
    source: its encoding; None if that is not known.
    message: the report in words.
    """

    path: str
    action: str
    source: str | None
    message: str

    def __repr__(self) -> str:
        return f"ConvertedFile({self.path}: {self.message})"


@dataclass(frozen=True, slots=True)
class Conversion:
    """The result of convert_tree. It is true if no file had a problem.

    files: what happened to each.
    run: the number for undo; None if nothing was replaced.
    dry_run: whether nothing was written, and "converted" means that a file would be.
    """

    files: tuple[ConvertedFile, ...]
    run: int | None
    dry_run: bool
    _ok: bool
    _json: str

    @property
    def problems(self) -> tuple[ConvertedFile, ...]:
        """The files that were not converted because of a problem."""
        fine = ("converted", "unchanged", "converted_before", "not_needed", "copied", "binary")
        return tuple(file for file in self.files if file.action not in fine)

    def undo(self) -> int:
        """Restore the original files. Returns how many were restored."""
        if self.run is None:
            return 0
        _, lines = _run(["undo", str(self.run), "--json"])
        return sum(line["type"] == "file" and line["action"] == "restored" for line in lines)

    def json(self) -> str:
        """The report of `utfall convert --json`: a line for each file, and one at the end."""
        return self._json

    def __bool__(self) -> bool:
        return self._ok

    def __repr__(self) -> str:
        converted = sum(file.action == "converted" for file in self.files)
        word = "to convert" if self.dry_run else "converted"
        return f"Conversion({count(len(self.files), 'file')}, {converted} {word}, {count(len(self.problems), 'problem')})"


def convert_tree(
    paths: Path | Iterable[Path],
    target: str = "UTF-8",
    *,
    source: str = "detect",
    output_dir: Path | None = None,
    dry_run: bool = False,
    errors: str = "strict",
    newline: str = "keep",
    double_mappings: Literal["table", "round-trip", "either", "jis", "microsoft"] = "table",
    jis_x_0212: Literal["read", "write"] = "read",
    min_confidence: float | None = None,
    expected: Iterable[str] = (),
    language: str | None = None,
) -> Conversion:
    """Convert the text files of folders, in place or to another folder, as `utfall convert` does.

    paths: a file or folder, or several.
    target: the encoding of the result.
    source: the encoding of all files; "detect" guesses that of each.
    output_dir: where to write the result, instead of replacing the files.
    dry_run: whether to report only what would happen.
    errors: a policy of `utfall convert --on-error`.
    newline: "keep", "lf", "crlf" or "cr".
    double_mappings, jis_x_0212: as for utfall.transcode.
    min_confidence, expected, language: as for utfall.detect.

    Files are replaced one by one, each whole or not at all. undo() of the result restores them. The command runs in a
    process of its own.

    >>> import pathlib, tempfile, utfall
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.txt").write_bytes("Grüße aus Köln".encode("utf-16"))
    >>> utfall.convert_tree(folder, dry_run=True)
    Conversion(1 file, 1 to convert, 0 problems)
    >>> result = utfall.convert_tree(folder)
    >>> (folder / "a.txt").read_text("utf-8"), result.files[0].source
    ('Grüße aus Köln', 'UTF-16LE')
    >>> result.undo()
    1
    """
    named = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    args = ["convert", "--json", "-f", source, "-t", target, "--on-error", errors, "--newline", newline]
    args += ["--dry-run"] if dry_run else []
    args += ["--double-mappings", double_mappings, "--jis-x-0212", jis_x_0212]
    if output_dir is not None:
        args += ["--output-dir", os.fspath(output_dir)]
    elif not dry_run:
        args += ["--in-place"]
    args += [] if min_confidence is None else ["--min-confidence", str(min_confidence)]
    wanted = ",".join(expected)
    args += ["--expect", wanted] if wanted else []
    args += [] if language is None else ["--language", language]
    report, lines = _run([*args, "--", *(os.fspath(path) for path in named)])
    summary = lines[-1]
    files = tuple(_file(line) for line in lines if line["type"] == "file")
    return Conversion(files, summary.get("run"), dry_run, summary["exit_status"] == 0, report)


def _run(args: list[str]) -> tuple[str, list[dict[str, Any]]]:
    """Runs the command. Returns its report, and the lines of it."""
    done = subprocess.run([sys.executable, "-m", "utfall", *args], capture_output=True, stdin=subprocess.DEVNULL)
    report = done.stdout.decode()
    lines = [json.loads(line) for line in report.splitlines()]
    if not lines or lines[-1]["type"] != "summary":
        raise ConvertError(done.stderr.decode(errors="replace").strip() or f"exit status {done.returncode}")
    return report, lines


def _file(line: dict[str, Any]) -> ConvertedFile:
    path = os.fsdecode(bytes.fromhex(line["file_hex"])) if "file_hex" in line else line["file"]
    return ConvertedFile(path, line["action"], line.get("from"), line.get("message", ""))
