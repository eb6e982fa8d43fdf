"""The codecs, tested in the patterns of CPython's own tests of codecs."""

import codecs
import io
import time
from random import Random

import pytest

import utfall
import utfall.codecs

ALL = [encoding.name for encoding in utfall.encodings() if encoding.name not in ("replacement",)]
TEXT = "Hallo,\nGrüße aus Köln!\r\nПривет, мир\n日本語テキスト\n한국어 ☺ 😀\n+-&~\\ Ende"
# Pairs of a codec of CPython and one of utfall with the same meaning.
UNICODE = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
CHARSETS = ["latin-1", "ascii", "cp037", "cp437", "cp500", "cp737", "cp775", "cp850", "cp852", "cp855", "cp857", "cp858", "cp860",
            "cp861", "cp862", "cp863", "cp864", "cp865", "cp866", "cp869", "cp874", "cp1125", "cp1140", "cp1256", "hp-roman8",
            "iso8859-2", "iso8859-3", "iso8859-4", "iso8859-5", "iso8859-6", "iso8859-7", "iso8859-8", "iso8859-10", "iso8859-13",
            "iso8859-14", "iso8859-15", "iso8859-16", "koi8-r", "koi8-t", "kz1048", "ptcp154"]
SAME = UNICODE + CHARSETS
DECODE_HANDLERS = ["strict", "ignore", "replace", "backslashreplace", "surrogateescape", "surrogatepass"]
ENCODE_HANDLERS = [*DECODE_HANDLERS, "xmlcharrefreplace", "namereplace"]


@pytest.fixture(autouse=True)
def _registered():
    utfall.codecs.register()
    yield
    utfall.codecs.unregister()


def sample(encoding):
    """The part of the text that an encoding has."""
    return utfall.decode(utfall.encode(TEXT, encoding, "ignore"), encoding)


