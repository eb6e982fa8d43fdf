"""Read a CSV file in any encoding with pandas."""

import sys

import pandas
import utfall
import utfall.codecs

utfall.codecs.register()


def read(path: str, encoding: str) -> pandas.DataFrame:
    return pandas.read_csv(path, encoding=f"utfall:{encoding}")


if __name__ == "__main__":
    guess = utfall.detect(sys.argv[1])
    if not guess.sure:
        sys.exit(f"the encoding is not certain: {guess}")
    print(read(sys.argv[1], guess.encoding))
