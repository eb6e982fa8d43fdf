"""The flags that chardet's functions take."""

from enum import IntFlag

__all__ = ["EncodingEra", "LanguageFilter"]


class LanguageFilter(IntFlag):
    """The languages whose charsets a UniversalDetector considers."""

    NONE = 0
    CHINESE_SIMPLIFIED = 1
    CHINESE_TRADITIONAL = 2
    JAPANESE = 4
    KOREAN = 8
    NON_CJK = 16
    CHINESE = CHINESE_SIMPLIFIED | CHINESE_TRADITIONAL
    CJK = CHINESE | JAPANESE | KOREAN
    ALL = CJK | NON_CJK


class EncodingEra(IntFlag):
    """Groups of encodings. utfall always considers all of them."""

    MODERN_WEB = 1
    LEGACY_ISO = 2
    LEGACY_MAC = 4
    LEGACY_REGIONAL = 8
    DOS = 16
    MAINFRAME = 32
    ALL = MODERN_WEB | LEGACY_ISO | LEGACY_MAC | LEGACY_REGIONAL | DOS | MAINFRAME