@pytest.mark.parametrize("encoding", ALL)
class TestEveryCodec:
    def test_whole(self, encoding):
        text = sample(encoding)
        data = text.encode(f"utfall:{encoding}")
        assert data.decode(f"utfall:{encoding}") == text
        assert codecs.lookup(f"utfall:{encoding}").decode(memoryview(data)) == (text, len(data))
        assert codecs.lookup(f"utfall:{encoding}").encode(text) == (data, len(text))

    def test_byte_at_a_time(self, encoding):
        text = sample(encoding)
        data = utfall.encode(text, encoding)
        decoder = codecs.getincrementaldecoder(f"utfall:{encoding}")()
        for _ in range(2):
            parts = [decoder.decode(data[place : place + 1]) for place in range(len(data))]
            assert "".join(parts) + decoder.decode(b"", True) == text
            decoder.reset()

    def test_character_at_a_time(self, encoding):
        text = sample(encoding)
        encoder = codecs.getincrementalencoder(f"utfall:{encoding}")()
        for _ in range(2):
            data = b"".join(map(encoder.encode, text)) + encoder.encode("", True)
            assert utfall.decode(data, encoding) == text
            encoder.reset()

    def test_iterdecode_and_iterencode(self, encoding):
        text, name = sample(encoding), f"utfall:{encoding}"
        data = b"".join(codecs.iterencode(text, name))
        assert "".join(codecs.iterdecode((bytes([byte]) for byte in data), name)) == text

    def test_state_of_decoder(self, encoding):
        """A new decoder continues from the state of another, at every place."""
        text = sample(encoding)
        data = utfall.encode(text, encoding)
        for place in range(len(data) + 1):
            first = codecs.getincrementaldecoder(f"utfall:{encoding}")()
            begun = first.decode(data[:place])
            state = first.getstate()
            assert isinstance(state[0], bytes) and 0 <= state[1] < 2**31
            second = codecs.getincrementaldecoder(f"utfall:{encoding}")()
            second.setstate(state)
            assert begun + second.decode(data[place:], True) == text
            # As io.TextIOWrapper does: the bytes of the state are read again.
            third = codecs.getincrementaldecoder(f"utfall:{encoding}")()
            third.setstate((b"", state[1]))
            assert begun + third.decode(state[0] + data[place:], True) == text

    def test_state_of_encoder(self, encoding):
        text = sample(encoding)
        for place in range(len(text) + 1):
            first = codecs.getincrementalencoder(f"utfall:{encoding}")()
            begun = first.encode(text[:place])
            second = codecs.getincrementalencoder(f"utfall:{encoding}")()
            second.setstate(first.getstate())
            assert utfall.decode(begun + second.encode(text[place:], True), encoding) == text

    def test_tell_and_seek(self, encoding):
        text = sample(encoding)
        raw = io.BytesIO(utfall.encode(text, encoding))
        file = io.TextIOWrapper(raw, f"utfall:{encoding}", newline="")
        # Small pieces, so that they end inside of characters and shifts.
        file._CHUNK_SIZE = 5
        places, read = [], ""
        while True:
            places.append((file.tell(), len(read)))
            character = file.read(1)
            if not character:
                break
            read += character
        assert read == text
        for cookie, length in reversed(places):
            file.seek(cookie)
            assert file.read(3) == text[length : length + 3]
            file.seek(cookie)
            assert file.read() == text[length:]

    def test_stream_reader(self, encoding):
        text, name = sample(encoding), f"utfall:{encoding}"
        data = utfall.encode(text, encoding)
        lines = text.splitlines(keepends=True)
        assert list(codecs.getreader(name)(io.BytesIO(data))) == lines
        assert codecs.getreader(name)(io.BytesIO(data)).read() == text
        reader = codecs.getreader(name)(io.BytesIO(data))
        parts = []
        while part := reader.read(1, 1):
            parts.append(part)
        assert "".join(parts) == text
        reader.seek(0)
        assert reader.readline() == lines[0]

    def test_stream_writer(self, encoding):
        text, name = sample(encoding), f"utfall:{encoding}"
        out = io.BytesIO()
        writer = codecs.getwriter(name)(out)
        writer.writelines(text.splitlines(keepends=True))
        writer.reset()
        assert utfall.decode(out.getvalue(), encoding) == text

    def test_file(self, encoding, tmp_path):
        text = sample(encoding)
        path = tmp_path / "file"
        with open(path, "w", encoding=f"utfall:{encoding}", newline="") as file:
            for character in text:
                file.write(character)
        if encoding != "UTF-7-IMAP":
            with open(path, encoding=f"utfall:{encoding}", newline="") as file:
                assert file.read() == text


@pytest.mark.parametrize("encoding", ["UTF-16", "UTF-32", "UCS-2", "UCS-4"])
def test_appended_text_has_one_bom(encoding, tmp_path):
    path = tmp_path / "file"
    for line in ("eins\n", "zwei\n", "drei\n"):
        with open(path, "a", encoding=f"utfall:{encoding}", newline="") as file:
            file.write(line)
    assert path.read_bytes() == utfall.encode("eins\nzwei\ndrei\n", encoding)
    with open(path, "r+", encoding=f"utfall:{encoding}", newline="") as file:
        file.write("EINS")
    assert path.read_text(encoding=f"utfall:{encoding}") == "EINS\nzwei\ndrei\n"


@pytest.mark.parametrize("order", ["le", "be"])
def test_byte_order_is_part_of_the_state(order):
    bom = codecs.BOM_UTF16_LE if order == "le" else codecs.BOM_UTF16_BE
    data = bom + "日本語\ufeff!".encode(f"utf-16-{order}")
    file = io.TextIOWrapper(io.BytesIO(data), "utfall:utf-16")
    assert file.read(2) == "日本"
    place = file.tell()
    assert file.read() == "語\ufeff!"
    file.seek(place)
    assert file.read() == "語\ufeff!"


