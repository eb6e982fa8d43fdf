"""Columns of more than 2 GiB.

With UTFALL_TEST_FULL=1, also those whose text is much larger than the bytes.
"""

import array
import os
import pathlib

import pytest

from utfall import arrow

pyarrow = pytest.importorskip("pyarrow")

GIB = 1 << 30
#: Half a MiB in windows-1252.
VALUE = b"caf\xe9 " + b"x" * ((1 << 19) - 5)
ACCENTS = b"\xe9" * (1 << 19)
#: 2.1 GiB.
COUNT = 4300

is_full = pytest.mark.skipif(not os.environ.get("UTFALL_TEST_FULL"), reason="it takes a minute; set UTFALL_TEST_FULL=1")


@pytest.fixture(autouse=True)
def _memory():
    lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
    available = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    if available < 12 * GIB:
        pytest.skip(f"it needs 12 GiB of memory, and {available / GIB:.1f} GiB are available")


def large(value):
    """A column of large_binary: the same value, again and again, and a slightly different last one."""
    data = bytearray(value) * COUNT
    data[-1] = ord("z")
    offsets = array.array("q", range(0, len(value) * (COUNT + 1), len(value)))
    return pyarrow.Array.from_buffers(pyarrow.large_binary(), COUNT, [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(data)])


def check(decoded, value):
    """Also around the row at which offsets of 32 bits end."""
    assert len(decoded) == COUNT
    text = value.decode("cp1252")
    for row in (0, 1, 2047, 2048, 4095, 4096, COUNT - 2):
        assert decoded[row].as_py() == text, row
    assert decoded[COUNT - 1].as_py() == text[:-1] + "z"


def test_large_binary():
    data = large(VALUE)
    assert data.nbytes > 2 * GIB
    decoded = pyarrow.array(arrow.decode(data, "windows-1252"))
    assert decoded.type == pyarrow.large_string() and decoded.nbytes > data.nbytes
    check(decoded, VALUE)


def test_chunks_of_binary():
    """Each chunk has less than 2 GiB."""
    third = COUNT // 3
    same = pyarrow.array([VALUE] * third)
    last = pyarrow.array([*[VALUE] * (COUNT - 2 * third - 1), VALUE[:-1] + b"z"])
    data = pyarrow.chunked_array([same, same, last])
    assert data.type == pyarrow.binary() and data.nbytes > 2 * GIB
    decoded = pyarrow.chunked_array(arrow.decode(data, "windows-1252"))
    assert decoded.type == pyarrow.string() and decoded.num_chunks == 3
    check(decoded, VALUE)


@is_full
def test_text_of_4_gib():
    decoded = pyarrow.array(arrow.decode(large(ACCENTS), "windows-1252"))
    assert decoded.nbytes > 4 * GIB
    check(decoded, ACCENTS)
    encoded = pyarrow.array(arrow.encode(decoded, "windows-1252"))
    assert encoded.type == pyarrow.large_binary()
    assert encoded[0].as_py() == ACCENTS and encoded[COUNT - 1].as_py() == ACCENTS[:-1] + b"z"


@is_full
def test_text_that_becomes_too_large():
    """1.1 GiB of bytes become 2.2 GiB of text, for which offsets of 32 bits have no space."""
    data = pyarrow.array([ACCENTS] * 2253)
    for encoding in ("windows-1252", "ISO-8859-15"):
        with pytest.raises(OverflowError, match="use large_string or large_binary"):
            arrow.decode(data, encoding)
    decoded = pyarrow.array(arrow.decode(data.cast(pyarrow.large_binary()), "windows-1252"))
    assert decoded[2252].as_py() == "é" * (1 << 19)
