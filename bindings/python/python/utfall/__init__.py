"""Validate, convert, detect, explain and repair text in any Unicode encoding.

>>> import utfall
>>> utfall.decode(b"Hi Mom -+Jjo--!", "UTF-7")
'Hi Mom -☺-!'
>>> utfall.detect("Μήνιν ἄειδε, θεά".encode())
Detection(UTF-8, 0.99)
>>> utfall.repair("dÃ©jÃ\\xa0 vu").text
'déjà vu'

- Convert: decode, encode, transcode; in pieces with Decoder, Encoder, Transcoder; files with open,
  folders with convert_tree.
- Inspect: is_valid, problems, detect, explain, check, find_bom.
- Fix mojibake: repair.
- Modules: utfall.codecs registers codecs, utfall.mail reads and converts messages, utfall.imap converts mailbox
  names, utfall.arrow converts columns, utfall.compat has the functions of chardet and ftfy.

Encodings have the names and aliases of IANA and WHATWG, in any case; `utfall.encodings()` lists them, and `utfall.lookup` finds one. Functions take
any object with a contiguous buffer. Other threads run while large input is converted or examined, except where
CPython itself converts.
"""

from . import arrow, codecs, compat, imap, mail
from ._check import Checked, Finding, check
from ._detect import Candidate, Detection, Evidence, detect
from ._encodings import Encoding, encodings, find_bom, lookup
from ._errors import DecodeError, DetectError, EncodeError
from ._explain import Explanation, Unit, UnitProblem, explain
from ._files import open
from ._problems import Problem, problems
from ._repair import Change, Repaired, Skipped, repair
from ._tree import Conversion, ConvertedFile, ConvertError, convert_tree
from ._utfall import (
    VERSION as __version__,
    Counts,
    Decoder,
    Encoder,
    Transcoder,
    character_name,
    decode,
    encode,
    is_valid,
    transcode,
)

__all__ = [
    "Candidate",
    "Change",
    "Checked",
    "Conversion",
    "ConvertError",
    "ConvertedFile",
    "Counts",
    "DecodeError",
    "Decoder",
    "DetectError",
    "Detection",
    "EncodeError",
    "Encoder",
    "Encoding",
    "Evidence",
    "Explanation",
    "Finding",
    "Problem",
    "Repaired",
    "Skipped",
    "Transcoder",
    "Unit",
    "UnitProblem",
    "__version__",
    "arrow",
    "character_name",
    "check",
    "codecs",
    "compat",
    "convert_tree",
    "decode",
    "detect",
    "encode",
    "encodings",
    "explain",
    "find_bom",
    "imap",
    "is_valid",
    "lookup",
    "mail",
    "open",
    "problems",
    "repair",
    "transcode",
]
