"""The command chardetect: `python -m utfall.compat.chardet FILES`."""

from __future__ import annotations

import argparse
import sys

from . import __version__, detect


def main(argv: list[str] | None = None) -> int:
    """Print the encoding of each file, or of standard input. Returns 1 if a file cannot be read."""
    parser = argparse.ArgumentParser(prog="chardetect", description="Guess the encoding of files.")
    parser.add_argument("files", nargs="*", metavar="FILE", help="a file; standard input by default")
    parser.add_argument("--minimal", action="store_true", help="print only the encoding")
    parser.add_argument("--legacy", action="store_true", help="name larger charsets, such as windows-1252 for ASCII")
    parser.add_argument("-l", "--language", action="store_true", help="print the language")
    parser.add_argument("-m", "--mime-type", action="store_true", help="print the MIME type")
    parser.add_argument("-i", "--include-encodings", metavar="NAMES", type=_names, help="consider only these encodings")
    parser.add_argument("-x", "--exclude-encodings", metavar="NAMES", type=_names, help="ignore these encodings")
    parser.add_argument("--version", action="version", version=f"chardetect, utfall {__version__}")
    args = parser.parse_args(argv)
    status = 0
    for name in args.files or ["stdin"]:
        try:
            data = _read(name if args.files else None)
        except OSError as error:
            print(f"chardetect: {error}", file=sys.stderr)
            status = 1
            continue
        found = detect(
            data,
            args.legacy,
            include_encodings=args.include_encodings,
            exclude_encodings=args.exclude_encodings,
        )
        if args.minimal:
            print(found["encoding"])
            continue
        line = f"{name}: {found['encoding']} with confidence {found['confidence']}"
        if found["encoding"] is None:
            line = f"{name}: no result"
        line += f", language {found['language'] or 'unknown'}" if args.language else ""
        print(line + (f", {found['mime_type']}" if args.mime_type else ""))
    return status


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _read(name: str | None) -> bytes:
    if name is None:
        return sys.stdin.buffer.read()
    with open(name, "rb") as file:
        return file.read()


if __name__ == "__main__":
    sys.exit(main())
