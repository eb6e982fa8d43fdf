"""CPython's codecs, glibc's `iconv` or ICU's converters, as a peer of `utfall-conformance`.

The argument is `cpython`, `glibc` or `icu`. `src/peer.rs` describes the format of the pipes.
"""

import ctypes
import ctypes.util
import platform
import re
import struct
import sys

ABSENT = 0xFFFFFFFF
NOT_ASKED = struct.pack("<BIII", 2, ABSENT, ABSENT, 0)


def answer(status, offset, length, output):
    return struct.pack("<BIII", status, offset, length, len(output)) + output


def fine(output):
    return answer(0, ABSENT, ABSENT, output)


def error(offset=ABSENT, length=ABSENT):
    return answer(1, offset, length, b"")


class CPython:
    def __init__(self):
        self.version = platform.python_version()

    def ask(self, mode, label):
        try:
            "".encode(label)
        except LookupError:
            return None
        handler = "replace" if mode == "r" else "strict"
        pass_on = "surrogatepass"

        def decode(octets):
            try:
                return fine(octets.decode(label, handler).encode("utf-32-le", pass_on))
            except UnicodeDecodeError as found:
                return error(found.start, found.end - found.start)
            except UnicodeError:
                # Some codecs do not report a position.
                return error()

        def encode(octets):
            try:
                return fine(octets.decode("utf-32-le", pass_on).encode(label))
            except UnicodeEncodeError as found:
                # The end is not comparable: for some codecs it is the next character that can be
                # encoded, for others it follows the first that cannot.
                return error(found.start)
            except UnicodeError:
                return error()

        return encode if mode == "e" else decode


