"""Folders of small files in many encodings."""

import pathlib

import utfall

GERMAN = "Die Größe des Grundstücks beträgt übrigens {} m². „Schön“, sagte sie, „das müßte für alle genügen.“\n"
POLISH = "Zażółć gęślą jaźń – powiedział pan nr {}, wróciwszy późną nocą do swojego małego mieszkania w Łodzi.\n"
RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей {} чашек чаю, и приходи к нам завтра вечером.\n"
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。これは{}番目の文章です。\n"
CHINESE = "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？人不知而不愠，不亦君子乎？这是第{}篇文章。\n"
KOREAN = "모든 국민은 법 앞에 평등하다. 누구든지 성별에 의하여 차별을 받지 아니한다. 이것은 {}번째 글이다.\n"

KINDS = [
    ("UTF-8", GERMAN), ("windows-1252", GERMAN), ("UTF-16", JAPANESE), ("Shift_JIS", JAPANESE), ("GB18030", CHINESE), ("EUC-KR", KOREAN),
    ("KOI8-R", RUSSIAN), ("windows-1251", RUSSIAN), ("windows-1250", POLISH), ("UTF-7", JAPANESE), ("UTF-16LE", RUSSIAN), ("EUC-JP", JAPANESE),
    ("UTF-32", CHINESE), ("UTF-8", KOREAN),
]

#: Every so many files, one that cannot be converted: the number of its problems, and its bytes.
ODD = 25
DAMAGED = [(1, b"\xff"), (3, b"\xff \xfe \xff")]


def make(folder: pathlib.Path, count: int) -> dict[str, int]:
    """Makes that many files. Returns the number of problems of those that are damaged."""
    damaged = {}
    for index in range(count):
        path = folder / f"{index // 200:03}" / f"{index:05}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        encoding, text = KINDS[index % len(KINDS)]
        data = utfall.encode(text.format(index) * (1 + index % 7), encoding)
        match index % ODD, index // ODD % 4:
            case 0, 0:
                data = bytes(range(256))
            case 0, 1:
                data = b"caf\xe9"
            case 0, kind:
                problems, bad = DAMAGED[kind - 2]
                data = (RUSSIAN * 5).format(*range(5)).encode() + bad + b"\n"
                damaged[f"{index // 200:03}/{index:05}.txt"] = problems
        path.write_bytes(data)
    return damaged