@pytest.mark.parametrize("encoding", ["SCSU", "Shift_JIS", "UTF-7", "BOCU-1", "GB18030"])
@pytest.mark.parametrize("end", ["\n", " "])
def test_a_large_state_is_kept_in_the_decoder(encoding, end):
    """SCSU never returns to a known state, others after a line end."""
    text = "".join(f"Строка {number} 漢字{end}" for number in range(2_000)) + "\nnext line\n" + "x" * 3000
    data = utfall.encode(text, encoding)
    assert len(data) > 20_000
    file = io.TextIOWrapper(io.BytesIO(data), f"utfall:{encoding}")
    places, read = [], 0
    while True:
        if len(places) % 30 == 0:
            places.append((file.tell(), read))
        else:
            places.append(None)
        part = file.read(251)
        if not part:
            break
        read += len(part)
    assert read == len(text)
    for _ in range(2):
        for cookie, length in filter(None, places):
            file.seek(cookie)
            assert file.read(20) == text[length : length + 20]


def outcome(function, *args):
    """The result, or the part of the exception that handlers see."""
    try:
        return function(*args)
    except UnicodeError as error:
        return (error.start, error.end)
    except Exception as error:
        return type(error)


DAMAGED = [b"", b"a", b"\xff", b"a\x80b", b"\xc3", b"\xe2\x82", b"\xe2\x82a", b"\xed\xa0\x80", b"\xed\xa0\x80\xed\xb0\x80", b"\xf0\x9f\x98",
           b"\xc0\xae\xff\xfe", b"\x00\xd8", b"\x00\xd8a\x00", b"\xd8\x00\x00a", b"\x00\xdc\x00\xd8", b"abc", b"\x00\xd8\x00\x00", b"\x00\x00\xd8\x00",
           b"\xff\xff\xff\xff", b"\x00\x00\x11\x00", b"\xe9\xa4\x81" * 3, bytes(range(256))]


@pytest.mark.parametrize("encoding", SAME)
@pytest.mark.parametrize("handler", DECODE_HANDLERS)
def test_handlers_decode_as_in_cpython(encoding, handler):
    for data in [*DAMAGED, b"".join(DAMAGED), b"ok " * 500 + b"\xff\xd8" * 3 + b" end"]:
        for name in (encoding, f"utfall:{encoding}"):
            codecs.lookup(name)
        expected = outcome(codecs.decode, data, encoding, handler)
        assert outcome(codecs.decode, data, f"utfall:{encoding}", handler) == expected, data
        pieces = [data[place : place + 1] for place in range(len(data))]
        if not isinstance(expected, str):
            continue
        decoder = codecs.getincrementaldecoder(f"utfall:{encoding}")(handler)
        assert "".join(map(decoder.decode, pieces)) + decoder.decode(b"", True) == expected, data


STRANGE = ["", "a", "é€😀", "\ud800", "a\udc80b", "\udcff\udc80", "\ud83d\ude00", "日本\ud800語" * 5, "Ωé" * 300 + "\udfff", "\x80\x9f\xff"]


@pytest.mark.parametrize("encoding", SAME)
@pytest.mark.parametrize("handler", ENCODE_HANDLERS)
def test_handlers_encode_as_in_cpython(encoding, handler):
    for text in STRANGE:
        expected = outcome(codecs.encode, text, encoding, handler)
        found = outcome(codecs.encode, text, f"utfall:{encoding}", handler)
        if isinstance(expected, tuple):
            # Only the start: CPython's codecs differ in where a run of such characters ends.
            expected, found = expected[0], found[0]
        assert found == expected, text


def test_handlers_of_users():
    seen = []

    def hexadecimal(error):
        seen.append((error.start, error.end, type(error)))
        if isinstance(error, UnicodeDecodeError):
            return error.object[error.start : error.end].hex(), error.end
        return "?" * (error.end - error.start), error.end

    codecs.register_error("test.utfall.hex", hexadecimal)
    assert b"a\xffb\xc3".decode("utfall:utf-8", "test.utfall.hex") == "affbc3"
    assert "a日本b€".encode("utfall:latin-1", "test.utfall.hex") == b"a??b?"
    assert [(start, end) for start, end, _ in seen] == [(1, 2), (3, 4), (1, 3), (4, 5)]
    assert utfall.decode(b"a\xff", errors=hexadecimal) == "aff"
    assert utfall.encode("€", "ascii", hexadecimal) == b"?"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-32-be", "ascii"])
