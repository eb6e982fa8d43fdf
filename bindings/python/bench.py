"""Compares utfall with Python's own codecs, chardet, charset-normalizer, cchardet and ftfy, in one run.

    python bench.py [seconds per figure]

It prints the tables of docs/python.md. The calls that are compared are measured in turns, and the fastest of each counts. Packages
that are not installed are left out, which is printed.
"""

from __future__ import annotations

import gzip
import importlib
import os
import pathlib
import platform
import re
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import utfall
from utfall.compat import ftfy as our_ftfy

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 0.2

TEXTS = {
    "ASCII": "The quick brown fox jumps over the lazy dog. ",
    "Latin": "Größe, Maß, déjà vu, señor: übermütige Füchse. ",
    "Cyrillic": "Съешь же ещё этих мягких французских булок. ",
    "Japanese": "いろはにほへと ちりぬるを、漢字とカタカナ。",
    "Chinese": "我能吞下玻璃而不伤身体。天地玄黄，宇宙洪荒。",
    "Emoji": "Good morning 😀, 日本 👍🏽! ",
}
CODECS = {
    "utf-8": list(TEXTS),
    "utf-16-le": ["ASCII", "Cyrillic", "Japanese", "Emoji"],
    "utf-7": ["ASCII", "Latin", "Cyrillic", "Japanese", "Emoji"],
    "cp1252": ["ASCII", "Latin"],
    "shift_jis": ["Japanese"],
    "gb18030": ["Chinese", "Emoji"],
}
LENGTHS = [16, 200, 4_096, 100_000]

# Manual pages of Debian in these languages, which no detector was made from, and the charsets before Unicode of each language.
CHARSETS = {
    "cs": ["cp1250", "iso8859-2"],
    "de": ["cp1252"],
    "es": ["cp1252"],
    "fr": ["cp1252"],
    "hu": ["cp1250", "iso8859-2"],
    "ja": ["cp932", "euc-jp", "iso2022-jp"],
    "ko": ["cp949"],
    "pl": ["cp1250", "iso8859-2"],
    "pt": ["cp1252"],
    "ru": ["cp1251", "koi8-r", "iso8859-5", "cp866"],
    "sv": ["cp1252"],
    "tr": ["cp1254"],
    "uk": ["cp1251", "koi8-u"],
    "zh_CN": ["gb18030"],
    "zh_TW": ["big5hkscs"],
}
UNICODE = ["utf-8", "utf-16-le", "utf-16-be", "utf-7"]
PAGES = pathlib.Path("/usr/share/man")


