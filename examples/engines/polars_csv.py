"""Read a CSV file in any encoding with Polars."""

import sys

import polars
import utfall
import utfall.codecs

utfall.codecs.register()


def read(path: str, encoding: str) -> polars.DataFrame:
    return polars.read_csv(path, encoding=f"utfall:{encoding}")


if __name__ == "__main__":
    guess = utfall.detect(sys.argv[1])
    if not guess.sure:
        sys.exit(f"the encoding is not certain: {guess}")
    print(read(sys.argv[1], guess.encoding))
