"""Functions with the names and arguments of other packages.

- utfall.compat.chardet: detect, detect_all, UniversalDetector; the modules enums and universaldetector
- utfall.compat.ftfy: fix_text, fix_encoding, fix_and_explain, guess_bytes, fix_file; the modules fixes, formatting,
  badness and bad_codecs

docs/python.md says what differs, and why.
"""

from . import chardet, ftfy

__all__ = ["chardet", "ftfy"]
