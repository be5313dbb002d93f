"""A lesson in JupyterLab: what a student clicks is in the notebook, and outlives its cells and the kernel."""

from __future__ import annotations

import re
from ast import literal_eval
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import LabPage
from tests.browser.test_lab_restart import WATCH, LabHand

pytestmark = pytest.mark.long

QUIZ = 'import combatkit as ck\nquiz = ck.quiz(["saga"], n=2, seed=5, student="Anna", keep="anna-{0}.answers")\nquiz'
TASK = 'task = ck.exercise("saga-move-twice", student="Anna", keep="anna-{0}.answers")\ntask'
STATE = "(tuple(quiz.score), task.check().passed)"


def handed_in(page: LabPage) -> Path:
    page.page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    name = page.page.evaluate("() => jupyterapp.shell.currentWidget.context.path")
    return Path(page.server.folder, name)


def told(path: Path) -> list[Any]:
    frame = ck.gather(path)
    rows: list[Any] = frame.select("student", "question", "exercise", "right", "first", "anew", "problem").rows()
    return rows


def test_what_is_clicked_is_handed_in_and_outlives_cells_and_kernel(lab_page: LabPage, request: object) -> None:
    lab_page.page.set_viewport_size({"width": 1280, "height": 1400})
    mark = str(id(request))
    lab_page.open([QUIZ.format(mark), TASK.format(mark)])
    lab_page.run_all()
    lab_page.page.evaluate(WATCH)
    quiz = LabHand(lab_page, 0)
    quiz.root.get_by_role("button", name="They may", exact=True).click()
    quiz.settle()
    panel = lab_page.cell(1).get_by_role("region", name="Exercise")
    tracker = lab_page.cell(1).get_by_role("button", name=re.compile("^Move"))
    for _ in range(2):
        tracker.first.click()
        quiz.settle()
    panel.get_by_role("button", name="Check").click()
    expect(panel).to_contain_text("Well done.")
    lab_page.screenshot("lab-lesson")
    score, passed = literal_eval(lab_page.add_and_run_cell(STATE))
    assert (score[:2], passed) == ((2, 1), True)
    first = told(handed_in(lab_page))
    assert [row[1:3] for row in first] == [(1, None), (2, None), (None, "saga-move-twice")]
    assert [row[3] for row in first] == [bool(score[2]), False, True]
    assert all(row[5] for row in first)
    for is_new in (False, True):
        if is_new:
            lab_page.restart()
        lab_page.run_all()
        assert literal_eval(lab_page.add_and_run_cell(STATE)) == (score, passed)
        assert told(handed_in(lab_page)) == first


def test_a_notebook_is_saved_from_within_a_widget(lab_page: LabPage) -> None:
    lab_page.open(["import combatkit as ck\nck.quiz(['saga'], n=3, seed=1, student='Anna')"])
    lab_page.run_all()
    lab_page.wait_until_idle()
    lab_page.page.wait_for_function("jupyterapp.shell.currentWidget.model.dirty")
    lab_page.cell(0).get_by_role("button", name="Hint").focus()
    lab_page.page.keyboard.press("Control+s")
    lab_page.page.wait_for_function("!jupyterapp.shell.currentWidget.model.dirty")
    lab_page.page.keyboard.press("d")
    lab_page.page.keyboard.press("d")
    assert lab_page.page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length") == 1, "other keys stay ours"
