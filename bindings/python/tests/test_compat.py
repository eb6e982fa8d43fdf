"""The functions with the names of other packages, in the patterns of the tests of those packages."""

import codecs
import subprocess
import sys

import pytest

from utfall.compat import chardet, ftfy
from utfall.compat.chardet.enums import LanguageFilter
from utfall.compat.chardet.universaldetector import UniversalDetector
from utfall.compat.ftfy import bad_codecs, badness, fixes, formatting

GERMAN = "„Größe“ und Maß: über Köln – schön, nicht wahr?\n"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"", "ascii"),
        (b"plain", "ascii"),
        (GERMAN.encode(), "utf-8"),
        (codecs.BOM_UTF8 + b"a", "UTF-8-SIG"),
        (GERMAN.encode("utf-16"), "UTF-16"),
        (GERMAN.encode("utf-32"), "UTF-32"),
        (GERMAN.encode("cp1252"), "windows-1252"),
        ("Привет, мир! Как дела сегодня, друзья?".encode("cp1251") * 3, "windows-1251"),
        ("日本語のテキストです。ひらがなとカタカナ。".encode("cp932"), "cp932"),
        ("日本語のテキストです。ひらがなとカタカナ。".encode("euc-jp"), "EUC-JP"),
        (bytes(range(256)) * 3, None),
    ],
)
def test_chardet_encodings(data, encoding):
    guess = chardet.detect(data)
    assert sorted(guess) == ["confidence", "encoding", "language", "mime_type"]
    assert guess["encoding"] == encoding
    assert 0.0 <= guess["confidence"] <= 1.0
    if encoding is not None:
        assert guess["confidence"] > 0.5
        data.decode(encoding)
    else:
        assert (guess["confidence"], guess["language"], guess["mime_type"]) == (0.0, None, "application/octet-stream")
    detector = chardet.UniversalDetector()
    for place in range(0, len(data), 7):
        detector.feed(data[place : place + 7])
    # After a BOM, the rest is not needed, and not counted.
    has_bom = encoding in ("UTF-8-SIG", "UTF-16", "UTF-32")
    assert detector.close() == detector.result
    assert detector.result == guess or has_bom and detector.result == guess | {"confidence": detector.result["confidence"]}
    detector.reset()
    assert detector.result["encoding"] is None and not detector.done


def test_chardet_arguments():
    assert chardet.detect(bytearray(b"a"))["encoding"] == "ascii"
    for renamed in ({"should_rename_legacy": True}, {"prefer_superset": True}):
        assert chardet.detect(b"a", **renamed)["encoding"] == "windows-1252"
        assert chardet.UniversalDetector(**renamed).close()["encoding"] == "windows-1252"
    assert chardet.detect(GERMAN.encode("cp1252"), compat_names=False)["encoding"] == "cp1252"
    assert chardet.detect(GERMAN.encode(), max_bytes=1)["encoding"] is not None
    assert chardet.detect(b"", empty_input_encoding="utf-8")["encoding"] == "utf-8"
    assert chardet.detect(b"a", False, chardet.EncodingEra.MODERN_WEB, 10, 20)["encoding"] == "ascii"
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="max_bytes"):
            chardet.detect(b"", max_bytes=wrong)
        with pytest.raises(ValueError, match="max_bytes"):
            chardet.UniversalDetector(max_bytes=wrong)
    for wrong in ("text", None, 5):
        with pytest.raises(TypeError, match="Expected object of type bytes or bytearray"):
            chardet.detect(wrong)


def test_chardet_detect_all():
    data = "Ça coûte 5 à l'hôtel.\n".encode("cp1252")
    guesses = chardet.detect_all(data, ignore_threshold=True)
    assert guesses[0] == chardet.detect(data)
    assert [guess["confidence"] for guess in guesses] == sorted((guess["confidence"] for guess in guesses), reverse=True)
    assert len(chardet.detect_all(data)) <= len(guesses)
    assert chardet.detect_all(bytes(range(256)) * 3) == [chardet.detect(bytes(range(256)) * 3)]


