"""A second client of the shared library, which does not use the header: python3 ctypes_client.py LIBRARY CASES

It compares the library with Python where both know an encoding, and runs testdata/bindings/cases.json.
"""

import ctypes
import json
import math
import sys
from collections import Counter
from ctypes import byref, c_bool, c_char_p, c_double, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

OK, OUTPUT_FULL, INVALID_TEXT, INVALID_ARGUMENT = range(4)
NO_RUN_BIT = 0xFFFFFFFF


class Error(ctypes.Structure):
    _fields_ = [
        ("offset", c_uint64), ("line", c_uint64), ("column", c_uint64), ("length", c_uint32),
        ("run_bit", c_uint32), ("code_point", c_uint32), ("kind", c_uint16), ("encoding", c_uint16),
    ]


class Progress(ctypes.Structure):
    _fields_ = [("read", c_size_t), ("written", c_size_t), ("error", Error), ("status", c_uint8)]


class Options(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("on_invalid", c_uint8), ("on_unencodable", c_uint8), ("granularity", c_uint8),
        ("bom", c_uint8), ("utf7", c_uint32), ("transliterate", c_uint8), ("track_position", c_uint8),
        ("double_mappings", c_uint8), ("jis_x_0212", c_uint8), ("replacement", c_char_p), ("replacement_length", c_size_t),
        ("substitute", c_char_p), ("substitute_length", c_size_t),
    ]


class ReportOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("encoding", c_uint16), ("all", c_uint8), ("only_problems", c_uint8),
        ("json_escapes", c_uint8), ("concealed", c_uint8), ("force", c_uint8), ("html_entities", c_uint8), ("candidates", c_uint32),
        ("utf7", c_uint32), ("percent_encoding", c_uint8), ("only_layers", c_uint8), ("reserved", c_uint8 * 2), ("begin", c_uint64), ("end", c_uint64), ("min_confidence", c_double),
        ("language", c_char_p), ("language_length", c_size_t), ("levels", c_char_p), ("levels_length", c_size_t),
        ("name", c_char_p), ("name_length", c_size_t),
    ]


class Info(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p), ("specification", c_char_p), ("bom", c_void_p), ("bom_length", c_size_t),
        ("flags", c_uint32), ("code_unit", c_uint8), ("family", c_uint8), ("reserved", c_uint8 * 2),
    ]


class Counts(ctypes.Structure):
    _fields_ = [(name, c_uint64) for name in ("ill_formed", "unencodable", "skipped", "tolerated")]


class CheckCounts(ctypes.Structure):
    _fields_ = [("errors", c_uint64), ("warnings", c_uint64), ("valid", c_uint8)]


Writer = ctypes.CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)
library = ctypes.CDLL(sys.argv[1])


def function(name, result, *arguments):
    found = getattr(library, "utfall_" + name)
    found.restype, found.argtypes = result, arguments
    return found


TEXT = (c_char_p, c_size_t)
PAIR = (c_uint16, c_uint16, c_void_p)
REPORT = (*TEXT, c_void_p, Writer, c_void_p)
for_label = function("for_label", c_uint16, *TEXT)
label_message = function("label_message", c_size_t, *TEXT, *TEXT)
for_bom = function("for_bom", c_uint16, *TEXT, c_void_p)
name_of = function("name", c_char_p, c_uint16)
alias = function("alias", c_char_p, c_uint16, c_size_t)
get_info = function("get_info", c_uint8, c_uint16, c_void_p)
kind_name = function("kind_name", c_char_p, c_uint16)
error_message = function("error_message", c_size_t, c_void_p, *TEXT)
error_clause = function("error_clause", c_size_t, c_void_p, *TEXT)
character_name = function("character_name", c_size_t, c_uint32, *TEXT)
options_init = function("options_init", None, c_void_p)
options_set = function("options_set", c_uint8, c_void_p, *TEXT, *TEXT, *TEXT)
validate = function("validate", c_uint8, c_uint16, *TEXT, c_void_p)
transcode = function("transcode", Progress, *PAIR, *TEXT, *TEXT)
transcoded_length = function("transcoded_length", c_uint8, *PAIR, *TEXT, c_void_p, c_void_p)
stream_new = function("stream_new", c_void_p, *PAIR)
stream_push = function("stream_push", Progress, c_void_p, *TEXT, *TEXT)
stream_finish = function("stream_finish", Progress, c_void_p, *TEXT, *TEXT)
stream_counts = function("stream_counts", c_uint8, c_void_p, c_void_p)
stream_free = function("stream_free", None, c_void_p)
report_options_init = function("report_options_init", None, c_void_p)
detect = function("detect", c_uint16, *TEXT, c_void_p, c_void_p)
detect_json = function("detect_json", c_uint8, *REPORT)
explain_json = function("explain_json", c_uint8, *REPORT)
explain_mail_json = function("explain_mail_json", c_uint8, *REPORT)
check_json = function("check_json", c_uint8, *REPORT, c_void_p)
repair = function("repair", c_uint8, *REPORT, Writer, c_void_p, c_void_p)
imap_encode = function("imap_encode", c_uint8, *TEXT, *TEXT, c_void_p, c_void_p)
imap_decode = function("imap_decode", c_uint8, *TEXT, *TEXT, c_void_p, c_void_p)


