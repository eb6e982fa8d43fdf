"""The place of UniversalDetector in chardet."""

from . import UniversalDetector

__all__ = ["UniversalDetector"]