def test_handlers_continue_anywhere(encoding):
    for step in (-100, -2, -1, 0, 1, 2, 3, 100):
        calls = []

        def handler(error):
            calls.append(error.start)
            if len(calls) > 20:
                raise RuntimeError
            return "<>", error.end + step if step < 90 and step > -90 else step

        for data in (b"abc\xff\xd8\xff\xffdef!", b"\xff\xdf\xff\xdf" * 3):
            expected, before = outcome(codecs.decode, data, encoding, _named(handler)), list(calls)
            calls.clear()
            assert outcome(codecs.decode, data, f"utfall:{encoding}", _named(handler)) == expected
            assert calls == before
            calls.clear()


def _named(handler):
    codecs.register_error("test.utfall.step", handler)
    return "test.utfall.step"


@pytest.mark.parametrize("result", [None, 5, "x", ("x",), (5, 1), ("x", "y"), (b"x", 1), ("x", 1, 2)])
def test_wrong_results_of_handlers(result):
    with pytest.raises(TypeError, match=r"decoding error handler must return \(str, int\) tuple"):
        utfall.decode(b"\xff", errors=lambda error: result)
    if result != (b"x", 1):
        with pytest.raises(TypeError, match=r"encoding error handler must return \(str/bytes, int\) tuple"):
            utfall.encode("\ud800", errors=lambda error: result)


def test_places_out_of_bounds():
    for place in (10, -10):
        with pytest.raises(IndexError, match=f"position {place} from error handler out of bounds"):
            utfall.decode(b"\xff", errors=lambda error: ("x", place))


def test_a_handler_may_use_the_decoder():
    def handler(error):
        assert decoder.decode(b"x") == "x"
        return decoder.encoding, error.end

    decoder = utfall.Decoder("UTF-8", handler)
    assert decoder.decode(b"a\xffb") == "aUTF-8b"
    encoder = utfall.Encoder("latin1", lambda error: (encoder.encode("y").decode(), error.end))
    assert encoder.encode("a€b") == b"ayb"


def test_an_exception_leaves_the_state():
    decoder = utfall.Decoder("UTF-8")
    assert decoder.decode("日".encode()[:2]) == ""
    for _ in range(2):
        with pytest.raises(utfall.DecodeError) as raised:
            decoder.decode(b"x")
        assert (raised.value.object, raised.value.start, raised.value.end) == ("日".encode()[:2] + b"x", 0, 2)
    assert decoder.decode("日".encode()[2:]) == "日"
    encoder = utfall.Encoder("UTF-16")
    assert encoder.encode("a") == b"\xfe\xff\0a"
    with pytest.raises(utfall.EncodeError):
        encoder.encode("b\ud800")
    assert encoder.encode("c") == b"\0c"


def test_places_in_a_stream():
    decoder = utfall.Decoder("UTF-8")
    assert decoder.decode(b"one\ntw\xc3") == "one\ntw"
    with pytest.raises(utfall.DecodeError) as raised:
        decoder.decode(b"(")
    error = raised.value
    assert (error.offset, error.start, error.line, error.column, error.object) == (6, 0, 2, 3, b"\xc3(")
    transcoder = utfall.Transcoder("UTF-8", "latin1")
    assert transcoder.transcode("é\n".encode()) == b"\xe9\n"
    with pytest.raises(utfall.EncodeError) as lacked:
        transcoder.transcode("a€".encode())
    assert (lacked.value.offset, lacked.value.line, lacked.value.column) == (4, 2, 2)
    assert transcoder.transcode(b"b", True) == b"b"


def test_every_split_gives_the_same():
    data = "a\u00e9\u65e5😀\n".encode() * 3 + b"\xff\xe2\x82" + "ü".encode()
    expected = utfall.transcode(data, "UTF-8", "UTF-7", "replace")
    for size in range(1, len(data)):
        transcoder = utfall.Transcoder("UTF-8", "UTF-7", "replace")
        parts = [transcoder.transcode(data[place : place + size]) for place in range(0, len(data), size)]
        assert b"".join(parts) + transcoder.transcode(b"", True) == expected


