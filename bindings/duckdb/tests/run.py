"""Tests of the extension: python run.py EXTENSION CASES PAGE… [--without-memory]

The Python that runs it has the package duckdb. `cargo xtask bindings duckdb` runs it with several versions.
"""

import codecs
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager

import duckdb

HAS_MEMORY = "--without-memory" not in sys.argv
EXTENSION, CASES, *PAGES = [os.path.abspath(path) for path in sys.argv[1:] if not path.startswith("--")]
TEXT = "Zoë Müller, Straße 5, naïve café: 10 £ für Gör"
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def connect(**settings):
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", **settings})
    connection.execute(f"LOAD '{EXTENSION}'")
    return connection


def rows(query, *arguments, connection=None):
    return (connection or shared).execute(query, list(arguments)).fetchall()


def value(query, *arguments, connection=None):
    ((found,),) = rows(query, *arguments, connection=connection)
    return found


def equal(found, expected, what=""):
    if found != expected:
        found, expected, what = (it if len(it) < 2000 else f"{it[:1000]}…" for it in (repr(found), repr(expected), str(what)))
        raise AssertionError(f"{what}\nfound    {found}\nexpected {expected}")


@contextmanager
def fails(*parts):
    try:
        yield
    except duckdb.Error as error:
        missing = [part for part in parts if part not in str(error)]
        equal(missing, [], str(error))
    else:
        raise AssertionError(f"no error; expected {parts}")


# What the Rust library answers.


def cases(call):
    with open(CASES, encoding="utf-8") as file:
        found = [case for case in json.load(file)["cases"] if case["call"] == call]
    assert found, call
    return found


def problem(error):
    fields = ("offset", "length", "line", "column", "kind", "clause", "message")
    return error and {field: error[field] for field in fields}


@test
def validation_as_in_rust():
    """All at once, so the encodings are a column."""
    found = cases("validate")
    shared.execute("CREATE OR REPLACE TABLE cases (number INTEGER, text BLOB, encoding VARCHAR)")
    shared.executemany(
        "INSERT INTO cases VALUES (?, ?, ?)",
        [(at, bytes.fromhex(case["input"]), case["encoding"]) for at, case in enumerate(found)],
    )
    query = "SELECT utf_valid(text, encoding), utf_problem(text, encoding) FROM cases ORDER BY number"
    answers = rows(query)
    equal(len(answers), len(found))
    for (valid, reported), case in zip(answers, found):
        equal(valid, case["error"] is None, case)
        equal(reported, problem(case["error"]), case)


def policy(case):
    """The word for the last argument; None if SQL has no such option."""
    options = case["options"]
    return "strict" if options in ({}, {"bom": "strip"}) else options.get("on-error") if len(options) == 1 else None


@test
def conversion_as_in_rust():
    count = 0
    for case in cases("transcode"):
        word, text = policy(case), bytes.fromhex(case["input"])
        if word is None:
            continue
        calls = []
        if "bom" not in case["options"]:
            calls.append(("utf_transcode(?, ?, ?, ?)", [text, case["from"], case["to"], word]))
        if case["to"] == "UTF-8" and word != "surrogateescape":
            calls.append(("encode(utf_decode(?, ?, ?))", [text, case["from"], word]))
        if case["from"] == "UTF-8" and is_utf8(text) and "bom" not in case["options"]:
            calls.append(("utf_encode(?, ?, ?)", [text.decode(), case["to"], word]))
        for call, arguments in calls:
            count += 1
            if case["error"] is None:
                output = bytes.fromhex(case["output"])
                if "utf_decode" in call:
                    output = output.removeprefix(codecs.BOM_UTF8)
                equal(value(f"SELECT {call}", *arguments), output, case)
                continue
            error = case["error"]
            with fails(error["message"], f"at byte {error['offset']}", error["clause"]):
                value(f"SELECT {call}", *arguments)
            arguments[-1] = "null"
            equal(value(f"SELECT {call}", *arguments), None, case)
    assert count > 450, count


def is_utf8(text):
    try:
        return text.decode() is not None
    except UnicodeDecodeError:
        return False


@test
def labels_as_in_rust():
    for case in cases("label"):
        if case["message"] is None:
            equal(value("SELECT utf_valid(''::BLOB, ?)", case["label"]), True, case)
        else:
            with fails(case["message"]):
                value("SELECT utf_valid(''::BLOB, ?)", case["label"])


