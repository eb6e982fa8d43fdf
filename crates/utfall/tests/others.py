"""What CPython, glibc and ICU read: for `others.rs`.

Each line of standard input is `UTF-7` or `UTF-7-IMAP`, a space, and octets in hexadecimal. Each
line of standard output has what the three make of it, with tabs between: code points in
hexadecimal, `E` for an error, `-` if that reader cannot be asked.
"""

import ctypes
import ctypes.util
import re
import sys


def by_python(name):
    if name != "UTF-7":
        return None

    def read(octets):
        try:
            text = octets.decode("utf-7")
        except UnicodeDecodeError:
            return None
        return [ord(scalar) for scalar in text]

    return read


def by_glibc(name):
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "gnu_get_libc_version"):
        return None
    libc.iconv_open.restype = ctypes.c_void_p
    libc.iconv.restype = ctypes.c_size_t
    libc.iconv.argtypes = [ctypes.c_void_p] * 5
    failed = ctypes.c_size_t(-1).value
    converter = libc.iconv_open(b"UTF-32LE", name.encode())
    if converter == failed:
        return None

    def read(octets):
        libc.iconv(converter, None, None, None, None)
        source = ctypes.create_string_buffer(octets, len(octets) + 1)
        target = ctypes.create_string_buffer(16 * len(octets) + 16)
        at = ctypes.c_void_p(ctypes.addressof(source))
        to = ctypes.c_void_p(ctypes.addressof(target))
        left = ctypes.c_size_t(len(octets))
        room = ctypes.c_size_t(len(target))
        arguments = [ctypes.byref(each) for each in (at, left, to, room)]
        if libc.iconv(converter, *arguments) == failed:
            return None
        units = target.raw[: len(target) - room.value]
        return [int.from_bytes(units[i : i + 4], "little") for i in range(0, len(units), 4)]

    return read


def by_icu(name):
    library = ctypes.util.find_library("icuuc")
    if library is None:
        return None
    icu = ctypes.CDLL(library)
    version = re.search(r"[0-9]+", library.split(".so")[-1]).group()
    function = lambda text: getattr(icu, f"{text}_{version}")
    error = ctypes.c_int(0)
    open_converter = function("ucnv_open")
    open_converter.restype = ctypes.c_void_p
    label = {"UTF-7": b"UTF-7", "UTF-7-IMAP": b"IMAP-mailbox-name"}[name]
    converter = open_converter(label, ctypes.byref(error))
    stop = ctypes.cast(function("UCNV_TO_U_CALLBACK_STOP"), ctypes.c_void_p)
    set_callback = function("ucnv_setToUCallBack")
    set_callback.argtypes = [ctypes.c_void_p] * 6
    set_callback(converter, stop, None, None, None, ctypes.byref(error))
    to_units = function("ucnv_toUChars")
    to_units.argtypes = [
        ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32,
        ctypes.c_char_p, ctypes.c_int32, ctypes.c_void_p,
    ]
    if error.value > 0:
        return None

    def read(octets):
        units = (ctypes.c_uint16 * (2 * len(octets) + 4))()
        error = ctypes.c_int(0)
        count = to_units(
            converter, units, len(units), octets, len(octets), ctypes.byref(error)
        )
        if error.value > 0:
            return None
        text = bytes(units)[: 2 * count].decode(f"utf-16-{sys.byteorder[0]}e", "surrogatepass")
        return [ord(scalar) for scalar in text]

    return read


readers = {
    name: [by_python(name), by_glibc(name), by_icu(name)] for name in ("UTF-7", "UTF-7-IMAP")
}
for line in sys.stdin:
    name, octets = line.split(" ")
    outcomes = []
    for reader in readers[name]:
        if reader is None:
            outcomes.append("-")
            continue
        points = reader(bytes.fromhex(octets))
        outcomes.append("E" if points is None else " ".join(f"{point:X}" for point in points))
    print("\t".join(outcomes))
