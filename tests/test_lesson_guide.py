"""The guide to a lesson runs, cell by cell, as it stands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck

GUIDE = Path(__file__).parents[1] / "docs" / "guides" / "lesson.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.long
def test_every_cell_of_the_guide_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "handed-in").mkdir()
    names: dict[str, Any] = {"ck": ck}
    for code in BLOCKS:
        exec(code, names)
    assert len(names["fights"]) >= 3
    assert capsys.readouterr().out.count("is left out") == len(ck.rulesets()) - len(names["fights"]) > 0
    assert (tmp_path / "our-scene.html").is_file()
    assert names["task"].check().passed is False
    assert names["handed"].key("a sentence only you know").height == 4


def test_the_guide_names_every_kind_of_a_goal() -> None:
    from combatkit.study.exercises.goals import KINDS

    assert set(re.findall(r"^\| `(\w+)` \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)) >= set(KINDS)


def test_a_student_who_runs_the_lesson_again_goes_on_with_their_fight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    book = json.loads((GUIDE.parents[2] / "notebooks" / "11-a-lesson.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"][:2]

    def run() -> ck.Encounter:
        names: dict[str, Any] = {}
        for code in cells:
            exec(code, names)
        found: ck.Encounter = names["enc"]
        return found

    enc = run()
    enc.do("Vex", "attack", target="Mara")
    digest = enc.digest
    assert run().digest == digest, "the cell again"
    enc.close()
    assert run().digest == digest, "a restart"
