"""Tab completion, in a real IPython shell."""

from __future__ import annotations

import subprocess
import sys

import pytest

IN_A_SHELL = '''
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.run_cell("""
import combatkit as ck
enc = ck.Encounter("saga", seed=7)
_ = enc.add("Mara", side="rebels", hp=38), enc.add("Captain Dray", side="empire", hp=30)
_ = enc.add("Guard", side="empire", count=2, hp=16)
_ = enc.condition("Mara", "prone")
other = ck.Encounter("saga", seed=8)
timed = ck.Encounter("segments", seed=9)
_ = timed.add("Mara", side="rebels")
thrifty = ck.Encounter("ap", seed=9)
_ = thrifty.add("Mara", side="rebels")
class Table:
    fight = enc
""")


def offered(text):
    with provisionalcompleter():
        return [text[:each.start] + each.text for each in shell.Completer.completions(text, len(text))]


for text in {texts!r}:
    print(offered(text))
print(len(shell.Completer.custom_matchers))
'''

ASKED = {
    'enc.do("Ma': ['enc.do("Mara'],
    'enc.do("Captain D': ['enc.do("Captain Dray'],
    'enc.do("Mara", "att': ['enc.do("Mara", "attack', 'enc.do("Mara", "attack_of_opportunity'],
    'enc.do("Mara", "attack", target="Guard ': [f'enc.do("Mara", "attack", target="Guard {n}' for n in (1, 2)],
    "enc.can('Guard 1', 'full_a": ["enc.can('Guard 1', 'full_attack"],
    'enc.budget("Guard 2': ['enc.budget("Guard 2'],
    'enc.adjust(["Mara", "Ca': ['enc.adjust(["Mara", "Captain Dray'],
    'enc.adjust("Mara", "h': ['enc.adjust("Mara", "hp'],
    'enc.damage(enc.names, 5, half=["Ca': ['enc.damage(enc.names, 5, half=["Captain Dray'],
    'enc.trigger("Mara", "Captain Dray", "Guard 1", "Guard 2", "Ma': [
        'enc.trigger("Mara", "Captain Dray", "Guard 1", "Guard 2", "Mara'
    ],
    'enc.distance("Mara", "Ca': ['enc.distance("Mara", "Captain Dray'],
    'enc.condition("Guard 1", id="pro': ['enc.condition("Guard 1", id="prone'],
    'enc.do(str(enc.active), "full_a': ['enc.do(str(enc.active), "full_attack'],
    'enc.restart(7, options={"tra': ['enc.restart(7, options={"trade_down'],
    'enc["Ca': ['enc["Captain Dray'],
    'left = enc.start(surprised=["Ma': ['left = enc.start(surprised=["Mara'],
    'thrifty.do("Mara", "strike", unaware=["Ma': ['thrifty.do("Mara", "strike", unaware=["Mara'],
    'timed.do("Mara", "declare", spell="call': ['timed.do("Mara", "declare", spell="called_shot'],
    'Table.fight.do("Ma': ['Table.fight.do("Mara'],
    'ck.Encounter("se': ['ck.Encounter("segments'],
    "ck.ruleset('ph": ["ck.ruleset('phases"],
    'ck.contrast("free a': ['ck.contrast("free actions', 'ck.contrast("free attacks'],
    'ck.contrast("delay", systems=["sa': ['ck.contrast("delay", systems=["saga'],
    'ck.scene("cat': ['ck.scene("catwalk'],
    'ck.Encounter("saga", seed=7, options={"tra': ['ck.Encounter("saga", seed=7, options={"trade_down'],
    'ck.Encounter("ap", options={"pcs_beat_npcs": True, "actions": "b': [
        'ck.Encounter("ap", options={"pcs_beat_npcs": True, "actions": "book'
    ],
    'ck.Encounter("nothing", options={"tra': [],
    'enc.add("Ada", side="rebels", attack_': ['enc.add("Ada", side="rebels", attack_bonus='],
    'timed.join("Ada", side="rebels", aa': ['timed.join("Ada", side="rebels", aac0='],
    'print("Nobody bears this name': [],
    'other.do("Mara': [],
}


def test_a_real_shell_offers_names_and_actions() -> None:
    code = IN_A_SHELL.replace("{texts!r}", repr(list(ASKED)))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *answers, count = done.stdout.splitlines()
    assert answers == [repr(wanted) for wanted in ASKED.values()]
    assert count == "1", "two encounters were made, and completion is offered once"


@pytest.mark.parametrize("line", ['ck.Encounter("saga", options={', 'ck.Encounter("saga", id="', 'ck.play("'])
def test_nothing_is_offered_elsewhere_in_a_call_of_the_kit(line: str) -> None:
    import combatkit as ck
    from combatkit.notebook.completion import complete

    assert complete({"ck": ck}, line) is None


def test_a_stat_that_is_given_is_not_offered_again() -> None:
    import combatkit as ck
    from combatkit.notebook.completion import complete

    offered = complete({"enc": ck.Encounter("saga", seed=7)}, 'enc.add("Ada", side="rebels", dex=4, ')
    assert offered is not None
    assert "dex=" not in offered[1]
    assert "level=" in offered[1]


@pytest.mark.parametrize(
    "line", ["", "enc.do(", "enc.do(Ma", 'enc.do("Mara", "attack", note="', 'enc.explain("', 'enc.add("', 'enc.undo("']
)
def test_nothing_is_offered_elsewhere(line: str) -> None:
    import combatkit as ck
    from combatkit.notebook.completion import complete

    enc = ck.Encounter("saga", seed=7)
    assert complete({"enc": enc}, line) is None


def test_no_shell_is_loaded_for_its_sake() -> None:
    code = "import sys, combatkit as ck; ck.Encounter('saga', seed=7); print('IPython' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
