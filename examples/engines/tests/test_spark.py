"""Spark: the programs give what the command gives, also after workers were killed.

With UTFALL_TEST_FULL=1, they convert 20,000 files instead of 120.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

import pytest

import mixed
import spark

parquet = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("pyspark")

COUNT = 20_000 if os.environ.get("UTFALL_TEST_FULL") else 120


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of mixed files, and the reports of the command that detects and converts them."""
    folder = tmp_path_factory.mktemp("spark")
    damaged = mixed.make(folder / "in", COUNT)
    convert = ["convert", "-f", "detect", "-t", "UTF-8", "--output-dir", folder / "command"]
    return folder, damaged, command(folder, *convert), command(folder, "detect")


def command(folder, *args):
    """The lines of its report, by path."""
    done = subprocess.run([sys.executable, "-m", "utfall", *args, "--json", "--", "in"], cwd=folder, capture_output=True)
    lines = map(json.loads, done.stdout.splitlines())
    files = {line["file"].removeprefix("in/"): line for line in lines if line["type"] == "file"}
    assert len(files) == COUNT, done.stderr.decode()
    return files


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def timed(name, function, *args, **options):
    start = time.perf_counter()
    result = function(*args, **options)
    print(f"{name}: {COUNT} files, {len(options['moments'])} killed, {time.perf_counter() - start:.0f} s")
    return result


def test_convert_a_bucket(folder):
    folder, damaged, converted, detected = folder
    target, report = folder / "bucket", folder / "report"
    manifest = folder / "manifest.csv"
    manifest.write_text("path,encoding\n" + "".join(f"{path},\n" for path in converted))

    def is_converting():
        return sum(1 for _ in target.glob("*/*.txt")) > COUNT // 3

    timed("bucket", spark.run_and_kill, "spark_bucket.py", manifest, folder / "in", target, report,
          moments=[is_converting], log=folder / "bucket.log")
    rows = {row["path"]: row for row in parquet.read_table(report).to_pylist()}
    assert parquet.read_table(report).num_rows == len(rows) == COUNT
    assert rows.keys() == converted.keys()
    for path, row in rows.items():
        done, guess = converted[path], detected[path]["candidates"][:1]
        assert row["encoding"] == (guess[0]["encoding"] if guess else None), path
        assert row["confidence"] == (guess[0]["confidence"] if guess else 0), path
        assert row["bytes"] == done.get("bytes_written"), path
        assert (row["reason"] is None) == (done["action"] == "converted"), path
        assert row["problems"] == damaged.get(path, 0 if done["action"] == "converted" else None), path
    files = contents(target)
    # Nothing unfinished is left.
    assert files == contents(folder / "command")
    assert len(files) > COUNT * 0.8


def test_texts_to_parquet(folder):
    folder, _, converted, detected = folder
    table = folder / "texts"

    def is_writing():
        return any(path.stat().st_size for path in table.glob("_temporary/**/part-*.parquet"))

    timed("texts", spark.run_and_kill, "spark_map_in_arrow.py", folder / "in", table, moments=[is_writing], log=folder / "texts.log")
    rows = parquet.read_table(table).to_pylist()
    texts = {pathlib.Path(row["path"].removeprefix("file:")).relative_to(folder / "in").as_posix(): row for row in rows}
    assert len(rows) == len(texts) == COUNT
    expected = {path: data.decode() for path, data in contents(folder / "command").items()}
    assert {path: row["text"] for path, row in texts.items() if row["text"] is not None} == expected
    for path, row in texts.items():
        guess = detected[path]["candidates"][:1]
        assert row["encoding"] == (guess[0]["encoding"] if guess else None), path


def test_manifest_with_encodings_and_missing_files(tmp_path):
    """The result of each kind of file."""
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.txt").write_bytes(b"caf\xe9")
    (source / "b.txt").write_bytes("日本".encode("utf-16"))
    (source / "empty.txt").write_bytes(b"")
    manifest = tmp_path / "manifest.csv"
    manifest.write_text("path,encoding\na.txt,latin1\nb.txt,nonesuch\nempty.txt,\nmissing.txt,\n")
    spark.run("spark_bucket.py", manifest, source, tmp_path / "out", tmp_path / "report")
    rows = {row.pop("path"): row for row in parquet.read_table(tmp_path / "report").to_pylist()}
    assert rows["a.txt"] == {"encoding": "latin1", "confidence": 1.0, "problems": 0, "bytes": 5, "reason": None}
    assert "nonesuch" in rows["b.txt"]["reason"] and rows["b.txt"]["bytes"] is None
    assert rows["empty.txt"]["bytes"] == 0 and rows["missing.txt"]["reason"] == "not found"
    assert contents(tmp_path / "out") == {"a.txt": "café".encode(), "empty.txt": b""}
