"""decode, encode, transcode, is_valid, problems, and the exceptions."""

import array
import copy
import mmap
import os
import pickle
import subprocess
import sys
import threading
import time

import pytest

import utfall

TEXTS = ["", "a", "Grüße", "Привет", "日本語テキスト", "Hello 😀", "\ufeffa", "ﷺ", "a\0b", "\u07ff\u0800\uffff\U00010000\U0010ffff"]
# Lengths on both sides of those at which another way is taken.
SIZES = [1, 7, 60, 511, 512, 600, 5000, 40000]
UNICODE = ["UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE", "UTF-7", "WTF-8", "CESU-8", "MUTF-8",
           "UTF-1", "UTF-EBCDIC", "SCSU", "BOCU-1", "UTF-7-IMAP", "UTF-8/RFC2279"]
# Encodings that CPython has with the same meaning.
SAME = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "latin-1", "ascii", "iso8859-2", "iso8859-5", "iso8859-15",
        "koi8-r", "koi8-t", "cp437", "cp850", "cp866", "cp874", "cp1125", "cp1140", "cp1256", "hp-roman8"]


@pytest.mark.parametrize("encoding", UNICODE)
@pytest.mark.parametrize("text", TEXTS)
def test_texts_come_back(encoding, text):
    for size in SIZES:
        long = text * size
        # A BOM at the start decides the byte order.
        if encoding in ("UTF-16", "UTF-32"):
            assert utfall.encode(long, encoding)[:2] in (b"", b"\xfe\xff", b"\0\0")
        assert utfall.decode(utfall.encode(long, encoding), encoding) == long
        assert utfall.is_valid(utfall.encode(long, encoding), encoding)


@pytest.mark.parametrize("encoding", SAME)
@pytest.mark.parametrize("size", SIZES)
def test_results_are_those_of_cpython(encoding, size):
    for text in TEXTS:
        long = text * size
        try:
            expected = long.encode(encoding)
        except UnicodeEncodeError as error:
            with pytest.raises(utfall.EncodeError) as raised:
                utfall.encode(long, encoding)
            assert raised.value.start == error.start
            continue
        assert utfall.encode(long, encoding) == expected
        assert utfall.decode(expected, encoding) == long
        for width in (1, 2, 3):
            damaged = expected[:-width] + b"\xff\xd8\x80"
            try:
                decoded = damaged.decode(encoding)
            except UnicodeDecodeError as error:
                with pytest.raises(utfall.DecodeError) as found:
                    utfall.decode(damaged, encoding)
                assert (found.value.start, found.value.object) == (error.start, damaged)
            else:
                assert utfall.decode(damaged, encoding) == decoded


