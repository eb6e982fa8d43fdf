"""detect, repair, explain, check, imap, open, and the command."""

import io
import json
import pathlib
import subprocess
import sys

import pytest

import utfall
from utfall import imap

GERMAN = "„Größe“ und Maß: über Köln – schön, nicht wahr?\n"


def test_detect_sources(tmp_path):
    data = GERMAN.encode("cp1252")
    path = tmp_path / "text"
    path.write_bytes(data)
    with path.open("rb") as file:
        file.seek(0)
        sources = [data, bytearray(data), memoryview(data), str(path), path, io.BytesIO(data), file]
        for source in sources:
            guess = utfall.detect(source)
            assert (guess.encoding, guess.codec, guess.sure) == ("windows-1252", "cp1252", True)
            assert 0.9 <= guess.confidence <= 1 and guess.bytes_read == len(data)
            assert guess and guess.evidence and guess.candidates[0].encoding == "windows-1252"
        assert file.tell() == 0
    assert json.loads(guess.json())["candidates"][0]["encoding"] == "windows-1252"
    with pytest.raises(FileNotFoundError):
        utfall.detect(tmp_path / "nonesuch")
    with pytest.raises(TypeError):
        utfall.detect(io.StringIO("text"))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        utfall.detect(5)  # type: ignore[arg-type]


def test_detect_a_long_file(tmp_path):
    path = tmp_path / "text"
    path.write_bytes("Größe\n".encode() * 1_000_000)
    assert utfall.detect(path).bytes_read == 1 << 20
    assert utfall.detect(path, all=True).bytes_read == path.stat().st_size


def test_detect_representations():
    assert repr(utfall.detect(GERMAN.encode("cp1252"))).startswith("Detection(windows-1252, 0.9")
    assert repr(utfall.detect(b"plain words, " * 9)).startswith("Detection(US-ASCII, 0.99")
    unsure = utfall.detect(b"\xe9")
    assert not unsure and repr(unsure).endswith(", unsure)")
    binary = utfall.detect(bytes(range(256)) * 4)
    assert (binary.encoding, binary.codec, binary.sure, repr(binary)) == (None, None, False, "Detection(binary)")


def test_detect_hints():
    data = "Привет".encode("koi8-r")
    assert utfall.detect(data, expected=["KOI8-R", "IBM866"]).encoding == "KOI8-R"
    assert utfall.detect(b"d\xe9j\xe0 vu", language="fr").encoding == "windows-1252"
    assert utfall.detect(b"\xe9", min_confidence=0.0).sure
    assert len(utfall.detect(data, limit=1).candidates) == 1
    with pytest.raises(LookupError, match='unknown language "tlh"'):
        utfall.detect(b"", language="tlh")
    with pytest.raises(LookupError, match="unknown encoding"):
        utfall.detect(b"", expected=["nonesuch"])


def test_codec_names_decode():
    """Detection.codec is a codec, and of the web's charsets not a smaller relative."""
    utfall.codecs.register()
    try:
        for encoding in utfall.encodings():
            candidate = utfall.Candidate(encoding.name, 1.0, (), None, None, None, None)
            if encoding.name != "replacement":
                # Some charsets lack letters of US-ASCII.
                text = utfall.decode(utfall.encode("Az", encoding.name, "ignore"), encoding.name)
                assert text.encode(candidate.codec).decode(candidate.codec) == text
        assert "①".encode("cp932").decode(utfall.Candidate("Shift_JIS", 1.0, (), None, None, None, None).codec) == "①"
    finally:
        utfall.codecs.unregister()


def test_repair():
    fixed = utfall.repair("dÃ©jÃ\xa0 vu")
    assert (fixed.text, len(fixed.changes), bool(fixed)) == ("déjà vu", 2, True)
    change = fixed.changes[0]
    assert (change.line, change.offset, change.before, change.after) == (1, 1, "Ã©", "é")
    assert (change.before_bytes, change.after_bytes) == ("Ã©".encode(), "é".encode())
    assert change.steps == ("UTF-8 read as windows-1252",) and change.confidence > 0.9
    assert repr(fixed) == "Repaired('déjà vu', 2 changes)"
    assert utfall.repair("dÃ©jÃ\xa0 vu".encode()).text == "déjà vu".encode()
    assert not utfall.repair("É© and ©")
    assert utfall.repair("\ud83d\ude00 \ud800").text in ("😀 \ud800", "\ud83d\ude00 \ud800")
    assert utfall.repair(r"d\u00c3\u00a9j\u00c3\u00a0", json_escapes=True).changes
    assert [json.loads(line)["type"] for line in fixed.json().splitlines()] == ["change", "change", "file"]
    html = utfall.repair("caf&Atilde;&copy;", html_entities=True)
    assert (html.text, html.changes[0].steps) == ("caf&eacute;", ("UTF-8 read as windows-1252", "HTML entities"))
    assert utfall.repair("/caf%C3%83%C2%A9", percent_encoding=True).text == "/caf%C3%A9"
    assert fixed.skipped == ()
    assert utfall.repair("\x93Oui\x94").changes[0].steps == ("windows-1252 read as ISO-8859-1",)


