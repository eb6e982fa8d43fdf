"""Convert all files of a bucket to UTF-8 with Spark, and report on each.

    spark-submit spark_bucket.py MANIFEST SOURCE TARGET REPORT

MANIFEST is a CSV table with the columns path and encoding; an empty encoding is detected. Paths are relative to SOURCE and
TARGET, which are folders or URIs of any storage that pyarrow.fs knows. REPORT is a Parquet table:

    path        as in the manifest
    encoding    the declared or likeliest one; null for binary data
    confidence  from 0 to 1
    problems    how many sequences are invalid in this encoding
    bytes       how many were written; null if the file was not converted
    reason      why it was not converted
"""

import posixpath
import sys
import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import pyarrow
import utfall
from pyarrow.fs import FileSystem
from pyspark.sql import DataFrame, SparkSession

SCHEMA = "path string, encoding string, confidence double, problems long, bytes long, reason string"

# Up to this number of files, each is a task. Beyond, a task converts several, one after the other.
MOST_TASKS = 1000

# Names that begin with "_" are hidden from other jobs.
UNFINISHED = "_unfinished"


@dataclass
class Result:
    path: str
    encoding: str | None
    confidence: float | None = None
    problems: int | None = None
    bytes: int | None = None
    reason: str | None = None


def convert(path: str, declared: str | None, source: str, target: str) -> Result:
    """Convert a file. A second attempt gives the same file and the same result."""
    filesystem, folder = FileSystem.from_uri(source)
    try:
        with filesystem.open_input_stream(posixpath.join(folder, path)) as file:
            data = file.read()
    except FileNotFoundError:
        return Result(path, declared, reason="not found")
    result = Result(path, declared, confidence=1.0)
    if not declared:
        guess = utfall.detect(data, all=True)
        result.encoding, result.confidence = guess.encoding, guess.confidence
        if not guess.sure:
            result.reason = "the encoding is not certain" if guess.encoding else "binary"
            return result
    try:
        text = utfall.transcode(data, result.encoding, "UTF-8", bom="strip")
        result.problems = 0
    except (LookupError, UnicodeError) as error:
        result.reason = str(error)
        if isinstance(error, utfall.DecodeError):
            result.problems = len(utfall.problems(data, result.encoding))
        return result
    write(target, path, text)
    result.bytes = len(text)
    return result


def write(target: str, path: str, data: bytes) -> None:
    """Write a file so that it appears complete or not at all, whatever happens to the worker."""
    filesystem, folder = FileSystem.from_uri(target)
    temporary = posixpath.join(folder, UNFINISHED, uuid.uuid4().hex)
    with filesystem.open_output_stream(temporary) as file:
        file.write(data)
    final = posixpath.join(folder, path)
    filesystem.create_dir(posixpath.dirname(final))
    filesystem.move(temporary, final)


def convert_all(spark: SparkSession, manifest: DataFrame, source: str, target: str) -> DataFrame:
    """The report. The files are converted when it is computed."""

    def convert_rows(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            results = [convert(**row, source=source, target=target) for row in batch.to_pylist()]
            yield pyarrow.RecordBatch.from_pylist([asdict(result) for result in results], schema)

    schema = pyarrow.schema([
        ("path", pyarrow.string()),
        ("encoding", pyarrow.string()),
        ("confidence", pyarrow.float64()),
        ("problems", pyarrow.int64()),
        ("bytes", pyarrow.int64()),
        ("reason", pyarrow.string()),
    ])
    files = manifest.selectExpr("path", "encoding AS declared").coalesce(1)
    tasks = max(1, min(files.count(), MOST_TASKS))
    results = files.repartition(tasks).mapInArrow(convert_rows, SCHEMA)
    # The rows go to few files. By the path, so that a task that runs again puts each where it was.
    return results.repartition("path")


if __name__ == "__main__":
    manifest, source, target, report = sys.argv[1:]
    spark = SparkSession.builder.getOrCreate()
    filesystem, folder = FileSystem.from_uri(target)
    filesystem.create_dir(posixpath.join(folder, UNFINISHED))
    files = spark.read.csv(manifest, header=True, schema="path string, encoding string")
    convert_all(spark, files, source, target).write.parquet(report)
    # What killed workers left.
    filesystem.delete_dir(posixpath.join(folder, UNFINISHED))
    spark.read.parquet(report).groupBy("encoding").count().orderBy("encoding").show()
