"""House rules that no linter knows: the project stands alone, and its parts keep their places."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from core.charts.theme import DARK, LIGHT, Palette
from tests.declared import declared_pages

ROOT = Path(__file__).resolve().parent.parent
CHECKSUMS = [
    ROOT / "data" / "reference" / "SHA256SUMS",
    *sorted(ROOT.glob("data/panels/*/SHA256SUMS")),
]

# Put together here, so that this file doesn't contain what it looks for.
UNWANTED = {
    "a folder beside the project": ("../", "shared"),
    "a folder of one machine": ("/", "work", "/"),
    "the Python registry": ("py", "pi", ".org"),
    "the Python registry's files": ("python", "hosted"),
    "the npm registry": ("registry.", "npmjs"),
    "the Debian registry": ("deb.", "debian"),
}


def git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout


def project_files() -> list[Path]:
    """Files under version control or about to be."""
    listed = git("ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


def test_the_project_names_nothing_outside_itself() -> None:
    files = project_files()
    assert files, "git lists no files; is this a git checkout?"
    found = []
    for path in files:
        content = path.read_bytes().lower()
        for what, parts in UNWANTED.items():
            if "".join(parts).encode() in content:
                found.append(f"{path.relative_to(ROOT)} names {what}")
    assert not found


def test_nothing_that_belongs_to_the_project_is_ignored() -> None:
    would_be = [
        "data/build/__main__.py",
        "data/build/composition/search.py",
        "data/panels/composition/cells-reconstructed-1.parquet",
        "data/reference/composition/figures.csv",
        ".streamlit/config.toml",
    ]
    assert git("check-ignore", "--no-index", *would_be) == ""
    assert git("check-ignore", "--no-index", ".streamlit/secrets.toml") != ""


@pytest.mark.parametrize("sums", CHECKSUMS, ids=lambda path: path.parent.name)
def test_checksums_hold_and_cover_every_file(sums: Path) -> None:
    listed = dict(
        reversed(line.split("  ", 1)) for line in sums.read_text(encoding="utf-8").splitlines()
    )
    present = {
        path.relative_to(sums.parent).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sums.parent.rglob("*")
        if path.is_file() and path != sums
    }
    assert listed == present
    assert list(listed) == sorted(listed)


def test_every_panel_folder_has_checksums() -> None:
    folders = {path.parent for path in ROOT.glob("data/panels/*/*.parquet")}
    assert folders == {path.parent for path in CHECKSUMS[1:]}


IMPORT_ALL = """
import importlib, pkgutil, sys

class NoStreamlit:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "streamlit":
            raise ImportError("the core must not import streamlit")

sys.meta_path.insert(0, NoStreamlit())
import core

def fail(name):
    raise ImportError(name)

for module in pkgutil.walk_packages(core.__path__, "core.", onerror=fail):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
        print(module.name)
# Imported where it is used, since the app would start slower with it.
assert "openai" not in sys.modules
"""


def test_the_core_imports_without_streamlit() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    modules = {
        f"core.{'.'.join(path.relative_to(ROOT / 'core').with_suffix('').parts)}"
        for path in (ROOT / "core").rglob("*.py")
        if path.name != "__main__.py"
    }
    imported = set(done.stdout.split())
    missed = {name for name in modules if name.removesuffix(".__init__") not in {*imported, "core"}}
    assert not missed, "a folder under core without __init__.py is not a package"


def test_only_one_module_opens_a_cache_on_disk_and_none_unpickles() -> None:
    importing = re.compile(
        r"^\s*(?:import|from)\s+(diskcache|pickle|cloudpickle|joblib|marshal|shelve)\b", re.M
    )
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for folder in ("core", "pages", "data")
        for path in (ROOT / folder).rglob("*.py")
        for name in importing.findall(path.read_text(encoding="utf-8"))
    }
    assert found <= {("core/live/cache.py", "diskcache")}


def test_no_expression_runs_python() -> None:
    # core/columns.py says why, and does the same without.
    called = re.compile(r"\.(map_(?:elements|batches|groups|rows)|rolling_map|reduce_with)\(")
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for folder in ("core", "pages")
        for path in (ROOT / folder).rglob("*.py")
        for name in called.findall(path.read_text(encoding="utf-8"))
    }
    assert not found


def test_both_ruff_files_ban_the_same_modules() -> None:
    shared = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    of_core = tomllib.loads((ROOT / "core" / "ruff.toml").read_text())["lint"]
    section = "flake8-tidy-imports"
    banned = dict(of_core[section]["banned-api"])
    assert banned.pop("streamlit")
    assert banned == shared[section]["banned-api"]


@pytest.mark.parametrize(
    "path",
    [*sorted(ROOT.glob("requirements*.txt")), ROOT / "constraints.txt"],
    ids=lambda path: path.name,
)
def test_every_requirement_is_pinned(path: Path) -> None:
    lines = [line.split("#")[0].strip() for line in path.read_text().splitlines()]
    pinned = re.compile(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==[0-9][^\s*]*(\s*;.+)?")
    loose = [
        ln for ln in lines if ln and not ln.startswith(("-r ", "-c ")) and not pinned.fullmatch(ln)
    ]
    assert not loose


def test_no_page_has_the_address_of_a_file() -> None:
    # Streamlit answers a first visit to /stem with pages/stem.py alone, without app.py: no
    # navigation, no shared controls. An address unlike every file name goes through app.py.
    stems = {path.stem for path in (ROOT / "pages").glob("*.py")}
    pages = declared_pages()
    addresses = [page.url_path for page in pages if not page.is_first]
    assert all(addresses), "every page but the first needs its own url_path"
    assert len(set(addresses)) == len(addresses)
    assert not stems & set(addresses)


def luminance(colour: str) -> float:
    """Relative luminance by WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_stand_out_from_their_background(theme: str) -> None:
    colours = CONFIG["theme"][theme]
    back = colours["backgroundColor"]
    assert len(colours["chartCategoricalColors"]) == 6
    assert all(contrast(colour, back) >= 3 for colour in colours["chartCategoricalColors"])
    for ground in (back, colours["secondaryBackgroundColor"]):
        assert contrast(colours["textColor"], ground) >= 7
        assert contrast(colours["primaryColor"], ground) >= 3


@pytest.mark.parametrize(("theme", "drawn"), [("light", LIGHT), ("dark", DARK)])
def test_charts_and_pages_use_the_same_colours(theme: str, drawn: Palette) -> None:
    colours = CONFIG["theme"][theme]
    assert tuple(colours["chartCategoricalColors"]) == drawn.hues
    assert colours["backgroundColor"] == drawn.background
    assert contrast(drawn.grey, drawn.background) >= 3
    assert contrast(drawn.quiet_text, drawn.background) >= 4.5


def test_streamlit_knows_every_setting() -> None:
    from streamlit import config

    def names(table: dict[str, object], prefix: str = "") -> list[str]:
        return [
            name
            for key, value in table.items()
            for name in (
                names(value, f"{prefix}{key}.") if isinstance(value, dict) else [prefix + key]
            )
        ]

    # get_option raises for a setting that does not exist.
    assert [name for name in names(CONFIG) if config.get_option(name) is None] == []