def test_names():
    with pytest.raises(LookupError):
        codecs.lookup("utfall:nonesuch")
    with pytest.raises(LookupError, match="did you mean"):
        utfall.codecs.lookup("utf-9")
    assert codecs.lookup("scsu").name == "utfall:scsu"
    assert codecs.lookup("utf-8").name == "utf-8"
    assert codecs.lookup("UTFALL:Shift_JIS").name == "utfall:shift_jis"
    utfall.codecs.unregister()
    with pytest.raises(LookupError):
        codecs.lookup("scsu")
    utfall.codecs.register()
    utfall.codecs.register()
    assert codecs.lookup("scsu").name == "utfall:scsu"


def test_signatures():
    assert "a".encode("utfall:utf-8-sig") == b"\xef\xbb\xbfa"
    assert b"\xef\xbb\xbfa".decode("utfall:utf-8-sig") == b"a".decode("utfall:utf-8-sig") == "a"
    assert b"\xff\xfea\0".decode("utfall:utf-16le-sig") == "a"
    with pytest.raises(LookupError):
        codecs.lookup("utfall:latin1-sig")


def test_nothing_is_registered_on_import():
    import subprocess
    import sys

    program = "import utfall, codecs\ntry: codecs.lookup('scsu')\nexcept LookupError: print('none')"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "none\n"


@pytest.mark.parametrize("encoding", SAME)
def test_random_bytes_as_in_cpython(encoding):
    """Every handler, whole and in pieces."""
    random = Random(encoding)
    units = [b"a", b"\x00", b"\xd8", b"\xdc", b"\xff", b"\x80", b"\xc3", b"\xed", b"\xa0", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\x00\x00\x01"]
    for _ in range(600):
        data = b"".join(random.choices(units, k=random.randrange(12)))
        handler = random.choice(DECODE_HANDLERS)
        expected = outcome(codecs.decode, data, encoding, handler)
        assert outcome(codecs.decode, data, f"utfall:{encoding}", handler) == expected, (data, handler)
        if isinstance(expected, str):
            decoder = codecs.getincrementaldecoder(f"utfall:{encoding}")(handler)
            cuts = sorted(random.randrange(len(data) + 1) for _ in range(3))
            pieces = [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)])]
            assert "".join(map(decoder.decode, pieces)) + decoder.decode(b"", True) == expected, (data, handler, cuts)


@pytest.mark.parametrize("encoding", SAME)
def test_random_text_as_in_cpython(encoding):
    random = Random(encoding)
    units = ["a", "\0", "é", "Ж", "日", "😀", "\ud800", "\udc80", "\udcff", "\x80", "\x9f", "¤"]
    for _ in range(600):
        text = "".join(random.choices(units, k=random.randrange(8)))
        handler = random.choice(ENCODE_HANDLERS)
        expected = outcome(codecs.encode, text, encoding, handler)
        found = outcome(codecs.encode, text, f"utfall:{encoding}", handler)
        if isinstance(expected, tuple):
            expected, found = expected[0], found[0]
        assert found == expected, (text, handler)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
def test_many_errors_take_linear_time(encoding):
    """Ten times the errors take ten times as long, not a hundred times."""

    def handler(error):
        return "?", error.end

    def seconds(count):
        data, text = b"a\xff" * count, "a\ud800" * count
        start = time.perf_counter()
        if encoding != "latin-1":
            assert len(utfall.decode(data, encoding, handler)) == 2 * count
        assert len(utfall.encode(text, encoding, handler)) == 2 * count
        return time.perf_counter() - start

    assert seconds(40_000) < 30 * min(seconds(4_000) for _ in range(3))


@pytest.mark.parametrize("encoding", CHARSETS)
def test_tables_are_those_of_cpython(encoding):
    data = bytes(range(256))
    decoded = data.decode(encoding, "replace")
    assert utfall.decode(data, encoding, "replace") == decoded
    for character in map(chr, [*range(0xD800), *range(0xE000, 0x10000)]):
        if character in decoded or character < "\u0100":
            assert outcome(utfall.encode, character, encoding, "ignore") == character.encode(encoding, "ignore"), character