def encoding(label):
    """The number of an encoding; 0 for none."""
    return 0 if label is None else for_label(label.encode(), len(label.encode()))


def written(write, *arguments):
    """What a function writes to a space of sufficient size."""
    space = ctypes.create_string_buffer(write(*arguments, None, 0) + 1)
    write(*arguments, space, len(space))
    return space.value.decode()


def problem(error):
    """An error in the form of the cases."""
    if error.kind == 0:
        return None
    found = {
        "offset": error.offset, "length": error.length, "kind": kind_name(error.kind).decode(),
        "encoding": name_of(error.encoding).decode(), "message": written(error_message, byref(error)),
        "clause": written(error_clause, byref(error)),
    }
    if error.line:
        found |= {"line": error.line, "column": error.column}
    if error.run_bit != NO_RUN_BIT:
        found["run_bit"] = error.run_bit
    if found["kind"] == "unencodable":
        found["code_point"] = error.code_point
    return found


def set_option(options, name, value):
    """The status and the message. The value must be kept as long as the options."""
    message = ctypes.create_string_buffer(500)
    status = options_set(
        byref(options), name.encode(), len(name), value, len(value), message, len(message)
    )
    return status, message.value.decode()


def options_of(words):
    options, kept = Options(), []
    options_init(byref(options))
    options.track_position = 1
    for name, value in words.items():
        kept.append(value.encode())
        if name == "transliterate":
            options.transliterate = 1
        else:
            assert set_option(options, name, kept[-1]) == (OK, "")
    options.kept = kept
    return options


def report_options_of(fields):
    options, kept = ReportOptions(), []
    report_options_init(byref(options))
    for name, value in fields.items():
        if name == "encoding":
            options.encoding = encoding(value)
        elif name == "utf7_allow":
            options.utf7 = options_of({"utf7-allow": value}).utf7
        elif isinstance(value, str):
            kept.append(value.encode())
            setattr(options, name, kept[-1])
            setattr(options, name + "_length", len(kept[-1]))
        else:
            setattr(options, name, value)
    options.kept = kept
    return options


class Collected:
    """A writer that collects everything."""

    def __init__(self):
        self.bytes = b""
        self.writer = Writer(self.write)

    def write(self, _context, text, length):
        self.bytes += ctypes.string_at(text, length)
        return True

    def lines(self):
        return [json.loads(line) for line in self.bytes.splitlines()]


def push(stream, piece, last):
    output, errors, space = b"", [], ctypes.create_string_buffer(16)
    call = stream_finish if last else stream_push
    while True:
        progress = call(stream, piece, len(piece), space, len(space))
        output += space.raw[: progress.written]
        piece = piece[progress.read :]
        if progress.status == OK:
            return output, errors
        if progress.status == INVALID_TEXT:
            errors.append(problem(progress.error))
        else:
            assert progress.status == OUTPUT_FULL


def run_encoding(case):
    number, info = encoding(case["name"]), Info()
    assert get_info(number, byref(info)) == OK
    assert (number, info.name.decode()) == (case["number"], case["name"])
    assert name_of(number).decode() == case["name"]
    assert (info.specification.decode(), info.code_unit) == (case["specification"], case["code_unit"])
    assert ctypes.string_at(info.bom, info.bom_length).hex() == case["bom"]
    flags = ["iana", "ascii_transparent", "seven_bit", "stateful", "self_synchronizing"]
    assert all(bool(info.flags >> bit & 1) == case[flag] for bit, flag in enumerate(flags))
    aliases = [alias(number, index) for index in range(len(case["aliases"]) + 1)]
    assert aliases.pop() is None
    assert [text.decode() for text in aliases] == case["aliases"]


def run_label(case):
    assert encoding(case["label"]) == encoding(case["encoding"])
    label = case["label"].encode()
    assert written(label_message, label, len(label)) == (case["message"] or "")


def run_bom(case):
    text, length = bytes.fromhex(case["input"]), c_size_t(99)
    assert for_bom(text, len(text), byref(length)) == encoding(case["encoding"])
    assert length.value == case["length"]


def run_option_error(case):
    options = options_of({})
    assert set_option(options, case["name"], case["value"].encode()) == (INVALID_ARGUMENT, case["message"])


def run_character_name(case):
    assert written(character_name, case["code_point"]) == case["name"]


def run_validate(case):
    text, error = bytes.fromhex(case["input"]), Error()
    status = validate(encoding(case["encoding"]), text, len(text), byref(error))
    assert status == (INVALID_TEXT if case["error"] else OK)
    assert problem(error) == case["error"]


