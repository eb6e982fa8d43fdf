"""What type checkers see. This is checked by mypy, not run."""

from pathlib import Path
from typing import assert_type

import utfall
from utfall import imap, mail

assert_type(utfall.decode(memoryview(b"a"), "UTF-8", "replace"), str)
assert_type(utfall.decode(b"a", errors=lambda error: (error.reason, error.end)), str)
assert_type(utfall.encode("a", "latin1", lambda error: (b"?", error.end)), bytes)
assert_type(utfall.transcode(b"a", "detect", "UTF-8", newline="lf"), bytes)
assert_type(utfall.encode("〜", "Shift_JIS", double_mappings="either", jis_x_0212="write"), bytes)
assert_type(utfall.repair("a"), utfall.Repaired[str])
assert_type(utfall.repair(b"a").text, bytes)
assert_type(utfall.repair("a", force=True).skipped, tuple[utfall.Skipped, ...])
assert_type(utfall.detect(Path("a")).codec, str | None)
assert_type([unit.code_point for unit in utfall.explain(b"a")], list[int | None])
assert_type(imap.encode("a"), bytes)
assert_type(utfall.Decoder("UTF-8").getstate(), tuple[bytes, int])
assert_type(mail.Message(b"").text, str | None)
assert_type(mail.Message(b"").parts[0].charset, mail.Charset | None)
assert_type(mail.Message(b"")["Subject"], str)
assert_type(mail.Message(b"").get("Subject", ""), str)
assert_type(utfall.lookup("latin1").bom, bytes)
assert_type(utfall.Transcoder("UTF-7").counts, utfall.Counts)
