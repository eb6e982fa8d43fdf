"""utfall.arrow, with the columns of pyarrow, Polars and pandas."""

import pytest

import utfall
from utfall import arrow

pyarrow = pytest.importorskip("pyarrow")

BINARY = [pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view()]
TEXT = [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()]
WORDS = ["Größe", "", None, "plain", "a longer value, which is not inline: Ünder", "日本"]


def column(result):
    """The result as pyarrow has it."""
    if isinstance(result, arrow.ChunkedArray):
        return pyarrow.chunked_array(result)
    return pyarrow.array(result)


def encoded(encoding, kind=BINARY[0], words=WORDS):
    return pyarrow.array([None if word is None else utfall.encode(word, encoding) for word in words], kind)


@pytest.mark.parametrize(("binary", "text"), list(zip(BINARY, TEXT)))
@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16LE", "UTF-7", "GB18030", "SCSU"])
def test_six_types(binary, text, encoding):
    data = encoded(encoding, binary)
    decoded = column(arrow.decode(data, encoding))
    assert decoded.type == text and decoded.to_pylist() == WORDS
    decoded.validate(full=True)
    again = column(arrow.encode(decoded, encoding))
    assert again.type == binary and again.equals(data)
    assert column(arrow.transcode(data, encoding, "UTF-16BE")).equals(encoded("UTF-16BE", binary))
    assert column(arrow.is_valid(data, encoding)).to_pylist() == [None if word is None else True for word in WORDS]
    assert column(arrow.repair(decoded)).equals(decoded)


@pytest.mark.parametrize("kind", BINARY)
def test_a_bad_value_in_the_middle(kind):
    data = pyarrow.array([b"a", b"b\xff", None, "ü".encode()], kind)
    with pytest.raises(utfall.DecodeError) as raised:
        arrow.decode(data, "UTF-8")
    assert (raised.value.object, raised.value.start, raised.value.end) == (b"b\xff", 1, 2)
    assert raised.value.__notes__ == ["in row 1 of the column"]
    assert column(arrow.decode(data, "UTF-8", "null")).to_pylist() == ["a", None, None, "ü"]
    assert column(arrow.decode(data, "UTF-8", "replace")).to_pylist() == ["a", "b\ufffd", None, "ü"]
    assert column(arrow.is_valid(data)).to_pylist() == [True, False, None, True]
    problems = column(arrow.problem(data)).to_pylist()
    assert problems[0] is problems[2] is problems[3] is None
    clause = problems[1].pop("clause")
    assert clause.startswith("RFC 3629") and clause == raised.value.clause
    assert problems[1] == {"offset": 1, "length": 1, "line": 1, "column": 2, "kind": "invalid-byte",
                           "message": "byte that never appears in UTF-8"}


def test_characters_that_the_target_lacks():
    text = pyarrow.array(["5 €", "6"])
    with pytest.raises(utfall.EncodeError) as raised:
        arrow.encode(text, "latin1")
    assert raised.value.object == "€" and raised.value.__notes__ == ["in row 0 of the column"]
    with pytest.raises(utfall.EncodeError, match=r"at byte 6 \(line 2, column 3\)") as later:
        arrow.encode(pyarrow.array(["a", "ä\näb€"]), "latin1")
    assert (later.value.line, later.value.column, later.value.offset) == (2, 3, 6)
    assert column(arrow.encode(text, "latin1", "null")).to_pylist() == [None, b"6"]
    assert column(arrow.encode(text, "latin1", "xmlcharrefreplace")).to_pylist() == [b"5 &#8364;", b"6"]


def test_chunks():
    chunks = pyarrow.chunked_array([encoded("UTF-16LE"), encoded("UTF-16LE", words=[]), encoded("UTF-16LE")])
    result = arrow.decode(chunks, "UTF-16LE")
    assert (len(result), result.num_chunks, result.null_count, result.type) == (12, 3, 2, "Utf8")
    decoded = column(result)
    assert decoded.num_chunks == 3 and decoded.to_pylist() == WORDS * 2
    # A stream can be made more than once.
    assert column(result).equals(decoded)
    bad = pyarrow.chunked_array([[b"a"], [b"b", b"\xff"]])
    with pytest.raises(utfall.DecodeError) as raised:
        arrow.decode(bad, "UTF-8")
    assert raised.value.__notes__ == ["in row 2 of the column"]
    none = pyarrow.chunked_array([], pyarrow.binary())
    assert column(arrow.decode(none, "UTF-8")).type == pyarrow.string()


def test_slices():
    data = pyarrow.array([b"\xff", "Größe".encode(), None, b"plain", b"\xff"])[1:4]
    assert column(arrow.decode(data, "UTF-8")).to_pylist() == ["Größe", None, "plain"]
    assert column(arrow.decode(data, "windows-1252")).to_pylist() == ["GrÃ¶ÃŸe", None, "plain"]


@pytest.mark.parametrize("encoding", ["UTF-8", "windows-1252", "ISO-8859-5"])
def test_memory_is_shared_where_nothing_changes(encoding):
    data = pyarrow.array([b"plain", None, b"text"])
    decoded = column(arrow.decode(data, encoding))
    assert decoded.buffers()[2].address == data.buffers()[2].address
    assert column(arrow.encode(decoded, encoding)).buffers()[2].address == data.buffers()[2].address
    assert column(arrow.repair(decoded)).buffers()[2].address == data.buffers()[2].address


def test_memory_outlives_its_owner():
    import gc

    result = arrow.decode(pyarrow.array([b"plain text" * 1000]), "UTF-8")
    gc.collect()
    assert column(result).to_pylist() == ["plain text" * 1000]
    capsules = result.__arrow_c_array__()
    del result, capsules
    gc.collect()