@pytest.mark.parametrize("character", ["é", "Ω", "\u7fff", "\u8000", "\ud7ff", "\ue000", "\uffff", "😀"])
def test_every_width_of_str(character):
    """The largest character determines the internal form, wherever it is."""
    for size in (600, 40_000):
        for place in (0, size // 2, size - 1):
            text = "a" * place + character + "b" * (size - place - 1)
            for encoding in ("UTF-8", "UTF-7", "UTF-16", "UTF-32LE", "SCSU"):
                assert utfall.decode(utfall.encode(text, encoding), encoding) == text
            assert utfall.encode(text, "UTF-8") == text.encode()
            assert utfall.decode(text.encode(), "UTF-8") == text


def test_lone_surrogates_are_kept_where_the_encoding_has_them():
    for text in ("\ud800", "a\udfffb" * 400, "\udc00\ud800"):
        for encoding in ("WTF-8", "MUTF-8", "UCS-4LE"):
            assert utfall.decode(utfall.encode(text, encoding), encoding) == text
        for encoding in ("UTF-8", "UTF-16", "UTF-32", "UTF-7", "SCSU", "latin1"):
            with pytest.raises(utfall.EncodeError) as raised:
                utfall.encode(text, encoding)
            assert raised.value.start == min(place for place, c in enumerate(text) if "\ud800" <= c <= "\udfff")


def test_values_that_no_str_has():
    data = b"a\xf4\x90\x80\x80b"
    with pytest.raises(utfall.DecodeError) as raised:
        utfall.decode(data, "UTF-8/RFC2279")
    assert (raised.value.start, raised.value.end) == (1, 5)
    assert utfall.decode(data, "UTF-8/RFC2279", "replace") == "a\ufffdb"


@pytest.mark.parametrize("size", [3, 100_000])
def test_any_buffer(size, tmp_path):
    data = ("é" * size).encode()
    path = tmp_path / "text"
    path.write_bytes(data)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for buffer in (bytearray(data), memoryview(data), array.array("b", data), memoryview(array.array("H", data)), mapped):
            assert utfall.decode(buffer) == "é" * size
            assert utfall.is_valid(buffer)
            assert utfall.transcode(buffer, "UTF-8", "latin1") == b"\xe9" * size
    assert utfall.decode(memoryview(b"xaybzc")[1:4]) == "ayb"
    with pytest.raises(BufferError):
        utfall.decode(memoryview(b"xaybzc")[::2])
    for wrong in ("text", 5, None, [1]):
        with pytest.raises(TypeError):
            utfall.decode(wrong)


def test_views_of_bytes():
    data = "é\n".encode() * 30_000
    view = memoryview(data)[2:]
    assert utfall.decode(view) == data[2:].decode()
    with pytest.raises(utfall.DecodeError) as raised:
        utfall.decode(memoryview(data)[1:7])
    assert (raised.value.object, raised.value.start) == (data[1:7], 0)
    assert utfall.decode(memoryview(b"")) == "" == utfall.decode(bytearray())
    # One byte after another, wherever the memory starts.
    for start in range(9):
        changing = memoryview(bytearray(range(128)) * 1000)[start:]
        assert utfall.decode(changing, "ascii") == bytes(changing).decode("ascii")


def test_a_bom_inside_and_at_the_start():
    """It is text, where a kernel takes over as well."""
    for length in (0, 1, 20, 600, 8_191, 8_192, 9_000, 40_000):
        for text in ("\ufeff" + "字" * length, "字" * length + "\ufeff", "\ufeff" + "a" * length):
            data = utfall.encode(text, "GB18030")
            assert data == text.encode("gb18030")
            assert utfall.decode(data, "GB18030") == text


def test_result_is_the_argument_if_nothing_changes():
    data = b"plain text" * 10
    assert utfall.transcode(data, "windows-1252", "UTF-8") is data
    assert utfall.transcode(bytearray(data), "windows-1252", "UTF-8") == data


def test_transcode_changes_text():
    assert utfall.transcode(b"a\r\nb\rc", "UTF-8", newline="lf") == b"a\nb\nc"
    assert utfall.transcode("e\u0301".encode(), "UTF-8", "latin1", normalize="NFC") == b"\xe9"
    assert utfall.transcode("5 €".encode(), "UTF-8", "latin1", transliterate=True) == b"5 EUR"
    assert utfall.transcode("5 €".encode(), "UTF-8", "latin1", "replace") == b"5 ?"
    assert utfall.transcode(b"a", "UTF-8", "UTF-16LE", bom="add") == b"\xff\xfea\0"
    assert utfall.transcode("Größe, Maß und Übermut".encode("utf-16"), "detect") == "Größe, Maß und Übermut".encode()
    for wrong in ({"newline": "x"}, {"normalize": "x"}, {"bom": "x"}, {"utf7": "x"}, {"errors": "namereplace"}):
        with pytest.raises(ValueError):
            utfall.transcode(b"", "UTF-8", "UTF-8", **wrong)


def test_transcode_errors():
    with pytest.raises(utfall.DecodeError) as raised:
        utfall.transcode(b"a\nb\xff", "UTF-8", "UTF-16")
    error = raised.value
    assert (error.offset, error.start, error.line, error.column) == (3, 3, 2, 2)
    with pytest.raises(utfall.EncodeError) as lacked:
        utfall.transcode("a\nbé€".encode(), "UTF-8", "latin1")
    assert (lacked.value.object, lacked.value.offset, lacked.value.line, lacked.value.column) == ("€", 5, 2, 3)
    assert "at byte 5 (line 2, column 3)" in str(lacked.value)
    assert str(pickle.loads(pickle.dumps(lacked.value))) == str(lacked.value)
    with pytest.raises(utfall.DecodeError) as changed:
        utfall.transcode(b"a\r\nb\xff", "UTF-8", "UTF-16", newline="lf")
    assert (changed.value.offset, changed.value.line) == (4, 2)


def test_unknown_names():
    with pytest.raises(LookupError, match='unknown encoding "utf-9"; did you mean "UTF-8"'):
        utfall.decode(b"", "utf-9")
    with pytest.raises(LookupError, match="unknown error handler name 'nonesuch'"):
        utfall.decode(b"", "UTF-8", "nonesuch")
    with pytest.raises(ValueError, match="expected auto, keep, strip or add"):
        utfall.decode(b"", "UTF-8", bom="none")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        utfall.decode(b"", "UTF-8", 5)


def test_detect_as_an_encoding():
    text = "„Größe“ und Maß: über Köln – schön, nicht wahr?\n"
    assert utfall.decode(text.encode("cp1252"), "detect") == text
    with pytest.raises(utfall.DetectError, match="cannot tell the encoding of the text"):
        utfall.decode(b"\xe9", "detect")


def test_errors_say_where_and_why():
    data = "erste Zeile\nzweite ".encode() + b"\xc3\x28 and more"
    with pytest.raises(UnicodeDecodeError) as raised:
        utfall.decode(data)
    error = raised.value
    assert isinstance(error, utfall.DecodeError)
    assert (error.encoding, error.object, error.start, error.end) == ("UTF-8", data, 19, 20)
    assert (error.offset, error.line, error.column, error.kind) == (19, 2, 8, "missing-trail")
    assert error.clause.startswith("RFC 3629")
    assert str(error).startswith("incomplete sequence in UTF-8 at byte 19 (line 2, column 8): C3")
    for same in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (str(same), same.kind, same.clause) == (str(error), error.kind, error.clause)


def test_hint():
    data = "„Größe“ und Maß: über Köln – schön, nicht wahr?\n".encode("cp1252")
    with pytest.raises(utfall.DecodeError) as raised:
        utfall.decode(data)
    assert raised.value.hint is not None
    assert raised.value.hint.startswith("this looks like windows-1252 (")
    assert str(raised.value).endswith(': try encoding="windows-1252"')
    with pytest.raises(utfall.DecodeError) as other:
        utfall.decode(b"\xff")
    assert other.value.hint is None


def test_encode_errors_say_where_and_why():
    with pytest.raises(UnicodeEncodeError) as raised:
        utfall.encode("eins\nzwei € drei", "latin1")
    error = raised.value
    assert isinstance(error, utfall.EncodeError)
    assert (error.encoding, error.start, error.end, error.line, error.column) == ("ISO-8859-1", 10, 11, 2, 6)
    assert "at character 10 (line 2, column 6)" in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_problems():
    found = utfall.problems(b"a\xff\nb\xc3")
    assert [(p.offset, p.length, p.line, p.column, p.kind) for p in found] == [
        (1, 1, 1, 2, "invalid-byte"),
        (4, 1, 2, 2, "truncated"),
    ]
    assert utfall.problems(b"a\xff\nb\xc3", limit=1) == found[:1]
    assert utfall.problems("é".encode()) == []


def test_options():
    assert utfall.decode(b"\xef\xbb\xbfa", bom="strip") == "a"
    assert utfall.decode(b"\xef\xbb\xbfa") == "\ufeffa"
    assert utfall.decode(b"\xf0\x9f\x98", errors="replace", granularity="per-byte") == "\ufffd" * 3
    assert utfall.decode(b"\xf0\x9f\x98", errors="replace", replacement="<?>") == "<?>"
    assert utfall.decode(b"~x", "UTF-7", utf7_allow="backslash-tilde") == "~x"
    assert utfall.encode("a", bom="add") == b"\xef\xbb\xbfa"
    assert utfall.encode("€", "ascii", "replace", substitute="EUR") == b"EUR"
    assert utfall.encode("é", "ascii", "replace") == b"?"
    assert utfall.encode("a&b", "UTF-7", utf7="header") == b"a+ACY-b"


def test_double_mappings():
    """The wave dash is U+301C for JIS, and U+FF5E for the web."""
    jis, web = "\u301c", "\uff5e"
    assert utfall.decode(b"\x81\x60", "Shift_JIS") == web
    assert utfall.decode(b"\x81\x60", "Shift_JIS", double_mappings="jis") == jis
    assert utfall.decode(b"\x81\x60" * 600, "Shift_JIS", double_mappings="jis") == jis * 600
    assert utfall.Decoder("Shift_JIS", double_mappings="jis").decode(b"\x81\x60") == jis
    with pytest.raises(utfall.EncodeError):
        utfall.encode(jis, "Shift_JIS")
    for rule in ("either", "jis", "microsoft"):
        assert utfall.encode(jis + web, "Shift_JIS", double_mappings=rule) == b"\x81\x60" * 2
        assert utfall.Encoder("Shift_JIS", double_mappings=rule).encode(jis + web) == b"\x81\x60" * 2
    assert utfall.encode("¥", "Shift_JIS") == b"\\"
    with pytest.raises(utfall.EncodeError):
        utfall.encode("¥", "Shift_JIS", double_mappings="round-trip")
    assert utfall.transcode(b"\x81\x60", "Shift_JIS", double_mappings="jis") == jis.encode()
    transcoder = utfall.Transcoder("UTF-8", "EUC-JP", double_mappings="either")
    assert transcoder.transcode(jis.encode(), True) == b"\xa1\xc1"
    message = "double-mappings: unknown value \"x\"; expected table, round-trip, either, jis or microsoft"
    with pytest.raises(ValueError, match=message):
        utfall.decode(b"", "Shift_JIS", double_mappings="x")  # type: ignore[arg-type]


def test_jis_x_0212():
    character, data = "丂", b"\x8f\xb0\xa1"
    assert utfall.decode(data, "EUC-JP") == character
    with pytest.raises(utfall.EncodeError):
        utfall.encode(character, "EUC-JP", jis_x_0212="read")
    assert utfall.encode(character * 600, "EUC-JP", jis_x_0212="write") == data * 600
    assert utfall.Encoder("EUC-JP", jis_x_0212="write").encode(character) == data
    assert utfall.transcode(character.encode(), "UTF-8", "EUC-JP", jis_x_0212="write") == data
    assert utfall.Transcoder("UTF-8", "EUC-JP", jis_x_0212="write").transcode(character.encode(), True) == data
    with pytest.raises(ValueError, match="expected read or write"):
        utfall.encode("", "EUC-JP", jis_x_0212="x")  # type: ignore[arg-type]


def test_other_threads_run_during_a_long_conversion():
    # SCSU has no kernels, so this takes long.
    data = utfall.encode("Привет, мир! " * 40_000, "SCSU") * 20

    def runs() -> bool:
        go, times = threading.Event(), []

        def run() -> None:
            go.wait()
            times.append(time.perf_counter())

        thread = threading.Thread(target=run)
        thread.start()
        time.sleep(0.1)
        go.set()
        utfall.is_valid(data, "SCSU")
        end = time.perf_counter()
        thread.join()
        return times[0] < end

    interval = sys.getswitchinterval()
    # A thread that does not release the GIL keeps it for this long.
    sys.setswitchinterval(1000)
    try:
        # The machine may be busy.
        assert any(runs() for _ in range(10))
    finally:
        sys.setswitchinterval(interval)


# Encodings that have lone surrogates.
SURROGATES = ("WTF-8", "MUTF-8", "CESU-8", "UTF-8/Perl", "UTF-8/RFC2044", "UTF-8/RFC2279", "ISO-10646-UCS-4", "UCS-4LE", "UCS-4BE",
              "ISO-10646-UCS-2", "UCS-2LE", "UCS-2BE", "UNICODE-1-1", "UNICODE-2-0")

ALL = [encoding.name for encoding in utfall.encodings() if encoding.name != "replacement"]


@pytest.mark.parametrize("encoding", ALL)
def test_long_texts_are_converted_as_in_pieces(encoding):
    """Long texts take other ways than streams."""
    every = "".join(chr(point) for point in range(1, 0xFFFF) if not 0xD800 <= point <= 0xDFFF and point != 0xFEFF) + "😀"
    text = utfall.decode(utfall.encode(every, encoding, "ignore"), encoding)
    for part in (text, text[:3000], "é" * 3000, "Ж" * 3000, "漢" * 3000):
        data = utfall.Encoder(encoding, "ignore").encode(part, True)
        part = utfall.Decoder(encoding).decode(data, True)
        assert utfall.encode(part, encoding) == utfall.Encoder(encoding).encode(part, True)
        assert utfall.decode(data, encoding) == part
    if encoding not in ("UTF-7-IMAP",):
        # Some charsets lack the letters of US-ASCII.
        damaged = utfall.encode("ab" * 2000, encoding, "ignore") + bytes(range(128, 256)) * 20
        assert utfall.decode(damaged, encoding, "replace") == utfall.Decoder(encoding, "replace").decode(damaged, True)
    with pytest.raises(utfall.EncodeError):
        utfall.encode("é" * 3000 + "\ud800" + "é", encoding if encoding not in SURROGATES else "UTF-8")


SCRIPTS = ["Größe, déjà vu ", "Съешь же ещё ", "いろはにほへと漢字 ", "我能吞下玻璃而不伤身体。", "Good morning 😀 ", "𠀀𠀁𠀂字", "aéЖ漢😀"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_utf8_and_utf7_of_all_lengths(script):
    """Lengths around those at which other ways begin, and memory that is used again."""
    lengths = (0, 1, 511, 512, 513, 8_191, 8_192, 8_193, 20_000, 87_000, 262_144, 400_000, 600)
    for length in lengths:
        text = (script * (length // len(script) + 1))[:length]
        data = text.encode()
        assert utfall.encode(text) == data
        assert utfall.decode(data) == text
        assert utfall.decode(utfall.encode(text, "UTF-7"), "UTF-7") == text
        assert utfall.encode(text, "UTF-7").decode("utf-7") == text
        if length:
            with pytest.raises(utfall.EncodeError):
                utfall.encode(text + "\ud800")
            with pytest.raises(utfall.DecodeError):
                utfall.decode(data + b"\xff")
    text = "\ufeff" + script * 100
    assert utfall.encode(text) == text.encode()
    assert utfall.encode(text, "UTF-7").decode("utf-7") == text


PROGRAM = """
import utfall
for script in %r:
    for length in (1, 100, 255, 256, 300, 511, 512, 600, 8_193, 90_000):
        text = (script * (length // len(script) + 1))[:length]
        for encoding, codec in %r:
            try:
                data = text.encode(codec)
            except UnicodeEncodeError as error:
                try:
                    utfall.encode(text, encoding)
                except UnicodeEncodeError as same:
                    assert same.start == error.start
                    continue
                raise AssertionError((encoding, script, length))
            assert utfall.encode(text, encoding) == data, (encoding, script, length)
            assert utfall.decode(data, encoding) == text, (encoding, script, length)
        for encoding in ("UTF-7", "SCSU", "UTF-16", "UTF-32"):
            assert utfall.decode(utfall.encode(text, encoding), encoding) == text
        for codec in ("utf-16", "utf-32"):
            for order in ("-le", "-be"):
                data = ("\\ufeff" + text).encode(codec + order)
                assert utfall.decode(data, codec) == text
                assert not utfall.is_valid(data + b"a", codec)
                for damage in (b"a", "\\ud800".encode(codec + order, "surrogatepass")):
                    try:
                        utfall.decode(data + damage, codec)
                    except UnicodeDecodeError:
                        continue
                    raise AssertionError((codec, order, damage))
"""


@pytest.mark.parametrize("abi", ["stable", "known"])
def test_str_in_memory(abi):
    """The way through the stable ABI, and the one through the memory of a str, give the same."""
    pairs = [(codec, codec) for codec in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "latin-1", "cp1251")]
    pairs += [("windows-1252", "cp1252"), ("GB18030", "gb18030"), ("EUC-KR", "cp949")]
    scripts = [*SCRIPTS, "plain text ", "naïve", "\ufffd\ue000字", "\U0010ffffa"]
    program = PROGRAM % (scripts, pairs)
    subprocess.run([sys.executable, "-c", program], check=True, env=os.environ | {"UTFALL_PYTHON_ABI": abi})


def test_subclasses_of_str():
    """CPython has their characters elsewhere."""

    class Text(str):
        pass

    for text in ("plain ", *SCRIPTS):
        for size in (1, 30, 3_000):
            for encoding in ("UTF-8", "UTF-16LE", "UTF-7", "GB18030"):
                assert utfall.encode(Text(text * size), encoding) == utfall.encode(text * size, encoding)


def test_threads_do_not_share_memory():
    texts = [script * (5_000 + 100 * index) for index, script in enumerate(SCRIPTS)]
    failed = []

    def run(text: str) -> None:
        for _ in range(30):
            if utfall.decode(utfall.encode(text)) != text:
                failed.append(text[:10])

    threads = [threading.Thread(target=run, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
