"""Columns through DuckDB, Polars, DataFusion and Daft: the same text from each, with nulls and bad values."""

import functools
import importlib
import pathlib
import sys

import pytest

import utfall
from utfall import arrow

pyarrow = pytest.importorskip("pyarrow")

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

#: More rows than any engine has in a batch, with one bad value in the middle.
WORDS = ["東京", "", None, "plain", "長い行、長い行、長い行、長い行", "ｶﾀｶﾅ"] * 50_000
BAD = len(WORDS) // 2 + 1
DATA = [None if word is None else word.encode("cp932") for word in WORDS]
DATA[BAD] = b"\x93\x8c\xff"


def expected(errors):
    """What a loop in Python gives."""
    decode = functools.cache(lambda value: utfall.decode(value, "Shift_JIS", "strict" if errors == "null" else errors))
    texts = [None if value is None or (row == BAD and errors == "null") else value for row, value in enumerate(DATA)]
    return [None if value is None else decode(value) for value in texts]


def with_errors(errors, program):
    """The program, with another way to treat errors."""
    module = importlib.import_module(program)

    class Arrow:
        @staticmethod
        def decode(column, encoding, errors=None):
            return arrow.decode(column, encoding, chosen)

    chosen = errors
    module.arrow = Arrow
    return module


def duckdb(errors):
    import duckdb

    with duckdb.connect() as connection:
        with_errors(errors, "duckdb_udf").register(connection)
        rows = pyarrow.table({"row": range(len(DATA)), "data": pyarrow.array(DATA)})  # noqa: F841: the query reads it
        return connection.sql("SELECT from_shift_jis(data) AS text FROM rows ORDER BY row").to_arrow_table()["text"].to_pylist()


def polars(errors):
    import polars

    rows = polars.LazyFrame({"data": DATA})
    decode = with_errors(errors, "polars_expression").decode
    eager, streaming = (rows.select(decode("data")).collect(engine=engine)["data"].to_list() for engine in ("in-memory", "streaming"))
    assert eager == streaming
    return eager


def datafusion(errors):
    import datafusion

    context = datafusion.SessionContext()
    with_errors(errors, "datafusion_udf").register(context)
    context.from_pydict({"row": list(range(len(DATA))), "data": DATA}, name="rows")
    return context.sql("SELECT from_shift_jis(data) AS text FROM rows ORDER BY row").to_arrow_table()["text"].to_pylist()


def daft(errors):
    import daft

    rows = daft.from_pydict({"data": DATA})
    return rows.select(with_errors(errors, "daft_udf").decode(rows["data"])).to_pydict()["data"]


ENGINES = {function.__name__: function for function in (duckdb, polars, datafusion, daft)}


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("errors", ["null", "replace"])
def test_a_bad_value_in_the_middle(name, errors):
    pytest.importorskip(name)
    assert ENGINES[name](errors) == expected(errors)


@pytest.mark.parametrize("name", ENGINES)
def test_strict(name):
    """The query fails with DecodeError, or an exception of the engine that names it."""
    pytest.importorskip(name)
    with pytest.raises(Exception) as raised:
        ENGINES[name]("strict")
    # The message of Polars says only this of a UnicodeDecodeError, also of Python's own.
    assert "DecodeError" in f"{type(raised.value)} {raised.value}"


def test_datafusion_reads_parquet(tmp_path):
    """Whose columns of Parquet are views."""
    datafusion = pytest.importorskip("datafusion")
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"data": DATA}), tmp_path / "rows.parquet")
    context = datafusion.SessionContext()
    with_errors("null", "datafusion_udf").register(context)
    context.register_parquet("rows", str(tmp_path / "rows.parquet"))
    column = context.sql("SELECT from_shift_jis(data) AS text FROM rows").to_arrow_table()["text"]
    assert sorted(map(str, column.to_pylist())) == sorted(map(str, expected("null")))
