"""The tool that breaks places: what it breaks, that it draws the same again, and what it tells of a small package."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

from tools import mutate


def told(text: str) -> list[tuple[str, str]]:
    return [(place.was, place.now) for place in mutate.breaks(ast.parse(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a < b", ["a <= b", "a >= b"]),
        ("a >= b", ["a > b", "a < b"]),
        ("a == b != c", ["a != b != c", "a == b == c"]),
        ("a is b", ["a is not b"]),
        ("a not in b", ["a in b"]),
        ("a and b and c", ["a or b or c"]),
        ("(a or b) and c", ["(a or b) or c", "a and b"]),
        ("not a", ["not not a"]),
        ("x = 3", ["4"]),
        ("x = True", ["False"]),
        ("if a:\n    raise b", ["no check"]),
        ("if a:\n    yield b", ["no check"]),
        ("if a:\n    found.append(b)", ["no check"]),
        ("if a:\n    b()", []),
        ("x = 'three', 0.5, None", []),
        ("@cache(3)\ndef f(x: Literal[3]) -> Literal[3]: ...", []),
        ("class A(B, frozen=True): ...", []),
    ],
)
def test_each_kind_of_place_is_broken_in_its_way(text: str, expected: list[str]) -> None:
    assert [now for _, now in told(text)] == expected


def test_a_broken_file_differs_in_one_place_only() -> None:
    text = "if a < 1 and not b:\n    raise c"
    assert [mutate.broken(text, n).splitlines()[0] for n in range(len(told(text)))] == [
        "if False:",
        "if a < 1 or not b:",
        "if a <= 1 and (not b):",
        "if a >= 1 and (not b):",
        "if a < 2 and (not b):",
        "if a < 1 and (not not b):",
    ]


def test_the_same_seed_draws_the_same_places() -> None:
    texts = {f"combatkit/{name}.py": "x = [" + "1, " * 20 + "]\ny = 2\n" for name in ("a", "b")}

    def drawn(seed: int, *wanted: str) -> list[tuple[str, int]]:
        return [(path, number) for path, number, _ in mutate.sample(texts, [*wanted], 5, seed)]

    assert drawn(1, "combatkit") == drawn(1, "combatkit") != drawn(2, "combatkit")
    assert {path for path, _ in drawn(1, "combatkit/a.py")} == {"combatkit/a.py"}
    assert drawn(1, "combatkit/b.py:2") == [("combatkit/b.py", 20)]


@pytest.mark.slow
def test_breaks_that_tests_notice_are_counted_and_the_others_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "pyproject.toml": "[tool.pytest.ini_options]\n",
        "combatkit/__init__.py": "",
        "combatkit/ages.py": """
            def grown(age):
                "Say whether somebody is."
                return age >= 18

            def old(age):
                "Say whether somebody is."
                return age >= 60
            """,
        "tests/test_ages.py": """
            import subprocess
            import sys
            from combatkit.ages import grown, old

            def test_grown():
                assert grown(30) and not grown(17)

            def test_old():
                assert old(70)

            def test_old_elsewhere():
                code = "from combatkit.ages import old; assert old(60) and not old(59)"
                subprocess.run([sys.executable, "-c", code], check=True)

            def test_what_fails_anyhow():
                assert grown(3)
            """,
        "tools/mutate.py": Path(mutate.__file__).read_text(encoding="utf-8"),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(dedent(text), encoding="utf-8")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    monkeypatch.setattr(mutate, "ROOT", tmp_path)

    assert mutate.main(["combatkit", "--seed", "3"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert sorted(shown[:-1]) == [
        "combatkit/ages.py:4: 18  ->  19  (1 of 1 tests)",
        "combatkit/ages.py:4: age >= 18  ->  age > 18  (1 of 1 tests)",
    ]
    assert shown[-1] == "6 tried, 4 killed, 2 survived"
    assert (tmp_path / "combatkit/ages.py").read_text(encoding="utf-8") == dedent(files["combatkit/ages.py"])
