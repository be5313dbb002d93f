"""The shop window is true: what the README shows runs, in order, and gives what it says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LITE = (ROOT / "tools" / "lite.py").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_examples_run_and_the_refusal_is_the_one_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len(blocks) == 5
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    assert {path.name for path in tmp_path.iterdir()} >= {"friday.combat", "friday.html"}
    enc = names["other"]
    assert isinstance(enc, ck.Encounter)
    ruling = ck.Encounter.branch(names["enc"], 25).can("Mara", "full_attack", target="Guard 2")
    assert repr(ruling).startswith(
        'Ruling(allowed=False, reason="A full-round action doesn\'t fit in the surprise round."'
    )
    assert ruling.rule in README


def test_every_file_and_page_it_names_is_there() -> None:
    named = re.findall(r"(?:`(notebooks/[^`]+)`|\]\(([^)#]+)\))", README)
    paths = [a or b for a, b in named if not (a or b).startswith("http")]
    assert len(paths) > 8
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_site_s_address_is_written_in_one_place() -> None:
    home = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Homepage"]
    looked = [
        *ROOT.glob("*.*"),
        *(path for name in ("docs", "conda", "notebooks", "tools") for path in (ROOT / name).rglob("*")),
    ]
    texts = [path for path in looked if path.suffix in (".md", ".toml", ".yaml", ".ipynb", ".py", ".cff")]
    listed = [path.name for path in texts if home.rstrip("/") in path.read_text(encoding="utf-8")]
    assert listed == ["pyproject.toml"]


def test_each_page_of_the_site_that_is_named_is_one_that_is_built() -> None:
    told = [README, *((ROOT / name).read_text(encoding="utf-8") for name in ("Makefile", "docs/guides/lesson.md"))]
    named = {
        page for text in told for page in re.findall(r"(?:127\.0\.0\.1:\S+?|WHERE-IT-STANDS)/(\S+?)(?=[\s\"`)])", text)
    }
    assert len(named) >= 3
    for page in named:
        folder, _, notebook = page.partition("/index.html?path=")
        assert (ROOT / "notebooks" / notebook).exists(), page
        assert folder.strip("/") == "table" or f'"--apps", "{folder}"' in LITE, page


def test_every_system_stands_in_the_table_with_its_rules_counted() -> None:
    for ruleset in ck.rulesets():
        assert re.search(rf"\| `{ruleset.id}` \| .* \| {len(ruleset.rules)} \|", README), ruleset.id


def test_a_call_shown_in_a_line_of_text_works_where_nothing_has_been_made_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    calls = re.findall(r'`(ck\.Tracker\((?:\w+="[^"`]*"(?:, )?)*\))`', README)
    assert 'ck.Tracker(journal="friday.combat")' in calls
    for call in calls:
        eval(call, {"ck": ck})