def fastest(calls: list[Callable[[], Any]]) -> list[float]:
    """The shortest time of each, measured in turns."""
    repeats = []
    for call in calls:
        count, spent = 1, 0.0
        while spent < 0.002:
            count *= 2
            start = time.perf_counter()
            for _ in range(count):
                call()
            spent = time.perf_counter() - start
        repeats.append(max(1, count // 2))
    best = [float("inf")] * len(calls)
    end = time.perf_counter() + SECONDS * len(calls)
    while time.perf_counter() < end:
        for index, (call, count) in enumerate(zip(calls, repeats)):
            start = time.perf_counter()
            for _ in range(count):
                call()
            best[index] = min(best[index], (time.perf_counter() - start) / count)
    return best


def row(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def head(*cells: str) -> None:
    print()
    row(*cells)
    print("|---|" + "---:|" * (len(cells) - 1))


def compared(ours: float, theirs: float, length: int) -> str:
    """Short texts by the difference, others by the speed and how many times faster utfall is."""
    if length <= 256:
        return f"{ours * 1e9:.0f} ns ({(ours - theirs) * 1e9:+.0f})"
    return f"{length / ours / 1e6:.0f} M/s ({theirs / ours:.1f}×)"


def conversions() -> None:
    """decode and encode beside bytes.decode and str.encode."""
    head("", *(f"{length:,} characters" for length in LENGTHS))
    for codec, names in CODECS.items():
        for name in names:
            decoded, encoded = [], []
            for length in LENGTHS:
                text = (TEXTS[name] * (length // len(TEXTS[name]) + 1))[:length]
                data = text.encode(codec)
                assert utfall.decode(data, codec) == text
                assert utfall.decode(utfall.encode(text, codec), codec) == text
                both = fastest([lambda: utfall.decode(data, codec), lambda: data.decode(codec)])
                decoded.append(compared(both[0], both[1], length))
                both = fastest([lambda: utfall.encode(text, codec), lambda: text.encode(codec)])
                encoded.append(compared(both[0], both[1], length))
            row(f"decode {codec}, {name}", *decoded)
            row(f"encode {codec}, {name}", *encoded)


def samples() -> Iterator[tuple[str, str, bytes]]:
    """Texts of manual pages: the codec, the text, and its bytes."""
    for language, charsets in CHARSETS.items():
        pages = sorted((PAGES / language).glob("man*/*.gz"))
        text = "".join(map(prose, pages[:: max(1, len(pages) // 8)]))
        for length in (60, 500, 4000):
            for start in range(0, min(len(text) - length, 6 * length), 3 * length):
                part = text[start : start + length]
                for codec in (*charsets, *UNICODE):
                    try:
                        yield codec, part, part.encode(codec)
                    except UnicodeEncodeError:
                        pass


def prose(page: pathlib.Path) -> str:
    """The text of a manual page, without the markup."""
    source = gzip.decompress(page.read_bytes()).decode("utf-8", "replace")
    lines = (line for line in source.splitlines() if not line.startswith((".", "'")))
    return re.sub(r"\\f.|\\[-&(]|\\", "", "\n".join(line for line in lines if not line.isascii())) + "\n"


def detection() -> None:
    """detect beside other detectors: time, and how many of the texts are decoded correctly."""
    all_samples = list(samples())
    if not all_samples:
        print(f"skipped: there are no translated manual pages in {PAGES}")
        return
    detectors: dict[str, Callable[[bytes], str | None]] = {"utfall": lambda data: utfall.detect(data).codec}
    if chardet := optional("chardet"):
        detectors["chardet"] = lambda data: chardet.detect(data)["encoding"]
    if normalizer := optional("charset_normalizer"):
        detectors["charset-normalizer"] = lambda data: normalizer.detect(data)["encoding"]
    if cchardet := optional("cchardet"):
        detectors["cchardet"] = lambda data: cchardet.detect(data)["encoding"]
    is_unicode = [codec in UNICODE for codec, _, _ in all_samples]
    unicode, legacy = sum(is_unicode), len(all_samples) - sum(is_unicode)
    utfall.codecs.register()
    head("", f"{unicode} Unicode texts right", f"{legacy} others right", "a text of 60", "of 500", "of 4,000 characters")
    for name, guess in detectors.items():
        right, spent = [0, 0], {60: [], 500: [], 4000: []}
        for (codec, text, data), kind in zip(all_samples, is_unicode):
            times = []
            for _ in range(3):
                start = time.perf_counter()
                found = guess(data)
                times.append(time.perf_counter() - start)
            spent[len(text)].append(min(times))
            right[kind] += decodes(found, data, text)
        means = [f"{sum(part) / len(part) * 1e3:.2f} ms" for part in spent.values()]
        row(name, f"{right[1] / unicode:.1%}", f"{right[0] / legacy:.1%}", *means)
    utfall.codecs.unregister()


def decodes(codec: str | None, data: bytes, text: str) -> bool:
    try:
        return data.decode(codec or "ascii") == text
    except (LookupError, UnicodeError):
        return False


def repairs() -> None:
    """repair beside ftfy, for texts in which every line, one in fifty, and none is damaged."""
    clean = "".join(f"{text} plain words\n" for text in TEXTS.values())
    damaged = "".join(f"{text} {text.encode().decode('latin1')} plain words\n" for text in TEXTS.values())
    theirs = optional("ftfy")
    head("", "utfall.repair", "utfall.compat.ftfy", "ftfy")
    for name, text in (("all lines", damaged * 50), ("one in fifty", (damaged + clean * 49) * 2), ("none", clean * 100)):
        calls: list[Callable[[], Any]] = [lambda: utfall.repair(text), lambda: our_ftfy.fix_text(text)]
        if theirs:
            calls.append(lambda: theirs.fix_text(text))
        best = fastest(calls)
        shown = [f"{len(text) / spent / 1e6:.1f} M/s ({best[-1] / spent:.1f}×)" for spent in best]
        row(f"damaged: {name}", *shown)


def optional(name: str) -> Any:
    """A package, if it is installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"skipped: {name} is not installed")
        return None


def machine() -> str:
    """The kind of processor."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    found = re.search("model name\\s*: (.*)", text)
    sets = " with AVX-512" if " avx512_vbmi2" in text else " with AVX2" if " avx2" in text else ""
    return f"{found[1] if found else platform.machine()}{sets}, {os.cpu_count()} processors"


if __name__ == "__main__":
    print(f"utfall {utfall.__version__}, Python {platform.python_version()}, {machine()}")
    conversions()
    detection()
    repairs()
