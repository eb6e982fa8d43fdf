"""Read a CSV file in any encoding with pyarrow."""

import sys

import pyarrow
import utfall
import utfall.codecs
from pyarrow import csv

utfall.codecs.register()


def read(path: str, encoding: str) -> pyarrow.Table:
    return csv.read_csv(path, csv.ReadOptions(encoding=f"utfall:{encoding}"))


if __name__ == "__main__":
    guess = utfall.detect(sys.argv[1])
    if not guess.sure:
        sys.exit(f"the encoding is not certain: {guess}")
    print(read(sys.argv[1], guess.encoding).slice(0, 2).to_pylist())
