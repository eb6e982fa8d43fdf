"""The cases of testdata/bindings, which every binding runs, and the vectors of testdata/vectors, through the package."""

import collections
import csv
import json
import pathlib
import re
import tomllib

import pytest

import utfall
from utfall import imap, mail

ROOT = pathlib.Path(__file__).parents[3]
TESTDATA = ROOT / "testdata"
CASES = json.loads((TESTDATA / "bindings" / "cases.json").read_text(encoding="utf-8"))["cases"]
CALLS = sorted({case["call"] for case in CASES})


def test_there_is_one_version():
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]
    project = tomllib.loads((ROOT / "bindings/python/pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert utfall.__version__ == cargo == project


def problem_of(error):
    """An exception, or a problem, in the form of the cases. An exception has line and column only where they are known."""
    is_exception = isinstance(error, Exception)
    found = {
        "offset": error.offset,
        "length": error.end - error.start if is_exception else error.length,
        "line": error.line,
        "column": error.column,
        "kind": error.kind,
        "encoding": error.encoding,
        "message": error.reason if is_exception else error.message,
        "clause": error.clause,
    }
    if getattr(error, "run_bit", None) is not None:
        found["run_bit"] = error.run_bit
    if isinstance(error, utfall.EncodeError):
        found["code_point"] = ord(error.object[error.start])
    return found


def same(found, expected, in_pieces=False):
    """Whether two errors are the same. The length of an unencodable character is that of the str in Python. In pieces, it
    is the length in the last of them."""
    skipped = {"length"} if in_pieces or expected.get("kind") == "unencodable" else set()
    return all(found.get(key) == value for key, value in expected.items() if key not in skipped)


def keywords(options):
    """The arguments of utfall.transcode for the options of `utfall convert`."""
    arguments = {name.replace("-", "_"): value for name, value in options.items()}
    if "transliterate" in arguments:
        arguments["transliterate"] = True
    errors = arguments.pop("on_error", "strict")
    return arguments | {
        "errors": arguments.pop("on_invalid", errors),
        "unencodable": arguments.pop("on_unencodable", errors),
    }


def lines(report):
    return [json.loads(line) for line in report.splitlines()]


def named(expected, name):
    """A report with the name of a text in memory, which is the only name that a text has in Python."""
    return [line | {key: "(memory)" for key in ("file", "input") if line.get(key) == name} for line in expected]


class Run:
    """How each kind of case runs."""

    @staticmethod
    def encoding(case):
        found = utfall.lookup(case["name"])
        assert (found.name, found.number, found.specification) == (case["name"], case["number"], case["specification"])
        assert (list(found.aliases), found.bom.hex(), found.code_unit) == (case["aliases"], case["bom"], case["code_unit"])
        assert (found.registered, found.ascii_transparent) == (case["iana"], case["ascii_transparent"])
        assert (found.seven_bit, found.stateful) == (case["seven_bit"], case["stateful"])
        assert found.self_synchronizing == case["self_synchronizing"]
        assert found in utfall.encodings()

    @staticmethod
    def label(case):
        if case["encoding"] is not None:
            assert utfall.lookup(case["label"]).name == case["encoding"]
            return
        with pytest.raises(LookupError) as raised:
            utfall.lookup(case["label"])
        assert raised.value.args[0] == case["message"]

    @staticmethod
    def bom(case):
        found = utfall.find_bom(bytes.fromhex(case["input"]))
        expected = (case["encoding"], case["length"])
        assert ((found[0].name, found[1]) if found else (None, 0)) == expected

    @staticmethod
    def option_error(case):
        name, value = case["name"].replace("-", "_"), case["value"]
        if name in ("on_error", "on_invalid"):
            # Here, the names are those of Python: "ignore" is known, and others may be registered.
            if value != "ignore":
                with pytest.raises(LookupError, match="unknown error handler name"):
                    utfall.transcode(b"a", "UTF-8", errors=value)
            return
        if name == "newline":
            # This is an option of utfall.transcode.
            assert utfall.transcode(b"a\r\n", "UTF-8", newline=value) == b"a\n"
            return
        with pytest.raises(ValueError) as raised:
            utfall.transcode(b"a", "UTF-8", **{name: value})
        assert str(raised.value) == case["message"]

    @staticmethod
    def character_name(case):
        assert utfall.character_name(case["code_point"]) == case["name"]

    @staticmethod
    def validate(case):
        text, encoding, expected = bytes.fromhex(case["input"]), case["encoding"], case["error"]
        assert utfall.is_valid(text, encoding) == (expected is None)
        problems = utfall.problems(text, encoding, limit=1)
        assert [problem_of(problem) for problem in problems] == ([] if expected is None else [expected])
        if expected is None:
            return
        with pytest.raises(utfall.DecodeError) as raised:
            utfall.decode(text, encoding)
        error = raised.value
        assert same(problem_of(error), expected), problem_of(error)
        assert error.object[error.start : error.end] == text[error.offset : error.offset + expected["length"]]

    @staticmethod
    def transcode(case):
        text, expected = bytes.fromhex(case["input"]), bytes.fromhex(case["output"])
        pair, arguments = (case["from"], case["to"]), keywords(case["options"])
        if case["error"] is None:
            assert utfall.transcode(text, *pair, **arguments) == expected
        else:
            with pytest.raises((utfall.DecodeError, utfall.EncodeError)) as raised:
                utfall.transcode(text, *pair, **arguments)
            assert same(problem_of(raised.value), case["error"]), problem_of(raised.value)
        # In pieces of one byte, it is the same.
        transcoder, out = utfall.Transcoder(*pair, **arguments), b""
        try:
            for index in range(len(text)):
                out += transcoder.transcode(text[index : index + 1])
            out += transcoder.transcode(b"", final=True)
        except (utfall.DecodeError, utfall.EncodeError) as error:
            assert same(problem_of(error), case["error"], in_pieces=True), problem_of(error)
            # What the call with the error had converted before is lost with it.
            assert expected.startswith(out)
        else:
            assert (out, case["error"]) == (expected, None)

    @staticmethod
    def stream(case):
        """A transcoder stops at its first error."""
        transcoder = utfall.Transcoder(case["from"], case["to"], **keywords(case["options"]))
        for step in case["steps"]:
            piece = bytes.fromhex(step["input"])
            if step["errors"]:
                with pytest.raises((utfall.DecodeError, utfall.EncodeError)) as raised:
                    transcoder.transcode(piece, step["last"])
                assert same(problem_of(raised.value), step["errors"][0], in_pieces=True), problem_of(raised.value)
                return
            assert transcoder.transcode(piece, step["last"]).hex() == step["output"]
        counts = transcoder.counts
        found = {"ill_formed": counts.invalid, "unencodable": counts.unencodable}
        assert found | {"skipped": counts.skipped, "tolerated": counts.tolerated} == case["counts"]

    @staticmethod
    def imap_encode(case):
        text = bytes.fromhex(case["input"])
        if case["error"] is None:
            assert imap.encode(text.decode()).hex() == case["output"]
        else:
            # The name is a str: it was decoded before.
            with pytest.raises(utfall.DecodeError) as raised:
                utfall.transcode(text, "UTF-8", "UTF-7-IMAP")
            assert same(problem_of(raised.value), case["error"])

    @staticmethod
    def imap_decode(case):
        name, problems = bytes.fromhex(case["input"]), case["problems"]
        if not problems:
            assert imap.decode(name).encode().hex() == case["output"]
            return
        # The decoder only tells that the name is invalid. Its first error may have another kind: the digit of `R&D` that is left
        # over comes before the missing end.
        assert not utfall.is_valid(name, "UTF-7-IMAP")
        with pytest.raises(utfall.DecodeError):
            imap.decode(name)

    @staticmethod
    def detect(case):
        text, options = bytes.fromhex(case["input"]), dict(case["options"])
        name = options.pop("name", "(memory)")
        if "candidates" in options:
            options["limit"] = options.pop("candidates")
        options.setdefault("limit", max(1, len(case["report"][0]["candidates"])))
        found = utfall.detect(text, **options)
        expected = [{key: value for key, value in line.items() if key != "version"} for line in case["report"]]
        assert lines(found.json()) == named(expected, name)
        assert (found.encoding if found.sure else None) == case["encoding"]
        best = case["report"][0]["candidates"][:1]
        assert [found.confidence] * len(best) == [candidate["confidence"] for candidate in best]

    @staticmethod
    def repair(case):
        text, options = bytes.fromhex(case["input"]), dict(case["options"])
        name = options.pop("name", "(memory)")
        found = utfall.repair(text, **options)
        assert (found.text.hex(), len(found.changes)) == (case["output"], case["changes"])
        assert lines(found.json()) == named(case["report"], name)

    @staticmethod
    def explain(case):
        text, options = bytes.fromhex(case["input"]), dict(case["options"])
        name = options.pop("name", "(memory)")
        if "begin" in options:
            options["start"] = options.pop("begin")
        found = utfall.explain(text, options.pop("encoding", None), **options)
        assert lines(found.json()) == named(case["report"], name)
        expected = [line for line in case["report"] if line["type"] == "unit"]
        assert [unit.bytes.hex(" ").upper() for unit in found] == [unit["hex"] for unit in expected]

    @staticmethod
    def explain_mail(case):
        text, options = bytes.fromhex(case["input"]), dict(case["options"])
        name = options.pop("name", "(memory)")
        if "begin" in options:
            options["start"] = options.pop("begin")
        assert lines(mail.explain_json(text, **options)) == named(case["report"], name)

    @staticmethod
    def check(case):
        text, options = bytes.fromhex(case["input"]), dict(case["options"])
        name = options.pop("name", "(memory)")
        is_all = options.pop("all", False)
        if "levels" in options:
            options["rules"] = dict(pair.split("=") for pair in options.pop("levels").split(","))
        found = utfall.check(text, **options)
        counts = (len(found.errors), len(found.warnings), found.valid)
        assert counts == (case["errors"], case["warnings"], case["valid"])
        # Python always reports all problems of a line; without `all`, the case has one of each kind.
        expected, report = named(case["report"], name), lines(found.json())
        assert [line for line in report if is_all or line in expected] == expected
        assert [line for line in report if line["type"] != "problem"] == [line for line in expected if line["type"] != "problem"]


@pytest.mark.parametrize("call", CALLS)
def test_cases(call):
    """Every case gives what Rust gives."""
    run = getattr(Run, call.replace("-", "_"))
    chosen = [case for case in CASES if case["call"] == call]
    for case in chosen:
        try:
            run(case)
        except BaseException:
            print(json.dumps(case, ensure_ascii=False))
            raise
    print(f"{len(chosen)} cases of {call}")


def test_all_cases_are_there():
    assert len(CASES) > 1000
    assert len(CALLS) == 15


# Vectors of other projects.

FILES = [
    "utf-8", "utf-8-legacy", "utf-7", "utf-7-imap", "utf-16", "utf-32", "ucs-2", "ucs-4", "cesu-8", "mutf-8", "wtf-8",
    "utf-1", "utf-ebcdic", "scsu", "bocu-1",
]  # fmt: skip
#: The handlers of the modes.
MODES = {
    "strict": "strict",
    "lax": "strict",
    "dotnet": "strict",
    "windows-cp65000": "strict",
    "-": "strict",
    "replace": "replace",
    "ignore": "ignore",
    "surrogateescape": "surrogateescape",
    "surrogatepass": "surrogatepass",
    "backslashreplace": "backslashreplace",
    "namereplace": "namereplace",
    "xmlcharrefreplace": "xmlcharrefreplace",
}
#: Options that are arguments here.
OPTIONS = {
    "bom=strip": {"bom": "strip"},
    "bom=none": {"bom": "strip"},
    "bom=keep": {"bom": "keep"},
    "bom=write": {"bom": "add"},
    "fffd=per-byte": {"granularity": "per-byte"},
    "fffd=kuhn": {"granularity": "perl"},
    "fffd=perl": {"granularity": "perl"},
    "replacement=U+FFFC": {"replacement": "\ufffc"},
    "set-o=encoded": {"utf7": "header"},
    "unshift=always-minus": {"utf7": "explicit"},
}
#: Options that need no argument.
USUAL = re.compile(
    "-|bom=optional|fffd=(maximal-subpart|one-per-ill-formed-run)|set-o=(direct|any)|unshift=implicit.*|"
    "lf=.*|encoder-choice.*|chunks=.*|outs=.*|source|source-skips.*|had-errors|stream|endian=.*|input=.*|"
    "implementation=.*"
)
#: What a reader of UTF-7 accepts, by encoding and mode.
TOLERANCES = {
    ("utf-7", "dotnet"): "end-shift-dropped,empty-shift-dropped,non-zero-padding,dangling-digits,lone-surrogates,controls,"
    "backslash-tilde,latin1",
    ("utf-7", "windows-cp65000"): "non-zero-padding,dangling-digits,lone-surrogates",
    ("utf-7-imap", "lax"): "null-shift",
}


class NotRun(Exception):
    """Why a vector cannot be run."""


def rows(name):
    with open(TESTDATA / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def vector_arguments(case):
    """The encoding, and the keywords."""
    encoding, mode, given = case["encoding"], case["mode"], {}
    if mode not in MODES or (encoding, mode) == ("bocu-1", "surrogatepass"):
        raise NotRun(f"mode {mode}")
    for option in case["options"].split(";"):
        if option in OPTIONS:
            for name, value in OPTIONS[option].items():
                given[name] = f"{given[name]},{value}" if name in given else value
        elif not USUAL.fullmatch(option):
            raise NotRun(f"option {option.split('=')[0]}")
        if option == "lf=25":
            encoding = "UTF-EBCDIC/CDRA"
        if option == "endian=le" and encoding in ("utf-16", "utf-32"):
            encoding += "le"
    tolerance = TOLERANCES.get((encoding, mode))
    if encoding == "utf-7" and mode == "strict" and "CPython" in case["source"]:
        tolerance = "lone-surrogates"
    if encoding == "utf-7-imap" and "iconv-lite" in case["source"]:
        tolerance = "slash-digit"
    if tolerance:
        given["utf7_allow"] = tolerance
    try:
        utfall.lookup(encoding)
    except LookupError:
        raise NotRun(f"encoding {encoding}") from None
    return encoding, given | {"errors": MODES[mode]}


def points(text):
    values = [int(digits, 16) for digits in text.split()]
    if any(value > 0x10FFFF for value in values):
        raise NotRun("a code point above 10FFFF, which no str has")
    return "".join(map(chr, values))


def run_vector(case):
    """What differs from the vector; None if nothing does."""
    encoding, given = vector_arguments(case)
    is_decoded = case["direction"] == "decode"
    if is_decoded:
        data = bytes.fromhex(case["input"])
        call, whole, pieces = utfall.decode, data, [data[index : index + 1] for index in range(len(data))]
        given.pop("utf7", None)
        if encoding in ("utf-16", "utf-32") and not utfall.find_bom(data):
            given_order = {"default=le", "default=heuristic"} & set(case["options"].split(";"))
            if given_order:
                raise NotRun("little-endian or guessed without a BOM")
        expected = points(case["expected"]) if case["kind"] == "cp" else None
        stream = utfall.Decoder(encoding, given["errors"], **{k: v for k, v in given.items() if k != "errors"}).decode
    elif case["direction"] == "encode":
        text = points(case["input"])
        call, whole, pieces = utfall.encode, text, list(text)
        for name in ("granularity", "replacement", "utf7_allow"):
            given.pop(name, None)
        expected = bytes.fromhex(case["expected"]) if case["kind"] == "bytes" else None
        if given["errors"] == "replace" and "CPython" not in case["source"]:
            given["substitute"] = "\ufffd"
        if "input=utf-16-units" in case["options"]:
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
            whole, pieces = text, list(text)
        if encoding == "utf-7" and re.search("[\ud800-\udfff]", text) and case["result"] == "ok":
            raise NotRun("surrogates that its source lets pass")
        stream = utfall.Encoder(encoding, given["errors"], **{k: v for k, v in given.items() if k != "errors"}).encode
    else:
        raise NotRun(f"direction {case['direction']}")
    try:
        found, error = call(whole, encoding, **given), None
    except (utfall.DecodeError, utfall.EncodeError) as raised:
        found, error = None, raised
    # In pieces, it is the same.
    try:
        parts = [stream(piece) for piece in pieces]
        cut = (b"" if isinstance(found, bytes) else "").join([*parts, stream(pieces[0][:0] if pieces else whole, True)])
        assert error is None and cut == found, (cut, found, error)
    except (utfall.DecodeError, utfall.EncodeError) as raised:
        assert error is not None and (raised.offset, raised.kind) == (error.offset, error.kind), (raised, error)
    if case["result"] == "error":
        if error is None:
            return f"accepted as {found!r}"
        offset = case["err_off"]
        return None if not offset or int(offset) == error.offset else f"offset {error.offset} instead of {offset}"
    if error is not None:
        return f"refused: {error}"
    if case["direction"] == "encode" and case["encoding"] == "scsu":
        # An encoder may choose its bytes, as long as they decode to the text.
        return None if utfall.decode(found, encoding) == utfall.decode(expected, encoding) else f"{found!r}"
    if expected is not None and found != expected:
        return f"{found!r} instead of {expected!r}"
    return None


@pytest.mark.parametrize("file", FILES)
def test_vectors(file):
    """The vectors of other projects give what these expect, except those in testdata/dissents.tsv."""
    dissents = {row["id"] for row in rows("dissents.tsv")}
    not_run, failed, passed = collections.Counter(), [], 0
    for case in rows(f"vectors/{file}.tsv"):
        if "final=no" in case["options"]:
            not_run["incomplete input"] += 1
            continue
        try:
            difference = run_vector(case)
        except NotRun as reason:
            not_run[str(reason)] += 1
            continue
        if difference is None:
            passed += 1
        elif case["id"] not in dissents:
            failed.append(f"{case['id']} ({case['source']}): {difference}")
    print(f"{file}: {passed} passed; not run: {dict(not_run)}")
    assert not failed, "\n".join(failed[:20])
    assert passed > 0


def test_vectors_of_encoded_words():
    dissents = {row["id"] for row in rows("dissents.tsv")}
    passed, failed = 0, []
    for case in rows("vectors/rfc2047.tsv"):
        is_plain = case["options"] == "-" and case["mode"] in ("text", "strict", "lax", "-")
        if case["direction"] != "decode" or case["encoding"] != "rfc2047" or not is_plain or case["kind"] != "cp":
            continue
        found = mail.decode_words(bytes.fromhex(case["input"]), strict=case["mode"] == "strict").text
        if found == points(case["expected"]):
            passed += 1
        elif case["id"] not in dissents:
            failed.append(f"{case['id']} ({case['source']}): {found!r} instead of {points(case['expected'])!r}")
    print(f"{passed} passed")
    assert not failed, "\n".join(failed)
    assert passed > 50