#: Byte sequences for which the Encoding Standard has another character than CPython: that of Windows for JIS X 0208, ...
WINDOWS = {"\u301c": "\uff5e", "\u2016": "\u2225", "\u2212": "\uff0d", "¢": "\uffe0", "£": "\uffe1", "¬": "\uffe2"}
#: ... that of Microsoft's Big5, ...
MICROSOFT = {"\u2022": "\u2027", "\uff64": "\ufe51", "\u203e": "¯", "\u223c": "\uff5e", "\u2641": "\u2295", "\u2609": "\u2299"}
#: ... and that of GB 18030-2022, which has no private characters where Unicode has the character now.
PRIVATE = range(0xE000, 0xF900)

#: Our name, CPython's, whether both have the same characters (or ours more), and the differences.
EAST_ASIAN = [
    ("EUC-KR", "cp949", True, {}),
    ("GBK", "gbk", False, {}),
    ("GB18030", "gb18030", False, None),
    ("Shift_JIS", "shift_jis", False, WINDOWS),
    ("EUC-JP", "euc_jp", False, WINDOWS),
    ("Big5", "big5hkscs", False, None),
]


@pytest.mark.parametrize(("encoding", "codec", "is_same", "different"), EAST_ASIAN)
def test_east_asian_characters(encoding, codec, is_same, different):
    """Every sequence of one and two bytes that CPython decodes. The Encoding Standard has more."""
    found, more = {}, 0
    for data in [bytes([lead]) for lead in range(256)] + [bytes([lead, trail]) for lead in range(128, 256) for trail in range(256)]:
        theirs, ours = outcome(data.decode, codec), outcome(utfall.decode, data, encoding)
        if isinstance(theirs, str) and theirs != ours:
            found[theirs] = ours
        elif isinstance(ours, str):
            more += theirs != ours
    assert is_same == (more == 0)
    if different is not None:
        assert found == different
    elif encoding == "Big5":
        assert len(found) == 11 and MICROSOFT.items() <= found.items()
    else:
        assert len(found) == 20 and all(len(text) == 1 and ord(text) in PRIVATE for text in found)


SENTENCES = {"EUC-KR": "한국어 가나다 ", "GBK": "天地玄黄，宇宙洪荒。", "GB18030": "天地玄黄 é 😀", "Shift_JIS": "いろはにほへと漢字ｶﾅ", "EUC-JP": "いろはにほへと漢字",
             "Big5": "天地玄黃，宇宙洪荒。"}


@pytest.mark.parametrize(("encoding", "codec"), [(encoding, codec) for encoding, codec, _, _ in EAST_ASIAN])
@pytest.mark.parametrize("handler", ENCODE_HANDLERS)
def test_handlers_of_east_asian_charsets(encoding, codec, handler):
    """For sentences that both have, and characters and bytes that neither has."""
    sentence = SENTENCES[encoding]
    for lacking in ("", "\ud800", "\udcff", "\udc80\ud83d", "\u1e9b\u0ec0"):
        for text in (lacking, sentence + lacking + "end", (sentence * 300 + lacking) * 2):
            expected = outcome(codecs.encode, text, codec, handler)
            assert outcome(codecs.encode, text, f"utfall:{encoding}", handler) == expected
    if handler not in DECODE_HANDLERS:
        return
    data = sentence.encode(codec)
    for invalid in (b"", b"\xff", b"\xff\xff", data[:1] if data[0] > 127 else b"\xff"):
        for text in (data + invalid, data * 300 + invalid):
            expected = outcome(codecs.decode, text, codec, handler)
            assert outcome(codecs.decode, text, f"utfall:{encoding}", handler) == expected