def run_transcode(case):
    text, expected = bytes.fromhex(case["input"]), bytes.fromhex(case["output"])
    pair = encoding(case["from"]), encoding(case["to"]), byref(options_of(case["options"]))
    status = INVALID_TEXT if case["error"] else OK
    space = ctypes.create_string_buffer(len(expected) + (64 if case["error"] else 0))
    progress = transcode(*pair, text, len(text), space, len(space))
    assert (progress.status, space.raw[: progress.written]) == (status, expected)
    assert problem(progress.error) == case["error"]
    length, error = c_size_t(99), Error()
    assert transcoded_length(*pair, text, len(text), byref(length), byref(error)) == status
    assert (length.value, problem(error)) == (0 if case["error"] else len(expected), case["error"])


def run_stream(case):
    options = options_of(case["options"])
    stream = stream_new(encoding(case["from"]), encoding(case["to"]), byref(options))
    for step in case["steps"]:
        output, errors = push(stream, bytes.fromhex(step["input"]), step["last"])
        assert (output.hex(), errors) == (step["output"], step["errors"])
    counts = Counts()
    assert stream_counts(stream, byref(counts)) == OK
    assert {name: getattr(counts, name) for name, _ in Counts._fields_} == case["counts"]
    stream_free(stream)


def mailbox(call, case):
    text, length, error = bytes.fromhex(case["input"]), c_size_t(), Error()
    call(text, len(text), None, 0, byref(length), byref(error))
    space = ctypes.create_string_buffer(length.value)
    call(text, len(text), space, len(space), byref(length), byref(error))
    assert space.raw.hex() == case["output"]
    return problem(error)


def run_imap_encode(case):
    assert mailbox(imap_encode, case) == case["error"]


def run_imap_decode(case):
    assert mailbox(imap_decode, case) == (case["problems"] or [None])[0]


def report(call, case, *more):
    text, options, found = bytes.fromhex(case["input"]), report_options_of(case["options"]), Collected()
    assert call(text, len(text), byref(options), found.writer, None, *more) == OK
    assert found.lines() == case["report"]


def run_detect(case):
    report(detect_json, case)
    text, options, confidence = bytes.fromhex(case["input"]), report_options_of(case["options"]), c_double(99)
    assert detect(text, len(text), byref(options), byref(confidence)) == encoding(case["encoding"])
    for best in case["report"][0]["candidates"][:1]:
        assert math.floor(confidence.value * 10000 + 1e-6) / 10000 == best["confidence"]


def run_explain(case):
    report(explain_json, case)


def run_explain_mail(case):
    report(explain_mail_json, case)


def run_check(case):
    counts = CheckCounts()
    report(check_json, case, byref(counts))
    assert (counts.errors, counts.warnings, bool(counts.valid)) == (case["errors"], case["warnings"], case["valid"])


def run_repair(case):
    text, options = bytes.fromhex(case["input"]), report_options_of(case["options"])
    output, found, changes = Collected(), Collected(), c_uint64(99)
    status = repair(
        text, len(text), byref(options), output.writer, None, found.writer, None, byref(changes)
    )
    assert (status, changes.value) == (OK, case["changes"])
    assert (output.bytes.hex(), found.lines()) == (case["output"], case["report"])


def run_cases(path):
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    for case in cases:
        try:
            globals()["run_" + case["call"].replace("-", "_")](case)
        except AssertionError:
            print(json.dumps(case, ensure_ascii=False), file=sys.stderr)
            raise
    return Counter(case["call"] for case in cases)


def compare_with_python():
    """Where Python has the same encoding, the answers are the same."""

    def convert(text, source, target):
        space = ctypes.create_string_buffer(8 * len(text) + 16)
        pair = encoding(source), encoding(target), None
        progress = transcode(*pair, text, len(text), space, len(space))
        return progress, space.raw[: progress.written]

    sample = "naïve 日本語 😀\n" * 50
    for name in ["utf-16-le", "utf-16-be", "utf-32-le", "utf-7", "gb18030"]:
        progress, out = convert(sample.encode(), "utf-8", name)
        assert (progress.status, out.decode(name)) == (OK, sample), name
        progress, back = convert(sample.encode(name), name, "utf-8")
        assert (progress.status, back.decode()) == (OK, sample), name
    for bad in [b"a\xC0\xAE", b"\xE2\x82", b"abc\xED\xA0\x80", b"\xF4\x90\x80\x80"]:
        try:
            bad.decode()
        except UnicodeDecodeError as expected:
            progress, _ = convert(bad, "utf-8", "utf-16")
            assert (progress.status, progress.error.offset) == (INVALID_TEXT, expected.start), bad


compare_with_python()
counts = run_cases(sys.argv[2])
assert len(counts) == 15
print("ctypes:", ", ".join(f"{count} {call}" for call, count in counts.items()))
