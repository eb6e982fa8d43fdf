"""Runs ftfy on the texts that `quality` measured or wrote: correct lines, damaged lines, and texts to be timed.

usage: beside_ftfy.py FOLDER tuning|held-out
"""

import collections
import pathlib
import sys
import time

import ftfy

#: ftfy needs a second for 1 MB: it gets every 20th correct line.
STEP = 20


def correct(folder):
    lines = changed = 0
    for path in sorted(folder.iterdir()):
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file):
                if number % STEP == 0:
                    lines += 1
                    line = line.rstrip("\n")
                    changed += ftfy.fix_encoding(line) != line
    per_million = changed * 1e6 / lines
    print(f"correct: {changed} of {lines} lines changed, {per_million:.0f} in a million")


def damaged(path):
    """A line of the file has the damage, the original and the damaged text."""
    counts = collections.defaultdict(collections.Counter)
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            name, original, broken = line.rstrip("\n").split("\x1f")
            fixed = ftfy.fix_encoding(broken)
            result = "restored" if fixed == original else "as damaged" if fixed == broken else "neither"
            counts[name][result] += 1
    print("| damage | restored | neither restored nor as damaged |\n|---|---|---|")
    for name, count in counts.items():
        lines = count.total()
        print(f"| {name} | {count['restored'] * 100 / lines:.2f} % | {count['neither'] * 100 / lines:.2f} % |")


def speed(folder):
    """Processor time, best of three."""
    for name in ["clean", "broken"]:
        text = (folder / f"{name}.txt").read_text(encoding="utf-8")
        lines = text.split("\n")
        size = len(text.encode())
        for function in [ftfy.fix_encoding, ftfy.fix_text]:
            best = None
            for _ in range(3):
                start = time.process_time()
                for line in lines:
                    function(line)
                seconds = time.process_time() - start
                best = min(best or seconds, seconds)
            rate = size / 1e6 / best
            print(f"{function.__name__}\t{name}\t{best:.4f}\t{rate:.2f} MB/s")


folder = pathlib.Path(sys.argv[1])
print(f"\nftfy {ftfy.__version__}, each line alone\n")
correct(folder / sys.argv[2])
damaged(folder / "damaged.txt")
speed(folder)