@test
def detection_as_in_rust():
    for case in cases("detect"):
        if case["options"]:
            continue
        found = value("SELECT utf_detect(?)", bytes.fromhex(case["input"]))
        report = case["report"][0]
        best = next(iter(report["candidates"]), None)
        expected = {"encoding": None, "confidence": None, "sure": False, "evidence": None}
        if best:
            reasons = "; ".join(reason["text"] for reason in best["evidence"])
            expected = {name: best[name] for name in ("encoding", "confidence")}
            expected |= {"sure": report["sure"], "evidence": reasons}
        equal(found, expected, case)


@test
def repair_as_in_rust():
    for case in cases("repair"):
        text = bytes.fromhex(case["input"])
        if not case["options"] and is_utf8(text):
            output = bytes.fromhex(case["output"]).decode()
            equal(value("SELECT utf_repair(?)", text.decode()), output, case)


EXPLAINED = ("kind", "offset", "line", "column", "hex", "code_point", "character", "name", "note")


@test
def explanation_as_in_rust():
    for case in cases("explain"):
        options = dict(case["options"])
        encoding, only = options.pop("encoding", "UTF-8"), options.pop("only_problems", False)
        header, *units, _ = case["report"]
        if options or header["encoding"] != encoding:
            continue
        wrong = [unit.get("problem", {}) for unit in units]
        expected = [
            tuple(unit.get(name) for name in EXPLAINED) + tuple(it.get(name) for name in ("kind", "clause", "message"))
            for unit, it in zip(units, wrong)
        ]
        text = bytes.fromhex(case["input"])
        equal(rows("FROM utf_explain(?, ?, problems := ?)", text, encoding, only), expected, case)


# Values: NULL, empty, long, invalid.

CALLS = {
    "utf_valid(b)": True,
    "utf_valid(t)": True,
    "utf_valid(b, e)": True,
    "utf_valid(t, e)": True,
    "utf_decode(b, e)": "",
    "utf_decode(b, e, p)": "",
    "utf_encode(t, e)": b"",
    "utf_encode(t, e, p)": b"",
    "utf_transcode(b, e, e)": b"",
    "utf_transcode(b, e, e, p)": b"",
    "utf_detect(b).encoding": "US-ASCII",
    "utf_repair(t)": "",
    "utf_problem(b, e)": None,
}


@test
def nulls_and_empty_values():
    row = {"b": "''::BLOB", "t": "''", "e": "'UTF-8'", "p": "'strict'"}
    for call, expected in CALLS.items():
        for missing in [None, *(name for name in row if re.search(rf"\b{name}\b", call))]:
            columns = {**row, missing: "NULL"} if missing else row
            types = {"b": "BLOB"}
            cells = ", ".join(f"{cell}::{types.get(name, 'VARCHAR')} {name}" for name, cell in columns.items() if name)
            wanted = None if missing else expected
            # Of constants, and of columns.
            constants = re.sub(
                r"\b([btep])\b", lambda it: f"({columns[it[0]]}::{types.get(it[0], 'VARCHAR')})", call
            )
            equal(value(f"SELECT {constants}"), wanted, (call, missing))
            source = f"(SELECT {cells} FROM range(3000))"
            equal(rows(f"SELECT DISTINCT {call} FROM {source}"), [(wanted,)], (call, missing))
            mixed = f"(SELECT * FROM {source} UNION ALL SELECT {', '.join(row.values())} FROM range(3000))"
            counts = rows(f"SELECT count(*), count({call}) FROM {mixed}")
            valid = 0 if expected is None else 3000 if missing else 6000
            equal(counts, [(6000, valid)], (call, missing))


@test
def explaining_null_gives_no_rows():
    equal(rows("FROM utf_explain(NULL, 'UTF-8')"), [])
    equal(rows("FROM utf_explain('a'::BLOB, NULL)"), [])
    equal(rows("FROM utf_explain(''::BLOB, 'UTF-8')"), [])


@test
def fields_of_a_null_struct_are_null():
    query = "SELECT (utf_problem('a', 'UTF-8')).message, (utf_detect(NULL)).encoding"
    equal(rows(query), [(None, None)])


