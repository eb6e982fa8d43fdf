"""docs/engines.md quotes the programs, and what they print."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import spark

PROGRAMS = pathlib.Path(__file__).parents[1]
PAGE = (PROGRAMS.parents[1] / "docs" / "engines.md").read_text(encoding="utf-8")
QUOTED = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", PAGE, re.DOTALL)
NAMES = sorted(path.name for path in PROGRAMS.glob("*.py") if path.name != "bench.py")
#: Of which the page has parts.
LONG = {"spark_bucket.py"}


def program(name):
    return (PROGRAMS / name).read_text(encoding="utf-8")


def test_every_block_is_quoted_from_a_program():
    for code, _ in QUOTED:
        assert any(code in program(name) for name in NAMES), code


@pytest.mark.parametrize("name", NAMES)
def test_every_program_is_quoted(name):
    assert f"(../examples/engines/{name})" in PAGE
    whole = [code for code, _ in QUOTED if code == program(name)]
    parts = [code for code, _ in QUOTED if code in program(name)]
    assert parts if name in LONG else whole


@pytest.mark.parametrize(("code", "printed"), [quote for quote in QUOTED if quote[1]])
def test_programs_print_what_the_page_says(code, printed):
    name = next(name for name in NAMES if program(name) == code)
    package = name.partition("_")[0].replace("spark", "pyspark")
    pytest.importorskip(package)
    if package == "pyspark":
        if shutil.which("java") is None:
            pytest.skip("there is no Java")
        assert spark.run(name) == printed
        return
    args = ["orders.csv"] if name.endswith("_csv.py") else []
    run = subprocess.run([sys.executable, name, *args], cwd=PROGRAMS, capture_output=True, text=True, env=os.environ)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip("\n") == printed.strip("\n")
