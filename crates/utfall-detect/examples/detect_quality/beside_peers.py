"""Runs chardet, charset-normalizer and cchardet (uchardet) on the cases, and prints the tables.

usage: beside_peers.py FOLDER PART [--utfall-only]

An answer is right if decoding gives the text of the case. A peer whose charset Python lacks is
right if it names the charset of the case. An answer is unsure if there is none, or if utfall's
confidence is below 0.5.
"""

import codecs
import collections
import os
import re
import sys

folder, part = sys.argv[1:3]
LENGTHS = ("20", "60", "200", "1000", "8000")
RANGES = (0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.01)


def chardet_answer(data):
    import chardet

    found = chardet.detect(data)
    return found["encoding"], found["confidence"] or 0


def cchardet_answer(data):
    import cchardet

    found = cchardet.detect(data)
    return found["encoding"], found["confidence"] or 0


def normalizer_answer(data):
    import charset_normalizer

    found = charset_normalizer.from_bytes(data).best()
    return (found.encoding, 1 - found.chaos) if found else (None, 0)


PEERS = {
    "chardet": chardet_answer,
    "charset-normalizer": normalizer_answer,
    "cchardet": cchardet_answer,
}
# Names of charsets that differ from those of Python.
NAMES = {"maccentraleurope": "maclatin2", "macintosh": "macroman", "xmaccyrillic": "maccyrillic"}


def plain(name):
    name = re.sub("[^a-z0-9]", "", (name or "").lower())
    return NAMES.get(name, name)


def is_right(name, charset, data, text):
    if not name:
        return False
    if plain(name) == plain(charset):
        return True
    try:
        codec = codecs.lookup(NAMES.get(plain(name), name)).name
        return data.decode(codec).lstrip("\ufeff") == text
    except (LookupError, UnicodeDecodeError):
        return False


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


cases = lines(os.path.join(folder, part + ".tsv"))
answers = {}
for peer, ask in PEERS.items():
    path = os.path.join(folder, f"{part}.{peer}.tsv")
    if "--utfall-only" in sys.argv:
        if os.path.exists(path):
            answers[peer] = lines(path)
        continue
    with open(path, "w", encoding="utf-8") as file:
        for _, _, charset, _, data, text in cases:
            data, text = bytes.fromhex(data), bytes.fromhex(text).decode()
            name, confidence = ask(data)
            right = int(is_right(name, charset, data, text))
            print(name or "-", round(confidence, 4), right, 0, sep="\t", file=file)
    answers[peer] = lines(path)
answers = {"utfall": lines(os.path.join(folder, part + ".utfall.tsv")), **answers}
for name in [argument for argument in sys.argv[3:] if not argument.startswith("--")]:
    answers[os.path.basename(name)] = lines(name)


def percent(found, of):
    return f"{100 * found / of:.1f}" if of else ""


def table(title, key, keys):
    count = collections.Counter(key(case) for case in cases)
    print(f"\n| percent right, by {title} | " + " | ".join(answers) + " | cases |")
    print("|---" * (len(answers) + 2) + "|")
    for row in keys:
        rights = []
        for of in answers.values():
            right = sum(a[2] == "1" for case, a in zip(cases, of) if key(case) == row)
            rights.append(percent(right, count[row]))
        print(f"| {row} | " + " | ".join(rights) + f" | {count[row]} |")
    rights = [percent(sum(a[2] == "1" for a in of), len(cases)) for of in answers.values()]
    if title != "charset":
        print("| all | " + " | ".join(rights) + f" | {len(cases)} |")


table("family", lambda case: case[0], dict.fromkeys(case[0] for case in cases))
table("length in bytes", lambda case: case[3], LENGTHS)
table("charset", lambda case: case[2], dict.fromkeys(case[2] for case in cases))
table("language", lambda case: case[1], dict.fromkeys(case[1] for case in cases))


def language_table():
    """How often utfall names the language of a text in a charset that it has found."""
    rows = collections.defaultdict(collections.Counter)
    for case, answer in zip(cases, answers["utfall"]):
        if case[0] == "UTFs" or answer[2] != "1" or not answer[4]:
            continue
        rows[case[1]][case[3]] += 1
        if answer[4] == case[1]:
            rows[case[1]][case[3], "right"] += 1
        else:
            rows[case[1]][answer[4], "instead"] += 1
    print("\n| language, by bytes | " + " | ".join(LENGTHS) + " | all | most often instead |")
    print("|---" * (len(LENGTHS) + 3) + "|")
    whole = collections.Counter()
    for row in rows.values():
        whole.update(row)
    for language, row in [*rows.items(), ("all", whole)]:
        cells = [percent(row[length, "right"], row[length]) for length in LENGTHS]
        right, count = (sum(of) for of in zip(*((row[n, "right"], row[n]) for n in LENGTHS)))
        instead = collections.Counter(
            {key[0]: count for key, count in row.items() if key[1:] == ("instead",)}
        )
        others = ", ".join(other for other, _ in instead.most_common(2)) if row is not whole else ""
        print(f"| {language} | " + " | ".join(cells) + f" | {percent(right, count)} | {others} |")


language_table()
for name, of in answers.items():
    if name in PEERS:
        continue
    print(f"\n| {name}, by family | right | wrong | unsure | percent used | of these, right |")
    print("|---|---|---|---|---|---|")
    for family in [*dict.fromkeys(case[0] for case in cases), None]:
        here = [a for case, a in zip(cases, of) if family in (None, case[0])]
        sure = [a for a in here if float(a[1]) >= 0.5]
        right = sum(a[2] == "1" for a in sure)
        used = [a for a in here if a[3] == "1"]
        used_right = percent(sum(a[2] == "1" for a in used), len(used))
        print(
            f"| {family or 'all'} | {percent(right, len(here))} |"
            f" {percent(len(sure) - right, len(here))} |"
            f" {percent(len(here) - len(sure), len(here))} |"
            f" {percent(len(used), len(here))} | {used_right} |"
        )
print("\n| confidence | " + " | ".join(f"{name}: cases | right" for name in answers) + " |")
print("|---" * (2 * len(answers) + 1) + "|")
for low, high in [*zip(RANGES, RANGES[1:]), (0.9, 1.01)]:
    cells = []
    for of in answers.values():
        here = [a for a in of if low <= float(a[1]) < high]
        cells.append(f"{len(here)} | {percent(sum(a[2] == '1' for a in here), len(here))}")
    print(f"| {low} to {min(high, 1)} | " + " | ".join(cells) + " |")