@pytest.mark.parametrize("name", ["utf-16", "utf-32"])
@pytest.mark.parametrize("handler", ENCODE_HANDLERS)
def test_handlers_with_a_bom(name, handler):
    """A BOM decides the byte order in CPython, too. Ours writes big-endian text."""
    for order in ("le", "be"):
        bom = "\ufeff".encode(f"{name}-{order}")
        if handler not in DECODE_HANDLERS:
            continue
        for data in [*DAMAGED, "é€😀".encode(f"{name}-{order}") + b"\x00\xd8"]:
            expected = outcome(codecs.decode, bom + data, name, handler)
            assert outcome(codecs.decode, bom + data, f"utfall:{name}", handler) == expected, data
    for text in STRANGE[1:]:
        expected = outcome(codecs.encode, text, f"{name}-be", handler)
        found = outcome(codecs.encode, text, f"utfall:{name}", handler)
        if isinstance(expected, tuple):
            expected, found = expected[0], found[0]
        elif isinstance(expected, bytes) and expected:
            expected = "\ufeff".encode(f"{name}-be") + expected
            encoder = codecs.getincrementalencoder(f"utfall:{name}")(handler)
            assert b"".join(map(encoder.encode, text)) + encoder.encode("", True) == expected
            # CPython writes its own order.
            assert expected.decode(name, "surrogatepass") == codecs.encode(text, name, handler).decode(name, "surrogatepass")
        assert found == expected, text


@pytest.mark.parametrize("name", ["utf-16", "utf-32", "utf-8-sig", "utf-16le-sig"])
def test_bytes_of_handlers_come_after_the_bom(name):
    def handler(error):
        return "?".encode(error.encoding) * (error.end - error.start), error.end

    for text, same in (("\udc80", "?"), ("\udc80\udc81a", "??a"), ("a\udc80", "a?")):
        expected = same.encode(f"utfall:{name}")
        assert text.encode(f"utfall:{name}", _named(handler)) == expected
        encoder = codecs.getincrementalencoder(f"utfall:{name}")(_named(handler))
        pieces = [encoder.encode(text[:1]), encoder.encode(text[1:]), encoder.encode("", True)]
        assert b"".join(pieces) == expected


@pytest.mark.parametrize("handler", ["ignore", "replace", "backslashreplace"])
def test_handlers_of_utf_7(handler):
    """Compare invalid bytes outside runs. Inside a run, utfall reports more errors than CPython."""
    for data in (b"a\xffb", b"\x80", b"ok \xe2\x82\xac end", b"+ZeVnLIqe-\xff+Jjo-", b"a" * 600 + b"\xff"):
        assert outcome(codecs.decode, data, "utfall:utf-7", handler) == data.decode("utf-7", handler)
        assert outcome(codecs.decode, data, "utfall:utf-7") == outcome(codecs.decode, data, "utf-7")


@pytest.mark.parametrize(
    ("encoding", "pair"),
    [
        ("EUC-JISX0213", "か\u309a"),
        ("SHIFT_JISX0213", "æ\u0300"),
        ("BIG5-HKSCS/glibc", "ê\u030c"),
        ("TSCII", "ஜ\u0bc6"),
    ],
)
def test_two_code_points_that_are_one_character(encoding, pair):
    """The state of an encoder has a code point that it holds back, and long texts are not cut after it."""
    whole = utfall.encode(pair, encoding)
    first = codecs.getincrementalencoder(f"utfall:{encoding}")()
    assert first.encode(pair[0]) == b""
    second = codecs.getincrementalencoder(f"utfall:{encoding}")()
    second.setstate(first.getstate())
    assert second.encode(pair[1], True) == whole
    for length in (4095, 8191, 16383):
        assert utfall.encode("a" * length + pair, encoding) == b"a" * length + whole


@pytest.mark.parametrize("text", ["ஸ்ரீ", "க்ஷ்", "ஸ்ரெ", "க்ஷொ", "aஸ்a"])
def test_several_code_points_that_are_held_back(text):
    """The state has all of them."""
    encoder, result = codecs.getincrementalencoder("utfall:TSCII")(), b""
    for point in text:
        result += encoder.encode(point)
        state = encoder.getstate()
        encoder = codecs.getincrementalencoder("utfall:TSCII")()
        encoder.setstate(state)
    assert result + encoder.encode("", True) == utfall.encode(text, "TSCII")
