"""Decode a column of binary data in DataFusion."""

import datafusion
import pyarrow
from utfall import arrow


def decode(column: pyarrow.Array) -> pyarrow.Array:
    return pyarrow.array(arrow.decode(column, "Shift_JIS", errors="null"))


def register(context: datafusion.SessionContext) -> None:
    types = [pyarrow.binary_view()], pyarrow.string_view()
    context.register_udf(datafusion.udf(decode, *types, "immutable", name="from_shift_jis"))


if __name__ == "__main__":
    context = datafusion.SessionContext()
    register(context)
    context.from_pydict({"data": [b"\x93\x8c\x8b\x9e", b"\xff", None]}, name="rows")
    context.sql("SELECT data, from_shift_jis(data) AS text FROM rows").show()
