"""The functions with the names of other packages, in the patterns of the tests of those packages."""

import codecs

import pytest

from utfall.compat import chardet, ftfy

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
    assert sorted(guess) == ["confidence", "encoding", "language"]
    assert guess["encoding"] == encoding
    assert 0.0 <= guess["confidence"] <= 1.0
    if encoding is not None:
        assert guess["confidence"] > 0.5
        data.decode(encoding)
    else:
        assert (guess["confidence"], guess["language"]) == (0.0, None)
    detector = chardet.UniversalDetector()
    for place in range(0, len(data), 7):
        detector.feed(data[place : place + 7])
    assert detector.close() == detector.result == guess
    detector.reset()
    assert detector.result["encoding"] is None and not detector.done


def test_chardet_arguments():
    assert chardet.detect(bytearray(b"a"), should_rename_legacy=True)["encoding"] == "ascii"
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
        ("P&EACUTE;REZ &lt;tag&gt;", "P&EACUTE;REZ <tag>"),
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
    with pytest.raises(UnicodeError):
        ftfy.fix_text(b"bytes")


def test_ftfy_bytes_and_files():
    assert ftfy.guess_bytes(GERMAN.encode("cp1252")) == (GERMAN, "cp1252")
    assert ftfy.guess_bytes(GERMAN.encode("utf-16"))[0] == GERMAN
    lines = [GERMAN.encode(), "schÃ¶n\n".encode()]
    assert list(ftfy.fix_file(lines, encoding="utf-8", uncurl_quotes=False)) == [GERMAN, "schön\n"]