class Glibc:
    FAILED = ctypes.c_size_t(-1).value

    def __init__(self):
        self.libc = ctypes.CDLL(None)
        self.libc.gnu_get_libc_version.restype = ctypes.c_char_p
        self.version = self.libc.gnu_get_libc_version().decode()
        self.libc.iconv_open.restype = ctypes.c_void_p
        self.libc.iconv_open.argtypes = [ctypes.c_char_p] * 2
        self.libc.iconv_close.argtypes = [ctypes.c_void_p]
        self.libc.iconv.restype = ctypes.c_size_t
        self.libc.iconv.argtypes = [ctypes.c_void_p] * 5

    def ask(self, mode, label):
        if mode not in "de":
            return None
        # UCS-4 has more values than UTF-32 allows.
        names = [b"UCS-4LE" if label.startswith("UCS-4") else b"UTF-32LE", label.encode()]
        if mode == "e":
            names.reverse()
        converter = self.libc.iconv_open(*names)
        if converter == self.FAILED:
            return None
        iconv = self.libc.iconv
        # A reset does not reset the byte order read from a mark.
        anew = label in ("UTF-16", "UTF-32")

        def convert(octets):
            nonlocal converter
            if anew:
                self.libc.iconv_close(converter)
                converter = self.libc.iconv_open(*names)
            iconv(converter, None, None, None, None)
            source = ctypes.create_string_buffer(octets, len(octets) + 1)
            target = ctypes.create_string_buffer(16 * len(octets) + 64)
            at = ctypes.c_void_p(ctypes.addressof(source))
            to = ctypes.c_void_p(ctypes.addressof(target))
            left = ctypes.c_size_t(len(octets))
            room = ctypes.c_size_t(len(target))
            pointers = [ctypes.byref(each) for each in (at, left, to, room)]
            failed = iconv(converter, *pointers) == self.FAILED
            # Flushes characters held back, and the end of the encoding.
            if not failed:
                failed = iconv(converter, None, None, *pointers[2:]) == self.FAILED
            if failed:
                offset = len(octets) - left.value
                return error(offset // 4 if mode == "e" else offset)
            return fine(target.raw[: len(target) - room.value])

        return convert


class Icu:
    def __init__(self):
        library = ctypes.util.find_library("icuuc")
        if library is None:
            raise OSError("there is no libicuuc")
        self.icu = ctypes.CDLL(library)
        self.suffix = re.search(r"[0-9]+", library.split(".so")[-1]).group()
        octets = (ctypes.c_uint8 * 4)()
        self.function("u_getVersion")(octets)
        self.version = f"{octets[0]}.{octets[1]}"

    def function(self, name):
        return getattr(self.icu, f"{name}_{self.suffix}")

    def ask(self, mode, label):
        code = ctypes.c_int(0)
        open_converter = self.function("ucnv_open")
        open_converter.restype = ctypes.c_void_p
        converter = open_converter(label.encode(), ctypes.byref(code))
        if code.value > 0:
            return None
        converter = ctypes.c_void_p(converter)
        to = mode != "e"
        direction = "TO" if to else "FROM"
        if mode != "r":
            stop = ctypes.cast(self.function(f"UCNV_{direction}_U_CALLBACK_STOP"), ctypes.c_void_p)
            name = "ucnv_setToUCallBack" if to else "ucnv_setFromUCallBack"
            self.function(name)(converter, stop, None, None, None, ctypes.byref(code))
        reset = self.function("ucnv_reset")
        convert = self.function("ucnv_toUnicode" if to else "ucnv_fromUnicode")
        convert.argtypes = [ctypes.c_void_p] * 6 + [ctypes.c_int8, ctypes.c_void_p]
        invalid = self.function("ucnv_getInvalidChars")

        def run(source, length, target, size):
            """Returns the units written, the bytes read, and the error code."""
            reset(converter)
            code = ctypes.c_int(0)
            at = ctypes.c_void_p(ctypes.addressof(source))
            out = ctypes.c_void_p(ctypes.addressof(target))
            convert(
                converter, ctypes.byref(out), out.value + size, ctypes.byref(at),
                at.value + length, None, 1, ctypes.byref(code),
            )
            start = ctypes.addressof(target)
            return out.value - start, at.value - ctypes.addressof(source), code

        def decode(octets):
            source = ctypes.create_string_buffer(octets, len(octets) + 1)
            target = ctypes.create_string_buffer(8 * len(octets) + 64)
            written, read, code = run(source, len(octets), target, len(target) - 2)
            if code.value > 0:
                found = ctypes.create_string_buffer(64)
                length = ctypes.c_int8(64)
                again = ctypes.c_int(0)
                invalid(converter, found, ctypes.byref(length), ctypes.byref(again))
                return error(read - length.value, length.value)
            units = target.raw[:written].decode(f"utf-16-{sys.byteorder[0]}e", "surrogatepass")
            return fine(units.encode("utf-32-le", "surrogatepass"))

        def encode(octets):
            text = octets.decode("utf-32-le", "surrogatepass")
            units = text.encode(f"utf-16-{sys.byteorder[0]}e", "surrogatepass")
            source = ctypes.create_string_buffer(units, len(units) + 2)
            target = ctypes.create_string_buffer(16 * len(units) + 64)
            written, _, code = run(source, len(units), target, len(target))
            return error() if code.value > 0 else fine(target.raw[:written])

        return decode if to else encode


def main():
    peer = {"cpython": CPython, "glibc": Glibc, "icu": Icu}[sys.argv[1]]()
    source, target = sys.stdin.buffer, sys.stdout.buffer
    target.write(f"{peer.version}\n".encode())
    target.flush()
    readers = {}
    while head := source.read(10):
        mode, name_length, count, size = struct.unpack("<BBII", head)
        name = source.read(name_length).decode()
        octets = source.read(size)
        key = (chr(mode), name)
        if key not in readers:
            readers[key] = peer.ask(*key)
        reader = readers[key]
        answers = []
        at = 0
        for _ in range(count):
            (length,) = struct.unpack_from("<I", octets, at)
            at += 4
            answers.append(reader(octets[at : at + length]) if reader else NOT_ASKED)
            at += length
        body = b"".join(answers)
        target.write(body)
        target.flush()


main()
