"""What people read is written as docs/style.md says: no phrase that was retired comes back."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tools import strings

RETIRED: dict[str, str] = tomllib.loads((strings.ROOT / "docs" / "retired.toml").read_text("utf-8"))


def found(texts: list[strings.Text]) -> list[str]:
    """Give the places of retired phrases, each with what to say instead."""
    return [
        f"{each.file}:{each.line} says {phrase!r}; say {better!r}"
        for each in texts
        for words in [" ".join(each.text.lower().split())]
        for phrase, better in RETIRED.items()
        if phrase.lower() in words
    ]


def test_no_retired_phrase_comes_back() -> None:
    wrong = found(list(strings.texts()))
    assert not wrong, "\n".join(wrong)


def test_what_replaces_a_phrase_is_not_retired_itself() -> None:
    assert found([strings.Text("docs/retired.toml", 0, better) for better in RETIRED.values()]) == []


@pytest.mark.parametrize(
    ("name", "source", "said"),
    [
        ("a.py", 'def f():\n    """Roll."""\n    raise ValueError(f"{x} has left\\n    already")\n', "a.py:3"),
        ("a.toml", 'id = 1\n[[rules]]\ntext = "Mara has left already."\n', "a.toml:3"),
        ("a.js", 'const a = 1;\nsay("They has left already.");\n', "a.js:2"),
        ("b.js", "const a = html`<b>x</b>\n  <span>has left already</span>`;\n", "b.js:2"),
        ("a.md", "# A\n\nMara has left already.\n", "a.md:3"),
        ("a.ipynb", '{"cells": [{"source": ["A"]}, {"source": ["x\\n", "Mara has left already."]}]}', "a.ipynb:2"),
    ],
)
def test_a_retired_phrase_is_found_wherever_people_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, source: str, said: str
) -> None:
    folder = (
        tmp_path / "docs"
        if name.endswith(".md")
        else tmp_path
        / {"py": "combatkit", "toml": "combatkit"}.get(
            name.rpartition(".")[2], "js" if name.endswith("js") else "notebooks"
        )
    )
    folder.mkdir()
    (folder / name).write_text(source, encoding="utf-8")
    monkeypatch.setattr(strings, "ROOT", tmp_path)
    (wrong,) = found(list(strings.texts()))
    assert f"{said} says 'has left already'" in wrong