@test
def long_values():
    for length in (11, 12, 13, 21000, 22000, 65535, 65536, 3_000_000):
        text = ("ä" * length)[:length]
        equal(value("SELECT utf_decode(?, 'latin1')", text.encode("latin1")), text, length)
        equal(value("SELECT utf_encode(?, 'utf-16le')", text), text.encode("utf-16le"), length)
        equal(value("SELECT utf_transcode(?, 'latin1', 'utf-32be')", text.encode("latin1")), text.encode("utf-32be"))
        equal(value("SELECT utf_valid(?)", text.encode()[:-1]), False)
        equal(value("SELECT utf_repair(?)", text), text)
        equal(value("SELECT (utf_problem(?, 'utf-8')).\"offset\"", text.encode()[:-1]), 2 * length - 2)
    # Escapes are longer than what they replace.
    equal(value("SELECT utf_decode(?, 'us-ascii', 'escape')", b"\xff" * 70_000), "\\xff" * 70_000)
    equal(value("SELECT utf_decode(?, 'us-ascii', 'escape')", b"\xff" * 300), "\\xff" * 300)


@test
def nul_is_a_character():
    equal(value("SELECT utf_decode('a\\x00b', 'latin1') = 'a' || chr(0) || 'b'"), True)
    equal(value("SELECT utf_encode('a' || chr(0), 'utf-16be')"), b"\0a\0\0")


@test
def a_bom_is_no_text():
    for name, mark in (("utf-8", codecs.BOM_UTF8), ("utf-16", codecs.BOM_UTF16_BE), ("utf-16le", codecs.BOM_UTF16_LE)):
        text = "a".encode("utf-16-be" if name == "utf-16" else name)
        equal(value("SELECT utf_decode(?, ?)", mark + text, name), "a", name)
        equal(value("SELECT utf_decode(?, ?)", mark, name), "", name)
    equal(value("SELECT utf_transcode('\\xEF\\xBB\\xBFa', 'utf-8', 'utf-8')"), b"\xef\xbb\xbfa")
    equal(value("SELECT utf_decode('\\xEF\\xBB\\xBFa', 'utf-8', 'replace')"), "a")


@test
def one_bad_value_in_the_middle():
    """Of 10,000 rows: an error, NULL, U+FFFD or an escape, and the others are as they would be."""
    shared.execute(
        """CREATE OR REPLACE TABLE bad AS SELECT i, CASE WHEN i = 5000 THEN 'a\\x0A\\xC3('::BLOB
           ELSE encode('é' || i) END b FROM range(10000) t(i)"""
    )
    with fails("utf_decode: ", "UTF-8", "at byte 2 (line 2, column 1): RFC 3629 §", "utf_detect", "'null'"):
        rows("SELECT utf_decode(b, 'utf-8') FROM bad")
    for word, expected in (("null", None), ("replace", "a\n\ufffd("), ("skip", "a\n("), ("escape", "a\n\\xc3(")):
        found = rows("SELECT i, utf_decode(b, 'utf-8', ?) FROM bad ORDER BY i", word)
        equal(found, [(i, expected if i == 5000 else f"é{i}") for i in range(10000)], word)
    equal(rows("SELECT i, (utf_problem(b, 'utf-8')).line FROM bad WHERE NOT utf_valid(b)"), [(5000, 2)])
    equal(rows("SELECT count(*), count(TRY(utf_decode(b, 'utf-8'))) FROM bad"), [(10000, 9999)])


@test
def a_character_that_the_target_lacks():
    with fails('utf_encode: U+20AC "€" cannot be encoded in ISO-8859-1 at byte 3', "'null'"):
        value("SELECT utf_encode('10 €', 'latin1')")
    for word, expected in (("null", None), ("replace", b"10 ?"), ("escape-xml", b"10 &#8364;")):
        equal(value("SELECT utf_encode('10 €', 'latin1', ?)", word), expected)


@test
def wrong_arguments():
    with fails('utf_encode: unknown encoding "klingon"'):
        value("SELECT utf_encode('a', 'klingon')")
    with fails('utf_explain: unknown encoding "utf-9"; did you mean "UTF-8"'):
        value("FROM utf_explain('a'::BLOB, 'utf-9')")
    with fails('utf_decode: on-error: unknown value "ignore"; expected null, strict, replace, '):
        value("SELECT utf_decode('a', 'utf-8', 'ignore')")
    with fails("utf_decode: surrogateescape keeps invalid bytes", "utf_transcode"):
        value("SELECT utf_decode('a', 'utf-8', 'surrogateescape')")
    with fails("unknown encoding", "did you mean"):
        rows("SELECT utf_decode('a'::BLOB, CASE WHEN i = 2500 THEN 'utf-9' ELSE 'utf-8' END) FROM range(3000) t(i)")
    with fails("unknown encoding"):
        value("SELECT utf_valid('a', ?)", "x" * 5000)


# Vectors: constant, flat, dictionary; many rows; threads.

ENCODINGS = {
    "utf-8": "utf-8", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be", "utf-32le": "utf-32-le",
    "latin1": "latin-1", "iso-8859-15": "iso-8859-15", "windows-1252": "cp1252", "macintosh": "mac-roman",
}