def test_chardet_chosen_encodings():
    data = GERMAN.encode("cp1252")
    assert chardet.detect(data, include_encodings=["cp1252", "utf-8"])["encoding"] == "windows-1252"
    others = chardet.detect_all(data, True, exclude_encodings=["WINDOWS-1252"])
    assert "windows-1252" not in [guess["encoding"] for guess in others]
    none = chardet.detect(data, include_encodings=["ascii"])
    assert (none["encoding"], none["mime_type"]) == (None, "text/plain")
    assert chardet.detect(data, include_encodings=["ascii"], no_match_encoding="latin-1")["encoding"] == "latin-1"
    with pytest.raises(ValueError, match="unknown encoding: nonesuch"):
        chardet.detect(data, exclude_encodings=["nonesuch"])


def test_chardet_language_filter():
    japanese = "日本語のテキストです。ひらがなとカタカナ。".encode("euc-jp")
    for languages, encoding in ((LanguageFilter.JAPANESE, "EUC-JP"), (LanguageFilter.CJK, "EUC-JP")):
        detector = chardet.UniversalDetector(languages)
        detector.feed(japanese)
        assert (detector.close()["encoding"], detector.lang_filter) == (encoding, languages)
    for languages in (LanguageFilter.CHINESE, LanguageFilter.NON_CJK, LanguageFilter.NONE):
        detector = UniversalDetector(languages)
        detector.feed(japanese)
        assert detector.close()["encoding"] not in ("EUC-JP", "cp932")
    assert LanguageFilter.ALL == 31 and LanguageFilter.CJK | LanguageFilter.NON_CJK == LanguageFilter.ALL
    detector = chardet.UniversalDetector(lang_filter=LanguageFilter.CHINESE)
    detector.feed(GERMAN.encode())
    assert detector.close()["encoding"] == "utf-8"


def test_chardet_is_done_after_a_bom():
    detector = chardet.UniversalDetector()
    detector.feed(codecs.BOM_UTF16_LE)
    assert not detector.done
    detector.feed(b"a\0b\0")
    assert detector.done and detector.result["encoding"] == "UTF-16"
    detector.feed(b"more")
    assert detector.close() == detector.result


def test_chardetect(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(GERMAN.encode("cp1252"))

    def run(*args, data=b""):
        command = [sys.executable, "-m", "utfall.compat.chardet", *args]
        done = subprocess.run(command, input=data, capture_output=True)
        return done.returncode, done.stdout.decode().strip()

    assert run("--minimal", str(path)) == (0, "windows-1252")
    assert run(str(path))[1].startswith(f"{path}: windows-1252 with confidence 0.9")
    assert run("-l", "-m", str(path))[1].endswith(", language de, text/plain")
    assert run(data=bytes(range(256)) * 3) == (0, "stdin: no result")
    assert run("--minimal", "--legacy", data=b"a") == (0, "windows-1252")
    assert run("--minimal", "-x", "ascii,utf-8", data=b"a")[1] not in ("ascii", "utf-8")
    assert run(str(tmp_path / "missing"))[0] == 1


def test_chardet_long_streams():
    detector = chardet.UniversalDetector()
    while not detector.done:
        detector.feed(b"Gr\xc3\xb6\xc3\x9fe " * 10_000)
    assert detector.result["encoding"] == "utf-8"


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("l’humanitÃ©", "l'humanité"),
        ("This text is sad .â\x81”.", "This text is sad .⁔."),
        ("quotes “to” make", 'quotes "to" make'),
        ("P&EACUTE;REZ &lt;tag&gt;", "PÉREZ <tag>"),
        ("<em>&lt;b&gt;</em>", "<em>&lt;b&gt;</em>"),
        ("ＬＯＵＤ　ＮＯＩＳＥＳ", "LOUD NOISES"),
        ("ﬂuﬃest", "fluffiest"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("\x1b[36;44mblue\x1b[0m", "blue"),
        ("\ufeffa\0b\x07", "ab"),
        ("\ud83d\udca9 \ud83d", "💩 \ufffd"),
        ("e\u0301", "é"),
        ("", ""),
    ],
)
def test_ftfy(text, fixed):
    assert ftfy.fix_text(text) == fixed
    assert ftfy.fix_text(fixed) == fixed or "&lt;" in text


