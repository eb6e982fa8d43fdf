"""The examples of docstrings, of the README, and of docs/python.md run."""

import doctest
import importlib
import inspect
import pathlib
import pkgutil

import pytest

import utfall

ROOT = pathlib.Path(__file__).parents[1]
MODULES = ["utfall", *(module.name for module in pkgutil.walk_packages(utfall.__path__, "utfall.") if not module.name.endswith("__main__"))]


def run(name, text):
    """Runs examples, each text with its own names."""
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    out: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    runner.run(test, out=out.append)
    assert not runner.failures, "".join(out)
    return len(test.examples)


@pytest.fixture(autouse=True)
def _unregistered(tmp_path, monkeypatch):
    monkeypatch.setenv("UTFALL_STATE_DIR", str(tmp_path.parent / "state"))
    yield
    utfall.codecs.unregister()


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(name)
    run(name, module.__doc__ or "")
    for item_name, item in vars(module).items():
        if getattr(item, "__module__", None) not in (name, "utfall") or item_name.startswith("_"):
            continue
        run(f"{name}.{item_name}", inspect.getdoc(item) or "")


def test_every_public_name_has_documentation():
    for name in utfall.__all__:
        item = getattr(utfall, name)
        if name != "__version__":
            assert inspect.getdoc(item), name
        if inspect.ismodule(item):
            assert all(inspect.getdoc(getattr(item, member)) for member in item.__all__), name
        if inspect.isclass(item):
            for member_name, member in vars(item).items():
                if not member_name.startswith("_") and (callable(member) or isinstance(member, property)):
                    assert inspect.getdoc(member), f"{name}.{member_name}"


@pytest.mark.parametrize("name", ["decode", "encode", "transcode", "is_valid", "problems", "detect", "repair", "explain", "check", "open"])
def test_functions_have_an_example(name):
    assert ">>> " in (inspect.getdoc(getattr(utfall, name)) or "")


PAGE = (ROOT.parents[1] / "docs" / "python.md").read_text(encoding="utf-8")
#: The last section needs another package.
MAIN, ARROW = PAGE.split("## Use columns of Arrow")


def readme(folder):
    return (folder / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "text"), [("README", readme(ROOT)), ("README of the project", readme(ROOT.parents[1])), ("docs", MAIN)]
)
def test_pages(name, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(name, text.replace("```", "")) > 3


def test_page_about_arrow():
    pytest.importorskip("pyarrow")
    assert run("docs", ARROW.replace("```", "")) > 3