def test_detect_and_repair():
    german = "„Größe“ und Maß: über Köln – schön, nicht wahr?"
    data = pyarrow.array([german.encode("cp1252"), None, german.encode("utf-16"), bytes(range(256)) * 4])
    found = column(arrow.detect(data)).to_pylist()
    assert [row and (row["encoding"], row["sure"]) for row in found] == [
        ("windows-1252", True), None, ("UTF-16LE", True), (None, False)]
    best = utfall.detect(german.encode("cp1252"))
    assert found[0]["evidence"] == "; ".join(reason.text for reason in best.evidence)
    assert found[3]["evidence"] is None
    assert column(arrow.repair(pyarrow.array(["dÃ©jÃ\xa0 vu", None]))).to_pylist() == ["déjà vu", None]
    assert column(arrow.repair(pyarrow.array([b"\xff", "dÃ©jÃ\xa0 vu".encode()]))).to_pylist() == [b"\xff", "déjà vu".encode()]


def test_wrong_arguments():
    for wrong in (5, None, [b"a"], b"a"):
        with pytest.raises(TypeError, match="PyCapsule"):
            arrow.decode(wrong, "UTF-8")
    with pytest.raises(TypeError, match="expected a column of binary data or text, not Int64"):
        arrow.decode(pyarrow.array([1]), "UTF-8")
    with pytest.raises(TypeError, match="not Struct"):
        arrow.decode(pyarrow.table({"a": [b"a"]}), "UTF-8")
    with pytest.raises(LookupError):
        arrow.decode(pyarrow.array([b"a"]), "nonesuch")
    with pytest.raises(ValueError, match="errors must be"):
        arrow.decode(pyarrow.array([b"a"]), "UTF-8", "surrogatepass")

    class Taken:
        def __init__(self):
            self.capsules = pyarrow.array([b"a"]).__arrow_c_array__()

        def __arrow_c_array__(self):
            return self.capsules

    taken = Taken()
    arrow.decode(taken, "UTF-8")
    with pytest.raises(ValueError, match="already taken"):
        arrow.decode(taken, "UTF-8")


@pytest.mark.parametrize("kind", BINARY)
def test_values_that_become_longer(kind):
    """Output that exceeds the space for it, and values on both sides of the length that fits a view."""
    values = [b"\xff" * count for count in (0, 1, 3, 4, 5, 12, 13, 1000, 70_000)] * 3 + [b"plain"]
    for errors, one in (("replace", "\ufffd"), ("backslashreplace", "\\xff")):
        result = column(arrow.decode(pyarrow.array(values, kind), "US-ASCII", errors))
        result.validate(full=True)
        assert result.to_pylist() == [value.decode("ascii", errors) for value in values]
        assert result.to_pylist()[1] == one
    long = "ж" * 700_000
    result = column(arrow.encode(pyarrow.array(["a", long, None, "b"]), "ISO-8859-5"))
    assert result.to_pylist() == [b"a", long.encode("iso8859-5"), None, b"b"]


def test_text_that_ends_inside_a_character():
    """All bytes together are valid, the values are not."""
    data = pyarrow.array([b"a\xc3", b"\xa9b"])
    assert column(arrow.decode(data, "UTF-8", "replace")).to_pylist() == ["a\ufffd", "\ufffdb"]
    assert column(arrow.decode(data, "UTF-8", "null")).to_pylist() == [None, None]


def test_results_are_those_of_decode():
    words = ["Größe", "naïve", "plain", "Ünder", ""] * 500
    for encoding in ("windows-1252", "ISO-8859-15", "UTF-EBCDIC", "BOCU-1", "EUC-JP"):
        values = [utfall.encode(word, encoding, "ignore") for word in words]
        assert column(arrow.decode(pyarrow.array(values), encoding)).to_pylist() == [
            utfall.decode(value, encoding) for value in values]


def test_polars():
    polars = pytest.importorskip("polars")
    data = polars.Series("name", [b"caf\xe9", None, b"plain"])
    decoded = polars.Series(arrow.decode(data, "windows-1252"))
    assert decoded.to_list() == ["café", None, "plain"] and decoded.dtype == polars.String


def test_pandas():
    pandas = pytest.importorskip("pandas")
    data = pandas.Series(["5 €", "6"], dtype="str")
    assert column(arrow.encode(data, "windows-1252")).to_pylist() == [b"5 \x80", b"6"]


@pytest.mark.parametrize("encoding", [encoding.name for encoding in utfall.encodings() if encoding.name != "replacement"])
def test_every_encoding(encoding):
    """Rows are independent: of their neighbours, and of errors in them."""
    rows = [utfall.encode(word, encoding, "ignore") for word in ("Größe", "", "日本", "\ufeffa", "Привет", "é+-&", "x" * 50, "日本")]
    rows = [*rows, b"\xff\xfe\xfd\x80+", *rows]
    for errors in ("null", "replace", "ignore"):
        expected = []
        for row in rows:
            try:
                expected.append(utfall.decode(row, encoding, "strict" if errors == "null" else errors))
            except UnicodeError:
                expected.append(None)
        assert column(arrow.decode(pyarrow.array(rows), encoding, errors)).to_pylist() == expected
    words = ["Größe", "", "日本", None, "Привет"] * 2
    encoded = column(arrow.encode(pyarrow.array(words), encoding, "replace")).to_pylist()
    assert encoded == [word if word is None else utfall.transcode(word.encode(), "UTF-8", encoding, "replace") for word in words]
