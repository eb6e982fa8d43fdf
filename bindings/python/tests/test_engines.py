"""Packages that read files through the codecs, by the programs of examples/engines: one table in twelve encodings."""

import importlib.util
import pathlib

import pytest

import utfall
import utfall.codecs

PROGRAMS = pathlib.Path(__file__).parents[3] / "examples" / "engines"
ROWS = [("Größe", 1), ("naïve, café", 2), ("Ünder", 3), ("line\nbreak", 4)] * 2000
TABLE = "name,number\n" + "".join(f'"{name}",{number}\n' for name, number in ROWS)
ENCODINGS = ["UTF-8", "UTF-16", "UTF-16LE", "UTF-32BE", "UTF-7", "windows-1252", "ISO-8859-15", "SCSU", "BOCU-1", "CESU-8", "UTF-EBCDIC",
             "GB18030"]


def program(name):
    spec = importlib.util.spec_from_file_location(name, PROGRAMS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def _registered():
    utfall.codecs.register()
    yield
    utfall.codecs.unregister()


@pytest.fixture(params=ENCODINGS)
def file(request, tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(utfall.encode(TABLE, request.param))
    return str(path), request.param


def expected():
    return {"name": [name for name, _ in ROWS], "number": [number for _, number in ROWS]}


def test_pandas(file):
    pandas = pytest.importorskip("pandas")
    assert program("pandas_csv").read(*file).to_dict("list") == expected()
    path, encoding = file
    chunks = pandas.read_csv(path, encoding=f"utfall:{encoding}", chunksize=700)
    assert [name for chunk in chunks for name in chunk["name"]] == expected()["name"]


def test_polars(file):
    pytest.importorskip("polars")
    assert program("polars_csv").read(*file).to_dict(as_series=False) == expected()


def test_pyarrow(file):
    csv = pytest.importorskip("pyarrow.csv")
    # A line break within a value needs an option of pyarrow, whatever the encoding.
    path, encoding = file
    table = csv.read_csv(path, csv.ReadOptions(encoding=f"utfall:{encoding}"), csv.ParseOptions(newlines_in_values=True))
    assert table.to_pydict() == expected()
    single = pathlib.Path(path)
    single.write_bytes(utfall.encode(TABLE.replace("line\nbreak", "line break"), encoding))
    assert program("pyarrow_csv").read(path, encoding)["name"].to_pylist() == [name.replace("\n", " ") for name, _ in ROWS]


def test_polars_is_lazy_with_bytes(file):
    """What docs/engines.md shows for scan_csv."""
    polars = pytest.importorskip("polars")
    path, encoding = file
    text = utfall.transcode(pathlib.Path(path).read_bytes(), encoding, "UTF-8", bom="strip")
    assert polars.scan_csv(text).select("number").collect()["number"].to_list() == expected()["number"]
