"""Decode a column of binary data in Polars."""

import polars
from utfall import arrow


def decode(column: str) -> polars.Expr:
    return polars.col(column).map_batches(
        lambda values: polars.Series(arrow.decode(values, "Shift_JIS", errors="null")),
        return_dtype=polars.String,
        is_elementwise=True,
    )


if __name__ == "__main__":
    rows = polars.LazyFrame({"data": [b"\x93\x8c\x8b\x9e", b"\xff", None]})
    print(rows.with_columns(text=decode("data")).collect(engine="streaming"))