def test_ftfy_options():
    assert ftfy.fix_text("“a” ﬂ", uncurl_quotes=False, fix_latin_ligatures=False) == "“a” ﬂ"
    config = ftfy.TextFixerConfig(normalization="NFKC", explain=False)
    assert ftfy.fix_and_explain("x²", config) == ("x2", None)
    assert ftfy.fix_encoding("l’humanitÃ©") == "l’humanité"
    text, explanation = ftfy.fix_and_explain("schÃ¶n “a”")
    assert text == 'schön "a"'
    assert explanation == [("repair", "UTF-8 read as ISO-8859-1"), ("apply", "uncurl_quotes")]
    assert ftfy.ftfy("ﬂ") == "fl"
    with pytest.warns(DeprecationWarning, match="unescape_html"):
        assert ftfy.fix_text("&amp;", fix_entities=False) == "&amp;"
    with pytest.warns(DeprecationWarning, match="remove_bom"):
        assert ftfy.fix_text("\ufeffa", remove_bom=True) == "a"
    with pytest.raises(ValueError, match="nonesuch"):
        ftfy.fix_text("a", nonesuch=True)
    with pytest.raises(UnicodeError):
        ftfy.fix_text(b"bytes")


def test_ftfy_plans():
    for text in ("sÃ³", "Ã¢Â€Âœ a", "voilÃ\xa0 le travail", "плохо"):
        fixed, plan = ftfy.fix_encoding_and_explain(text)
        assert ftfy.apply_plan(text, plan) == fixed == ftfy.fix_encoding(text)
    assert ftfy.fix_encoding_and_explain("sÃ³").explanation[1:] == [("decode", "utf-8")]
    # Only a part of the text is damaged.
    text = "“schÃ¶n”"
    fixed, plan = ftfy.fix_and_explain(text)
    assert plan == [("repair", "UTF-8 read as ISO-8859-1"), ("apply", "uncurl_quotes")]
    assert ftfy.apply_plan(text, plan) == fixed
    plan = [("encode", "latin-1"), ("transcode", "restore_byte_a0"), ("decode", "utf-8"), ("normalize", "NFD")]
    assert ftfy.apply_plan("Ã ", plan) == "a\u0300"
    for wrong in (("foo", "bar"), ("apply", "bar")):
        with pytest.raises(ValueError, match="unknown"):
            ftfy.apply_plan("x", [wrong])


@pytest.mark.parametrize(
    ("function", "text", "fixed"),
    [
        ("unescape_html", "&lt;tag&gt; &EACUTE; &nope; &#65;", "<tag> É &nope; A"),
        ("uncurl_quotes", "“a” ‘b’ «c»", "\"a\" 'b' «c»"),
        ("decode_escapes", r"\u00e9\n\x41 é \U0001f600 \N{EM DASH} \\", "é\nA é 😀 — \\"),
        ("remove_bom", "\ufeffa\ufeff", "a\ufeff"),
        ("remove_control_chars", "a\0\ufeff\t\u200b", "a\t\u200b"),
        ("fix_line_breaks", "a\r\nb\rc\u2028d\x85e", "a\nb\nc\nd\ne"),
        ("fix_surrogates", "\ud83d\ude00 \ud83d", "😀 \ufffd"),
        ("fix_character_width", "ＬＯＵＤ　ｱﾊﾞ", "LOUD アハ\u3099"),
        ("fix_latin_ligatures", "ﬂuﬃest æ", "fluffiest æ"),
        ("fix_c1_controls", "\x80\x81", "€\x81"),
        ("remove_terminal_escapes", "\x1b[36;44mblue\x1b[0m", "blue"),
        ("restore_byte_a0", b"\xc3 \xe2 \x99 \xf0\x9f \x80 a b", b"\xc3\xa0\xe2\xa0\x99 \xf0\x9f\xa0\x80 a b"),
        ("replace_lossy_sequences", b"\xe2\x80\x1a \xc3? a? \xf0\x9f\x1a\x80", "\ufffd \ufffd a? \ufffd".encode()),
        ("decode_inconsistent_utf8", "cafÃ© für", "café für"),
    ],
)
def test_ftfy_fixes(function, text, fixed):
    assert getattr(fixes, function)(text) == fixed
    assert getattr(fixes, function)(text[:0]) == text[:0]