def test_repair_skips_examples():
    text = "cafÃ©\nthe signs “Ã©” mean a wrong charset\n"
    found = utfall.repair(text)
    assert (found.text, len(found.changes)) == (text.replace("cafÃ©", "café"), 1)
    (skipped,) = found.skipped
    assert (skipped.line, skipped.offset, skipped.before, skipped.after) == (2, 21, "Ã©", "é")
    assert skipped.reason == "charsets"
    assert repr(found).endswith("1 change, 1 place skipped)")
    assert [json.loads(line)["type"] for line in found.json().splitlines()] == ["change", "skipped", "file"]
    forced = utfall.repair(text, force=True)
    assert (forced.text, forced.skipped) == ("café\nthe signs “é” mean a wrong charset\n", ())
    assert utfall.repair(text.encode(), force=True).text == forced.text.encode()


def test_explain():
    units = list(utfall.explain("a€".encode() + b"\xc0\xae"))
    assert [unit.kind for unit in units] == ["character", "character", "ill-formed"]
    euro = units[1]
    assert (euro.offset, euro.bytes, euro.code_point, euro.character, euro.name) == (1, b"\xe2\x82\xac", 0x20AC, "€", "EURO SIGN")
    assert euro.bits == ("11100010", "10000010", "10101100") and euro.payload_mask == ("00001111", "00111111", "00111111")
    assert units[2].problem is not None and units[2].problem.kind == "overlong"
    assert units[2].accepted_by == ("RFC 2044", "draft-yergeau-utf8-rev-00")
    assert [unit.offset for unit in utfall.explain(b"abc\xffd", only_problems=True)] == [3]
    assert [unit.offset for unit in utfall.explain(b"abcdef", start=2, end=4)] == [2, 3]
    assert repr(utfall.explain(b"abc")) == "Explanation(UTF-8, 3 bytes)"
    assert utfall.explain(b"\xff\xfea\0").encoding == "UTF-16LE"


def test_explain_is_the_report():
    for data, encoding in ((b"a\xff\xc0\xae" + "日本".encode(), None), (b"+ZeVnLIqe-x", "UTF-7"), (b"\x81", "Shift_JIS")):
        for options in ({}, {"only_problems": True}, {"start": 2, "end": 6}):
            explanation = utfall.explain(data, encoding, **options)
            lines = [json.loads(line) for line in explanation.json().splitlines()]
            assert [line["offset"] for line in lines if line["type"] == "unit"] == [unit.offset for unit in explanation]


def test_explain_in_a_notebook():
    table = utfall.explain(b"<\xc0\xae" + "\u202e".encode())._repr_html_()
    assert table.startswith("<table") and "&lt;" in table and "<bdi>&lt;</bdi>" in table
    assert "overlong form" in table and "\u202e" not in table
    assert "110<b>00000</b> 10<b>101110</b>" in table
    assert "The first 1000 units" in utfall.explain(b"a" * 1001)._repr_html_()
    assert str(utfall.explain(b"a" * 1001)).count("\n") == 1000


def test_check():
    result = utfall.check(b"a\xff\nb\x07\n")
    assert not result and not result.valid and result.encoding == "UTF-8"
    assert [(finding.rule, finding.line, finding.column) for finding in result.errors][0] == ("ill-formed", 1, 2)
    assert utfall.check(b"a\x07\n", rules={"control": "off"})
    assert utfall.check(b"plain\n").findings == ()
    assert "RFC 2044" in (utfall.check(b"\xc0\xae\n").explanation or "")
    with pytest.raises(ValueError, match="expected off, warning or error"):
        utfall.check(b"", rules={"control": "loud"})
    with pytest.raises(ValueError):
        utfall.check(b"", rules={"nonesuch": "off"})
    concealed = utfall.check(b"+ADw-script+AD4-\n", "UTF-7", concealed=True)
    assert [finding.rule for finding in concealed.findings] == ["encoded-markup", "encoded-markup"]
    assert utfall.check(b"+ADw-script+AD4-\n", "UTF-7").findings == ()


def test_imap():
    assert imap.encode("Entwürfe") == b"Entw&APw-rfe"
    assert imap.decode(b"Entw&APw-rfe") == imap.decode("Entw&APw-rfe") == "Entwürfe"
    with pytest.raises(utfall.DecodeError):
        imap.decode("Entwürfe")
    assert imap.canonical("Entwürfe") == b"Entw&APw-rfe"


