"""Compares utfall.arrow with a loop in Python, and in each engine with its own function.

    python bench.py [spark]

Each figure is the shortest time of several runs, in turns. Most functions of engines read only UTF-8. "spark" measures Spark
instead, which needs Java.
"""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow
import utfall
from utfall import arrow

SECONDS = 3.0

#: Values of about 60 characters, as in a column of names or titles, and of a page.
TEXTS = {
    "short, French": ("Les élèves ont déjà reçu la réponse à leur question, voilà.", 200_000),
    "long, French": ("Les élèves ont déjà reçu la réponse à leur question, voilà. " * 100, 4_000),
    "short, Japanese": ("吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。", 200_000),
    "long, Japanese": ("吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。" * 100, 4_000),
    "short, ASCII": ("The quick brown fox jumps over the lazy dog, again and again.", 200_000),
}


def fastest(calls: list[Callable[[], Any]]) -> list[float]:
    """The shortest time of each, measured in turns."""
    best = [float("inf")] * len(calls)
    end = time.perf_counter() + SECONDS * len(calls)
    while time.perf_counter() < end:
        for index, call in enumerate(calls):
            start = time.perf_counter()
            call()
            best[index] = min(best[index], time.perf_counter() - start)
    return best


def row(name: str, size: int, ours: float, theirs: float) -> None:
    """Millions of bytes per second."""
    print(f"{name:45} {size / ours / 1e6:8.0f} MB/s {size / theirs / 1e6:8.0f} MB/s  x{theirs / ours:.1f}", flush=True)


def columns(encoding: str, names: list[str]) -> Iterator[tuple[str, pyarrow.Array, int]]:
    for name in names:
        text, count = TEXTS[name]
        data = pyarrow.array([utfall.encode(text, encoding)] * count)
        yield f"{encoding}, {name}", data, data.nbytes


def loops() -> None:
    print("decode a column: utfall.arrow beside pyarrow.array([value.decode(...) for value in column.to_pylist()])")
    for encoding, codec, names in (
        ("UTF-8", "utf-8", list(TEXTS)),
        ("windows-1252", "cp1252", ["short, French", "long, French", "short, ASCII"]),
        ("Shift_JIS", "cp932", ["short, Japanese", "long, Japanese"]),
        ("UTF-16LE", "utf-16-le", ["short, French", "long, Japanese"]),
        ("UTF-7", "utf-7", ["short, French", "long, Japanese"]),
    ):
        for name, data, size in columns(encoding, names):
            def loop(data: pyarrow.Array = data, codec: str = codec) -> pyarrow.Array:
                return pyarrow.array([value.decode(codec) for value in data.to_pylist()])

            def ours(data: pyarrow.Array = data, encoding: str = encoding) -> pyarrow.Array:
                return pyarrow.array(arrow.decode(data, encoding))

            assert loop().equals(ours())
            row(name, size, *fastest([ours, loop]))


def engines() -> None:
    """UTF-8, which is all that they read."""
    import daft
    import datafusion
    import duckdb
    import polars
    from daft.functions import decode as daft_decode

    def decoded(column: Any) -> pyarrow.Array | pyarrow.ChunkedArray:
        result = arrow.decode(column, "UTF-8")
        return pyarrow.chunked_array(result) if isinstance(result, arrow.ChunkedArray) else pyarrow.array(result)

    print("decode UTF-8 in an engine: a function with utfall.arrow beside its own")
    connection = duckdb.connect()
    connection.create_function("ours", decoded, ["BLOB"], "VARCHAR", type="arrow", null_handling="special")
    context = datafusion.SessionContext()
    context.register_udf(datafusion.udf(decoded, [pyarrow.binary()], pyarrow.string(), "immutable", name="ours"))
    daft_ours = daft.func.batch(return_dtype=daft.DataType.string())(decoded)
    for name, data, size in columns("UTF-8", list(TEXTS)):
        row(f"pyarrow: cast; {name}", size, *fastest([lambda: decoded(data), lambda: data.cast(pyarrow.string())]))
        arrow_table = pyarrow.table({"data": data})
        connection.execute("CREATE OR REPLACE TABLE rows AS FROM arrow_table")
        sql = "SELECT max(length({}(data))) FROM rows"
        row(f"DuckDB: decode; {name}", size, *fastest([lambda: connection.execute(sql.format("ours")).fetchall(),
                                                      lambda: connection.execute(sql.format("decode")).fetchall()]))
        frame = polars.DataFrame(arrow_table)
        column = polars.col("data")
        ours = column.map_batches(lambda values: polars.Series(arrow.decode(values, "UTF-8")), return_dtype=polars.String)
        row(f"Polars: cast; {name}", size, *fastest([lambda: frame.select(ours), lambda: frame.select(column.cast(polars.String))]))
        context.deregister_table("rows")
        context.from_arrow(arrow_table, name="rows")
        sql2 = "SELECT max(octet_length({})) FROM rows"
        row(f"DataFusion: arrow_cast; {name}", size, *fastest([lambda: context.sql(sql2.format("ours(data)")).collect(),
                                                              lambda: context.sql(sql2.format("arrow_cast(data, 'Utf8')")).collect()]))
        rows = daft.from_arrow(arrow_table).collect()
        row(f"Daft: decode; {name}", size, *fastest([lambda: rows.select(daft_ours(rows["data"])).collect(),
                                                    lambda: rows.select(daft_decode(rows["data"], "utf-8")).collect()]))
    connection.close()


def spark() -> None:
    from pyspark.sql import SparkSession, functions
    from pyspark.sql.functions import arrow_udf
    from pyspark.sql.types import StringType

    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    print("decode in Spark: an Arrow UDF with utfall.arrow beside its own function")
    for encoding, name in (("UTF-8", "long, French"), ("ISO-8859-1", "short, French"), ("ISO-8859-1", "long, French"),
                           ("UTF-16LE", "long, Japanese")):
        text, count = TEXTS[name]
        value = utfall.encode(text, encoding)

        # Only the column may be a parameter.
        @arrow_udf(StringType())
        def ours(column: pyarrow.Array) -> pyarrow.Array:
            return pyarrow.array(arrow.decode(column, encoding))  # noqa: B023: it runs before the next one

        rows = session.range(count).select(functions.concat(functions.lit(value)).alias("data")).cache()
        rows.count()

        def longest(column: Any) -> Any:
            return rows.select(functions.max(functions.length(column))).collect()

        assert longest(ours("data")) == longest(functions.decode("data", encoding))
        row(f"Spark: decode; {encoding}, {name}", len(value) * count, *fastest([
            lambda: longest(ours("data")), lambda: longest(functions.decode("data", encoding))]))
    session.stop()


if __name__ == "__main__":
    print(f"utfall {utfall.__version__}, Python {sys.version.split()[0]}{'utfall':>27} {'other':>11}")
    if sys.argv[1:] == ["spark"]:
        spark()
    else:
        loops()
        try:
            engines()
        except ImportError as error:
            print(f"skipped: {error.name} is not installed")
