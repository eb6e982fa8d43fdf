"""Decode a column of binary data in Daft."""

import daft
import pyarrow
from utfall import arrow


@daft.func.batch(return_dtype=daft.DataType.string())
def decode(column: daft.Series) -> pyarrow.Array:
    return pyarrow.array(arrow.decode(column, "Shift_JIS", errors="null"))


if __name__ == "__main__":
    rows = daft.from_pydict({"data": [b"\x93\x8c\x8b\x9e", b"\xff", None]})
    rows.with_column("text", decode(rows["data"])).show()
