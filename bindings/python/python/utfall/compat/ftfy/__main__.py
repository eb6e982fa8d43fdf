"""The command ftfy: `python -m utfall.compat.ftfy FILE`."""

from __future__ import annotations

import argparse
import sys
from typing import BinaryIO

from . import TextFixerConfig, __version__, fix_file


def main(argv: list[str] | None = None) -> int:
    """Fix a file, or standard input, and write it to standard output. Returns 1 if it cannot be decoded."""
    parser = argparse.ArgumentParser(prog="ftfy", description="Fix mojibake and other damage in a text.")
    parser.add_argument("filename", nargs="?", default="-", help="the file; - for standard input")
    parser.add_argument("-o", "--output", default="-", help="the file to write; - for standard output")
    parser.add_argument("-g", "--guess", action="store_true", help="guess the encoding")
    parser.add_argument("-e", "--encoding", default="utf-8", help="the encoding; UTF-8 by default")
    parser.add_argument("-n", "--normalization", default="NFC", help="NFC, NFD, NFKC, NFKD or none")
    parser.add_argument("--preserve-entities", action="store_true", help="leave entities of HTML")
    parser.add_argument("--version", action="version", version=f"ftfy, utfall {__version__}")
    args = parser.parse_args(argv)
    form = args.normalization.upper()
    config = TextFixerConfig(
        unescape_html=False if args.preserve_entities else "auto", normalization=None if form == "NONE" else form
    )
    if args.filename == args.output != "-":
        parser.error("the output must be another file")
    encoding = None if args.guess else args.encoding
    try:
        with _open(args.filename, "rb") as source, _open(args.output, "wb") as target:
            for line in fix_file(source, encoding, config):
                target.write(line.encode())
    except (OSError, UnicodeError, LookupError) as error:
        print(f"ftfy: {error}", file=sys.stderr)
        return 1
    return 0


def _open(name: str, mode: str) -> BinaryIO:
    if name == "-":
        number = sys.stdin.fileno() if mode == "rb" else sys.stdout.fileno()
        return open(number, mode, closefd=False)  # type: ignore[return-value]
    return open(name, mode)  # type: ignore[return-value]


if __name__ == "__main__":
    sys.exit(main())