@test
def every_kind_of_vector():
    texts = [f"{TEXT} {i}" for i in range(7)]
    wanted = {name: [text.encode(python) for text in texts] for name, python in ENCODINGS.items()}
    shared.execute("CREATE OR REPLACE TABLE few (k INTEGER, e VARCHAR, b BLOB, t VARCHAR)")
    for name, encoded in wanted.items():
        shared.executemany(
            "INSERT INTO few VALUES (?, ?, ?, ?)",
            [(k, name, encoded[k], texts[k]) for k in range(len(texts))],
        )
    # A join makes dictionary vectors; a filter selects rows of flat ones.
    sources = {
        "flat": "few",
        "dictionary": "(SELECT few.* FROM range(30000) r(i) JOIN few ON few.k = r.i % 7)",
        "filtered": "(SELECT few.* FROM few, range(5000) r(i) WHERE r.i % 3 = 1)",
        "sorted": "(SELECT * FROM few ORDER BY b)",
    }
    for kind, source in sources.items():
        wrong = f"""SELECT count(*) FILTER (utf_decode(b, e) <> t), count(*) FILTER (utf_encode(t, e) <> b),
                    count(*) FILTER (utf_transcode(b, e, e) <> b), count(*) FILTER (NOT utf_valid(b, e)),
                    count(utf_problem(b, e)), count(*) FILTER (utf_repair(t) <> t) FROM {source}"""
        equal(rows(wrong), [(0, 0, 0, 0, 0, 0)], kind)
    # Constants beside columns, in both orders.
    for name, encoded in wanted.items():
        found = rows("SELECT DISTINCT utf_decode(?, e) FROM few WHERE e = ?", encoded[0], name)
        equal(found, [(texts[0],)], name)
        found = rows("SELECT k, utf_decode(b, ?) FROM few WHERE e = ? ORDER BY k", name, name)
        equal(found, list(enumerate(texts)), name)
    equal(rows("SELECT DISTINCT (utf_detect('abc')).encoding FROM range(5000)"), [("US-ASCII",)])
    equal(rows("SELECT count((utf_problem('\\xFF', 'utf-8')).kind) FROM range(5000)"), [(5000,)])


@test
def explanations_of_many_rows():
    found = rows("SELECT \"offset\", hex FROM utf_explain(repeat('a', 5000)::BLOB, 'utf-8')")
    equal(found, [(at, "61") for at in range(5000)])
    query = "SELECT * FROM utf_explain('a\\xC0\\xAE\\x1B'::BLOB, 'utf-8') WHERE kind = 'ill-formed'"
    equal(len(rows(query)), 1)
    equal(rows("SELECT line, character FROM utf_explain('\\x22\\x5C\\x0A\\xF0\\x9F\\x98\\x80'::BLOB, 'utf-8')"),
          [(1, '"'), (1, "\\"), (1, "\n"), (2, "😀")])


def random_texts(count):
    chance = random.Random(1)
    letters = "abcdefgh äöüßéè£§ñ"
    return ["".join(chance.choices(letters, k=chance.randrange(40))) for _ in range(count)]


@test
def many_rows_on_threads():
    """As Python converts them."""
    connection = connect(threads="4")
    texts = random_texts(20000)
    connection.execute("CREATE TABLE texts (i INTEGER, t VARCHAR)")
    # One statement: `executemany` takes long.
    connection.execute("INSERT INTO texts SELECT unnest(range(?)), unnest(?)", [len(texts), texts])
    connection.execute("INSERT INTO texts SELECT i + 20000 * r, t FROM texts, range(1, 5) s(r)")
    for name, python in ENCODINGS.items():
        encoded = [text.encode(python) for text in texts]
        query = "SELECT utf_encode(t, ?) FROM texts WHERE i < 20000 ORDER BY i"
        equal([it for (it,) in rows(query, name, connection=connection)], encoded, name)
        query = "SELECT count(*) FILTER (utf_decode(utf_encode(t, ?), ?) = t) FROM texts"
        equal(value(query, name, name, connection=connection), 100_000, name)