def test_character_names():
    assert utfall.character_name(0x20AC) == "EURO SIGN"


def test_open(tmp_path):
    path = tmp_path / "text"
    for encoding, data in (("utfall:windows-1252", GERMAN.encode("cp1252")), ("utfall:utf-8", GERMAN.encode()),
                           ("utfall:utf-8-sig", b"\xef\xbb\xbf" + GERMAN.encode()), ("utfall:utf-16le-sig", b"\xff\xfe" + GERMAN.encode("utf-16-le"))):
        path.write_bytes(data)
        with utfall.open(path) as file:
            assert (file.encoding, file.read()) == (encoding, GERMAN)
        with utfall.open(str(path), "r+") as file:
            file.readline()
            file.seek(file.tell())
            file.write("!")
        assert path.read_bytes()[:3] == data[:3]
    with utfall.open(tmp_path / "new", "w") as file:
        file.write("é")
    assert (tmp_path / "new").read_bytes() == "é".encode()
    with utfall.open(path, "w", encoding="utf-16be", newline="\r\n") as file:
        file.write("é\n")
    assert path.read_bytes() == "é\r\n".encode("utf-16-be")
    path.write_bytes(b"\xe9")
    with pytest.raises(utfall.DetectError, match="cannot tell the encoding of"):
        utfall.open(path)
    with pytest.raises(ValueError, match="for text"):
        utfall.open(path, "rb")
    with pytest.raises(LookupError):
        utfall.open(path, encoding="nonesuch")


def test_command(tmp_path):
    def run(*args: str, data: bytes = b"") -> tuple[int, bytes]:
        done = subprocess.run([sys.executable, "-m", "utfall", *args], input=data, capture_output=True)
        return done.returncode, done.stdout

    assert run("convert", "-f", "utf-7", "-t", "utf-8", data=b"+ZeVnLIqe-") == (0, "日本語".encode())
    assert run("--version")[1].startswith(b"utfall " + utfall.__version__.encode())
    assert run("check", "-", data=b"\xff\n")[0] == 1
    assert run("nonesuch")[0] == 2


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Files in several encodings, and a place for the originals."""
    monkeypatch.setenv("UTFALL_STATE_DIR", str(tmp_path / "state"))
    here = tmp_path / "files"
    here.mkdir()
    (here / "a.txt").write_bytes(GERMAN.encode("cp1252"))
    (here / "b.txt").write_bytes(GERMAN.encode("utf-16"))
    (here / "c.txt").write_bytes(GERMAN.encode())
    (here / "d.txt").write_bytes(b"caf\xe9")
    return here


def test_convert_tree(folder):
    before = {path: path.read_bytes() for path in folder.iterdir()}
    dry = utfall.convert_tree(folder, dry_run=True)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    result = utfall.convert_tree(str(folder))
    assert [(pathlib.Path(file.path).name, file.action) for file in result.files] == [
        ("a.txt", "converted"), ("b.txt", "converted"), ("c.txt", "unchanged"), ("d.txt", "unknown")]
    assert not result and [file.source for file in result.files[:3]] == ["windows-1252", "UTF-16LE", "UTF-8"]
    assert len(result.problems) == len(dry.problems) == 1 and "best guess" in result.problems[0].message
    assert all((folder / name).read_bytes() == GERMAN.encode() for name in ("a.txt", "b.txt", "c.txt"))
    assert result.undo() == 2
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_convert_tree_to_another_folder(folder, tmp_path):
    out = tmp_path / "out"
    result = utfall.convert_tree([folder / "a.txt", folder / "b.txt"], "UTF-16BE", output_dir=out, newline="crlf")
    assert result and result.run is None and result.undo() == 0
    written = [path.read_bytes() for path in sorted(out.rglob("*.txt"))]
    assert written == [GERMAN.replace("\n", "\r\n").encode("utf-16-be")] * 2
    assert json.loads(result.json().splitlines()[-1])["converted"] == 2


def test_convert_tree_to_east_asian_charsets(folder):
    path = folder / "a.txt"
    path.write_bytes("〜丂".encode())
    result = utfall.convert_tree(path, "EUC-JP", source="UTF-8")
    assert [file.action for file in result.files] == ["unencodable"]
    result = utfall.convert_tree(path, "EUC-JP", source="UTF-8", double_mappings="either", jis_x_0212="write")
    assert result and path.read_bytes() == b"\xa1\xc1\x8f\xb0\xa1"


def test_convert_tree_with_wrong_arguments(folder):
    with pytest.raises(utfall.ConvertError, match="nonesuch"):
        utfall.convert_tree(folder, "nonesuch")
