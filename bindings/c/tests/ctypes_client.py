"""A second client of the shared library, which does not use the header: python3 ctypes_client.py LIBRARY"""

import ctypes
import json
import sys
from ctypes import c_bool, c_char_p, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p


class Error(ctypes.Structure):
    _fields_ = [
        ("offset", c_uint64), ("line", c_uint64), ("column", c_uint64), ("length", c_uint32),
        ("run_bit", c_uint32), ("code_point", c_uint32), ("kind", c_uint16), ("encoding", c_uint16),
    ]


class Progress(ctypes.Structure):
    _fields_ = [("read", c_size_t), ("written", c_size_t), ("error", Error), ("status", c_uint8)]


library = ctypes.CDLL(sys.argv[1])
Writer = ctypes.CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)
library.utfall_for_label.restype = c_uint16
library.utfall_for_label.argtypes = [c_char_p, c_size_t]
library.utfall_name.restype = c_char_p
library.utfall_name.argtypes = [c_uint16]
library.utfall_transcode.restype = Progress
library.utfall_transcode.argtypes = [
    c_uint16, c_uint16, c_void_p, c_char_p, c_size_t, c_char_p, c_size_t,
]
library.utfall_explain_json.restype = c_uint8
library.utfall_explain_json.argtypes = [c_char_p, c_size_t, c_void_p, Writer, c_void_p]


def encoding(label):
    return library.utfall_for_label(label, len(label))


def transcode(text, source, target):
    out = ctypes.create_string_buffer(8 * len(text) + 16)
    progress = library.utfall_transcode(
        encoding(source), encoding(target), None, text, len(text), out, len(out)
    )
    return progress, out.raw[: progress.written]


# Where Python has the same encoding, the answers are the same.
TEXT = "naïve 日本語 😀\n" * 50
for name in ["utf-16-le", "utf-16-be", "utf-32-le", "utf-7", "gb18030"]:
    progress, out = transcode(TEXT.encode(), b"utf-8", name.encode())
    assert progress.status == 0, name
    assert out.decode(name) == TEXT, name
    progress, back = transcode(TEXT.encode(name), name.encode(), b"utf-8")
    assert (progress.status, back.decode()) == (0, TEXT), name

for bad in [b"a\xC0\xAE", b"\xE2\x82", b"abc\xED\xA0\x80", b"\xF4\x90\x80\x80"]:
    try:
        bad.decode()
    except UnicodeDecodeError as expected:
        progress, _ = transcode(bad, b"utf-8", b"utf-16")
        assert (progress.status, progress.error.offset) == (2, expected.start), bad

lines = []


@Writer
def collect(_context, text, length):
    lines.append(json.loads(ctypes.string_at(text, length)))
    return True


assert library.utfall_explain_json("é€".encode(), 5, None, collect, None) == 0
assert [line["type"] for line in lines] == ["input", "unit", "unit", "end"]
assert lines[2]["name"] == "EURO SIGN"
assert library.utfall_name(encoding(b"latin1")) == b"ISO-8859-1"
print("ctypes: all as expected")
