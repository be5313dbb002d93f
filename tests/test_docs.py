"""The documentation site: it builds without a warning, holds everything public, and loads nothing from elsewhere."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
import tomllib
import zlib
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote

import pytest

import combatkit as ck
from combatkit.core import limits
from combatkit.rules.ruleset import Ruleset
from combatkit.study.differences import topics
from combatkit.widgets._intents import KINDS
from tests import sites

ROOT = Path(__file__).parents[1]

LOADS = {"src", "srcset", "poster", "data", "action", "background"}
"""Attributes whose address a browser fetches by itself."""

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("docs")]  # the site is built once


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as ``make docs`` does: warnings are errors, and cells that fail are too."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-E", "-W", "--keep-going", "-q", "-d", str(folder / "doctrees")]
    done = subprocess.run(
        [*command, "docs", str(folder / "html")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    sites.keep(folder / "html")
    return folder / "html"


@pytest.fixture(scope="module")
def objects(site: Path) -> dict[str, dict[str, str]]:
    """Give what the site says it holds: by kind, the page of each object."""
    content = (site / "objects.inv").read_bytes().split(b"\n", 4)[-1]
    found: dict[str, dict[str, str]] = {}
    for line in zlib.decompress(content).decode().splitlines():
        name, kind, _, address, _ = re.fullmatch(r"(.+?) (\S+:\S+) (-?\d+) (\S*) (.*)", line).groups()  # type: ignore[union-attr]
        found.setdefault(kind, {})[name] = address.replace("$", name)
    return found


def documented(objects: dict[str, dict[str, str]]) -> set[str]:
    return {name for kind, pages in objects.items() if kind.startswith("py:") for name in pages}


def test_every_public_name_has_its_place(objects: dict[str, dict[str, str]]) -> None:
    public = {f"combatkit.{name}" for name in ck.__all__}
    for name in ck.__all__:
        thing = getattr(ck, name)
        if isinstance(thing, ModuleType):
            own = getattr(thing, "__all__", None) or public_functions(thing)
            public |= {f"combatkit.{name}.{each}" for each in own}
    assert len(public) > 50
    assert sorted(public - documented(objects)) == []


def public_functions(module: ModuleType) -> list[str]:
    """Give what a module defines itself and tells about."""
    return [
        name
        for name, thing in vars(module).items()
        if not name.startswith("_") and getattr(thing, "__module__", "") == module.__name__ and thing.__doc__
    ]


@pytest.mark.parametrize(
    ("path", "cls"), [("combatkit.Encounter", ck.Encounter), ("combatkit.rules.ruleset.Ruleset", Ruleset)]
)
def test_every_method_has_its_place(objects: dict[str, dict[str, str]], path: str, cls: type) -> None:
    methods = {f"{path}.{name}" for name in dir(cls) if not name.startswith("_") and getattr(cls, name).__doc__}
    hooks_told_as_data = {
        f"{path}.{name}" for name in ("incapable", "watched", "round_title", "score_title", "end_title")
    }
    assert len(methods) > 30
    assert sorted(methods - documented(objects) - hooks_told_as_data) == []


def test_every_rule_has_its_place(objects: dict[str, dict[str, str]]) -> None:
    kit = [book for book in ck.rulesets() if (ROOT / "docs" / "systems" / f"{book.id}.md").exists()]
    assert len(kit) == 5
    assert {rule.id for book in kit for rule in book.rules} == set(objects["std:rule"])
    lists = [each for book in kit for lists in book.lists.values() for each in lists.values()]
    assert {rule.id for each in lists for rule in each.rules} == set(objects["std:listrule"])


def test_a_page_a_system_tells_its_actions_options_and_stats(site: Path) -> None:
    for book in ck.rulesets()[:5]:
        text = (site / "systems" / f"{book.id}.html").read_text(encoding="utf-8")
        told = set(re.findall(r'<span class="pre">([^<]+)</span>', text))
        assert {action.id for action in book.actions} <= told, book.id
        assert set(book.options) <= told, book.id
        assert {stat.name for stat in book.stats} <= told, book.id
        assert "Initiative ladder" in text


def rows_of(page: str) -> dict[str, list[str]]:
    """Give the rows of a page's tables by what stands first in each, the cells without their marks."""
    found: dict[str, list[str]] = {}
    for row in re.findall(r"<tr.*?</tr>", page, flags=re.DOTALL):
        first, *rest = (
            re.sub("<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL)
        )
        found[first] = rest
    return found


def test_the_wire_page_tells_every_message_and_limit_as_they_are(site: Path) -> None:
    told = rows_of((site / "wire.html").read_text(encoding="utf-8"))
    for kind, message in KINDS.items():
        assert re.findall(r"(\w+): ", told[kind][0]) == list(message.__struct_encode_fields__), kind
        assert told[kind][1], kind
    assert told["place"][0].endswith("count: int | str | None = null, note: str = &quot;&quot;")
    numbers = {name: int(told[name][0].replace(",", "")) for name in vars(limits) if name.isupper()}
    assert numbers == {name: value for name, value in vars(limits).items() if name.isupper()}
    assert all(told[name][1] for name in numbers)


class Loads(HTMLParser):
    """Collects the addresses that a browser fetches for a page by itself, links to follow not among them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag == "link" and given.get("rel") not in {"canonical", "next", "prev", "search", "index"}:
            self.found.append(given.get("href") or "")
        self.found += [value or "" for name, value in attributes if name in LOADS]
        self.found += re.findall(r"url\(([^)]*)\)", given.get("style") or "")


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        assert loads.found, page
        for address in loads.found:
            assert not re.match(r"(\w+:)?//", address), f"{page.name}: {address}"
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.findall(r"(?:@import|url\()\s*['\"]?(?:https?:)?//", text), sheet.name


def test_each_notebook_and_each_topic_can_be_tried_in_the_page(site: Path) -> None:
    pattern = r'<details class="try">.*?<iframe loading="lazy" [^>]*src="([^"]+)"></iframe></details>'
    live = "../../lite/notebooks/index.html?path="
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        page = (site / "notebooks" / f"{notebook.stem}.html").read_text(encoding="utf-8")
        assert re.findall(pattern, page, re.DOTALL) == [live + notebook.name], notebook.name
    page = (site / "differences.html").read_text(encoding="utf-8")
    asked = [unquote(html.unescape(address)) for address in re.findall(pattern, page, re.DOTALL)]
    assert [address.partition("\n")[2] for address in asked] == [f'ck.contrast("{id}")' for id in topics()]
    assert all(address.startswith("../lite/repl/index.html?") for address in asked)


def test_every_page_and_what_it_loads_is_kept_for_a_visit_without_a_network(site: Path) -> None:
    told = json.loads((site / "files.js").read_text(encoding="utf-8").removeprefix("const FILES = ").rstrip(";\n"))
    kept = {(site / unquote(name)).resolve() for name in told["names"]}
    assert kept >= {path for path in site.rglob("*") if path.suffix in (".css", ".html", ".png", ".svg")}
    assert {site, site / "searchindex.js", site / "_static" / "try.js"} <= kept
    assert "importScripts" in (site / "offline.js").read_text(encoding="utf-8")


def test_the_page_for_a_class_has_lanes_and_questions_and_no_code(site: Path) -> None:
    page = (site / "five-ways.html").read_text(encoding="utf-8")
    assert "<h1>The same fight, five ways</h1>" in page
    assert page.count("<details>") == 3
    assert "<pre" not in page
    assert '<a href="five-ways.html">' in (site / "notebooks.html").read_text(encoding="utf-8")


def test_links_between_the_pages_lead_somewhere(site: Path) -> None:
    missing = [
        f"{page.relative_to(site)}: {address}"
        for page in site.rglob("*.html")
        for address in re.findall(r'<a [^>]*href="([^"#?]+)', page.read_text(encoding="utf-8"))
        if not re.match(r"\w+:", address) and not (page.parent / address).exists()
    ]
    assert missing == []


def test_the_citation_is_of_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(rf"^version: {re.escape(version)}$", citation, flags=re.MULTILINE)
    assert ck.__version__ == version


def test_what_contributing_names_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:combatkit|docs|js|notebooks|tests|tools)/[\w./-]*|[A-Z]\w+\.md)`|\]\(([\w./-]+)\)", text)
    assert len(named) > 8
    assert [a or b for a, b in named if not (ROOT / (a or b)).exists()] == []
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert set(re.findall(r"`make ([\w-]+)`", text)) <= targets


@pytest.mark.parametrize(("workflow", "last"), [("release", "publish"), ("pages", "deploy")])
def test_nothing_is_published_unasked_and_no_secret_is_kept(workflow: str, last: str) -> None:
    text = (ROOT / ".github" / "workflows" / f"{workflow}.yml").read_text(encoding="utf-8")
    assert re.findall(r"^on:\n((?:  .*\n)+)", text, flags=re.MULTILINE) == ["  release:\n    types: [published]\n"]
    assert "secrets." not in text
    building, _, publishing = text.partition(f"  {last}:")
    assert re.findall(r"\w+: write", building) == [], "only the last job may publish"
    assert "id-token: write" in publishing
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert set(re.findall(r"make ([\w ]+)", text)) <= {"docs lite"}
    assert "docs" in targets


def test_a_code_space_opens_the_demo_where_jupyter_listens() -> None:
    folder = ROOT / ".devcontainer"
    space = json.loads((folder / "devcontainer.json").read_text(encoding="utf-8"))
    assert space["onCreateCommand"] == "make build"
    command, _, origin = space["postAttachCommand"].partition(" ARGS=--ServerApp.allow_origin=")
    assert command == "make demo"
    assert space["containerEnv"] == {"JUPYTER_CONFIG_PATH": "${containerWorkspaceFolder}/.devcontainer"}
    server = json.loads((folder / "jupyter_server_config.json").read_text(encoding="utf-8"))["ServerApp"]
    assert space["forwardPorts"] == [server["port"]]
    assert origin == f"https://$CODESPACE_NAME-{server['port']}.$GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN"
