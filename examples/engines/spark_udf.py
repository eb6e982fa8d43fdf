"""Decode a column of binary data in Spark."""

import pandas
import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql.functions import arrow_udf, pandas_udf
from pyspark.sql.types import StringType
from utfall import arrow


@arrow_udf(StringType())
def decode(column: pyarrow.Array) -> pyarrow.Array:
    return pyarrow.array(arrow.decode(column, "Shift_JIS", errors="null"))


@pandas_udf(StringType())  # for Spark before 4.1; slower, because each value becomes a Python object
def decode_pandas(column: pandas.Series) -> pandas.Series:
    values = pyarrow.array(column, pyarrow.binary())
    return pyarrow.array(arrow.decode(values, "Shift_JIS", errors="null")).to_pandas()


if __name__ == "__main__":
    spark = SparkSession.builder.getOrCreate()
    rows = spark.createDataFrame([(b"\x93\x8c\x8b\x9e",), (b"\xff",), (None,)], "data binary")
    rows.select("data", decode("data").alias("text"), decode_pandas("data").alias("again")).show()