@test
def several_connections():
    wrong = []

    def work(cursor):
        try:
            for _ in range(20):
                query = "SELECT sum(length(utf_decode(utf_encode('ä' || i, 'utf-16'), 'utf-16'))) FROM range(3000) t(i)"
                equal(value(query, connection=cursor), 3000 + sum(len(str(i)) for i in range(3000)))
                with fails("unknown encoding"):
                    value("SELECT utf_encode('a', 'klingon')", connection=cursor)
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(shared.cursor(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal(wrong, [])


@test
def memory_is_freed_after_errors():
    if not HAS_MEMORY:
        print("     skipped: --without-memory")
        return
    # A value that needs a buffer of 2 MB, and one that is an error.
    source = "FROM (VALUES (repeat('a', 2000000)::BLOB, 'utf-8'), ('\\xFF'::BLOB, 'utf-9')) AS t(b, e)"

    def errors(count):
        for _ in range(count):
            with fails("utf_decode: "):
                rows(f"SELECT utf_decode(b, 'utf-8') {source}")
            with fails("utf_transcode: "):
                rows(f"SELECT utf_transcode(b, 'us-ascii', 'utf-32le') {source}")
            with fails("unknown encoding"):
                rows(f"SELECT utf_encode(decode(b[1:1000000]), e) {source.replace('xFF', 'x61')}")
            rows("FROM utf_explain(repeat('a', 5000)::BLOB, 'utf-8') LIMIT 1")

    errors(5)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    errors(25)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    assert grown < 40, f"{grown} MB"


# Files, and the pages.


@test
def whole_files():
    """A folder of CSV files in different encodings, from the paths to the lines."""
    with tempfile.TemporaryDirectory() as folder:
        texts = {"a": "windows-1252", "b": "utf-16", "c": "utf-8"}
        for name, encoding in texts.items():
            with open(os.path.join(folder, f"{name}.csv"), "wb") as file:
                file.write("".join(f"{name};{i};{TEXT}\n" for i in range(3)).encode(encoding))
        query = """
            SELECT parse_filename(filename) file, guess.encoding, unnest(string_split(rtrim(text, chr(10)), chr(10))) line
            FROM (SELECT *, utf_decode(content, guess.encoding) AS text
                  FROM (SELECT *, utf_detect(content) guess FROM read_blob(?))) ORDER BY ALL"""
        names = {"a": "windows-1252", "b": "UTF-16LE", "c": "UTF-8"}
        expected = [(f"{name}.csv", names[name], f"{name};{i};{TEXT}") for name in texts for i in range(3)]
        found = rows(query, os.path.join(folder, "*.csv"))
        equal(found, expected)


BLOCK = re.compile(r"^```(sh|sql|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def shown(connection, script):
    """What the last statement returns, as the page shows it, or its error."""
    try:
        relation = None
        for statement in duckdb.extract_statements(script):
            cursor = connection.execute(statement)
            relation = (cursor.description, cursor.fetchall()) if cursor.description else None
    except duckdb.Error as error:
        return str(error).split("\n")[0] + "\n"
    return table(*relation) if relation else ""


def cell(found):
    if found is None:
        return "NULL"
    if isinstance(found, bytes):
        return "".join(chr(it) if 32 <= it < 127 else f"\\x{it:02X}" for it in found)
    if isinstance(found, bool):
        return str(found).lower()
    if isinstance(found, dict):
        return "{" + ", ".join(f"{name}: {cell(it)}" for name, it in found.items()) + "}"
    return str(found)


def table(description, found):
    cells = [[column[0] for column in description], *([cell(it) for it in row] for row in found)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(cells[0]))]
    lines = [" | ".join(it.ljust(width) for it, width in zip(row, widths)).rstrip() for row in cells]
    lines.insert(1, "-+-".join("-" * width for width in widths))
    return "\n".join(lines) + "\n"


@test
def examples_of_the_pages():
    for page in PAGES:
        with open(page, encoding="utf-8") as file:
            blocks = BLOCK.findall(file.read())
        connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        output, count = None, 0
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            os.symlink(EXTENSION, "utfall.duckdb_extension")
            for language, text in blocks:
                if language == "sh" and "cargo" not in text:
                    subprocess.run(["sh", "-e", "-c", text], check=True)
                elif language == "sql":
                    output = shown(connection, text)
                elif language == "text" and output is not None:
                    equal(output, text, page)
                    count, output = count + 1, None
            os.chdir("/")
        assert count > 0, f"{page} has no examples"
        print(f"     {os.path.basename(page)}: {count} examples")


shared = connect()
print(f"DuckDB {duckdb.__version__}, {value('PRAGMA platform')}")
for it in TESTS:
    start = time.monotonic()
    print(f"   {it.__name__}", flush=True)
    it()
    if (seconds := time.monotonic() - start) > 1:
        print(f"     {seconds:.1f} s")
print(f"{len(TESTS)} tests passed")
