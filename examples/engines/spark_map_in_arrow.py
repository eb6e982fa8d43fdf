"""Decode files of unknown encoding to a table of texts with Spark.

    spark-submit spark_map_in_arrow.py FOLDER TABLE

Each file is a row of the Parquet table. Its text is null if the encoding is not certain, or the file is invalid in it.
"""

import sys
from collections.abc import Iterator

import pyarrow
import utfall
from pyspark.sql import DataFrame, SparkSession

SCHEMA = "path string, encoding string, confidence double, text string"


def decode(data: bytes, guess: utfall.Detection) -> str | None:
    if not guess.sure:
        return None
    try:
        return utfall.decode(data, guess.encoding, bom="strip")
    except utfall.DecodeError:
        return None


def read(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    for batch in batches:
        files = [value.as_py() for value in batch["content"]]
        guesses = [utfall.detect(data, all=True) for data in files]
        yield pyarrow.RecordBatch.from_pydict({
            "path": batch["path"],
            "encoding": pyarrow.array([guess.encoding for guess in guesses], pyarrow.string()),
            "confidence": pyarrow.array([guess.confidence for guess in guesses], pyarrow.float64()),
            "text": pyarrow.array(map(decode, files, guesses), pyarrow.string()),
        })


def texts(spark: SparkSession, folder: str) -> DataFrame:
    files = spark.read.format("binaryFile").option("recursiveFileLookup", True).load(folder)
    return files.select("path", "content").mapInArrow(read, SCHEMA)


if __name__ == "__main__":
    folder, table = sys.argv[1:]
    spark = SparkSession.builder.getOrCreate()
    # The batches are made of whole files.
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 100)
    texts(spark, folder).write.parquet(table)
    print(f"{spark.read.parquet(table).count()} files")
