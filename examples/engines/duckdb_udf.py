"""Decode a column of BLOBs in DuckDB."""

import duckdb
import pyarrow
from utfall import arrow


def decode(column: pyarrow.ChunkedArray) -> pyarrow.ChunkedArray:
    return pyarrow.chunked_array(arrow.decode(column, "Shift_JIS", errors="null"))


def register(connection: duckdb.DuckDBPyConnection) -> None:
    connection.create_function("from_shift_jis", decode, ["BLOB"], "VARCHAR", type="arrow", null_handling="special")


if __name__ == "__main__":
    with duckdb.connect() as connection:
        register(connection)
        connection.execute("CREATE TABLE rows AS FROM (VALUES ('\\x93\\x8C\\x8B\\x9E'::BLOB), ('\\xFF'::BLOB), (NULL)) AS t(data)")
        connection.sql("SELECT data, from_shift_jis(data) AS text FROM rows").show()