def test_ftfy_formatting(capsys):
    assert [formatting.character_width(c) for c in "A車ñ\u0301\0\u200b👍ｱ\xad\n"] == [1, 2, 1, 0, 0, 0, 2, 1, 1, -1]
    assert formatting.monospaced_width("ちゃぶ台返し") == 12
    assert formatting.monospaced_width("e\u0301\x1b[36mblue\x1b[m") == 5
    assert formatting.monospaced_width("a\n") == -1
    assert formatting.display_ljust("車a", 6, "-") == "車a---"
    assert formatting.display_rjust("車a", 6) == "   車a"
    assert formatting.display_center("車a", 8, "*") == "**車a***"
    assert formatting.display_ljust("a\n", 6) == "a\n"
    for fill in ("車", "ab", ""):
        with pytest.raises(ValueError, match="one column"):
            formatting.display_ljust("x", 3, fill)
    ftfy.explain_unicode("車\n")
    assert capsys.readouterr().out.splitlines() == [
        "U+8ECA  車      [Lo] CJK UNIFIED IDEOGRAPH-8ECA",
        "U+000A  \\n      [Cc] <control> LINE FEED",
    ]


def test_ftfy_badness():
    assert ftfy.is_bad("sÃ³") and not ftfy.is_bad("só")
    assert badness.badness("sÃ³") == 1


def test_ftfy_bad_codecs():
    with pytest.raises(LookupError):
        b"a".decode("sloppy-windows-1252")
    bad_codecs.ok()
    bad_codecs.ok()
    try:
        every = bytes(range(256))
        for name in ("sloppy-windows-1252", "sloppy-windows-1257", "sloppy-cp874", "sloppy-iso-8859-7"):
            text = every.decode(name)
            assert text.encode(name) == every
            assert text[0x1A] == "\ufffd"
            assert "".join(codecs.iterdecode([every], name)) == text
            assert b"".join(codecs.iterencode([text], name)) == every
        assert b"\x80\x81\x1a".decode("sloppy-windows-1252") == "€\x81\ufffd"
        text, data = "é\0😀日", b"\xc3\xa9\xc0\x80\xed\xa0\xbd\xed\xb8\x80\xe6\x97\xa5"
        for name in ("utf-8-variants", "java-utf-8", "cesu8"):
            assert data.decode(name) == text
            assert text.encode(name) == text.encode()
            for size in (1, 2, 5):
                pieces = [data[place : place + size] for place in range(0, len(data), size)]
                assert "".join(codecs.iterdecode(pieces, name)) == text
            with pytest.raises(UnicodeDecodeError):
                b"\xed\xa0\xbd".decode(name)
        with pytest.raises(LookupError):
            b"a".decode("sloppy-utf-8")
    finally:
        codecs.unregister(bad_codecs.search_function)


def test_ftfy_command(tmp_path):
    path, out = tmp_path / "text", tmp_path / "out"
    path.write_bytes("“schÃ¶n” &amp;\n".encode())

    def run(*args):
        done = subprocess.run([sys.executable, "-m", "utfall.compat.ftfy", *args], capture_output=True)
        return done.returncode, done.stdout.decode()

    assert run(str(path)) == (0, '"schön" &\n')
    assert run("--preserve-entities", "-n", "none", "-o", str(out), str(path)) == (0, "")
    assert out.read_bytes() == '"schön" &amp;\n'.encode()
    path.write_bytes(GERMAN.encode("cp1252"))
    assert run(str(path))[0] == 1
    assert run("-g", str(path)) == (0, ftfy.fix_text(GERMAN))
    assert run(str(tmp_path / "missing"))[0] == 1
    assert run(str(path), "-o", str(path))[0] == 2


def test_ftfy_bytes_and_files():
    assert ftfy.guess_bytes(GERMAN.encode("cp1252")) == (GERMAN, "cp1252")
    assert ftfy.guess_bytes(GERMAN.encode("utf-16"))[0] == GERMAN
    lines = [GERMAN.encode(), "schÃ¶n\n".encode()]
    assert list(ftfy.fix_file(lines, encoding="utf-8", uncurl_quotes=False)) == [GERMAN, "schön\n"]
