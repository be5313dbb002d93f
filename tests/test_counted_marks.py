"""A condition that counts is told in the log by its number, in the singular and in the plural."""

from __future__ import annotations

import pytest

import combatkit as ck

TOLD = [
    ("ap", "advantage", 1, "has an Advantage", "hat einen Vorteil"),
    ("ap", "advantage", 3, "has 3 Advantages", "hat 3 Vorteile"),
    ("d6", "ignored_fates", 1, "has ignored 1 fate", "hat 1 Schicksal ignoriert"),
    ("d6", "ignored_fates", 2, "has ignored 2 fates", "hat 2 Schicksale ignoriert"),
    ("phases", "free_limit", 0, "has 0 free actions at most", "hat höchstens 0 freie Aktionen"),
    ("phases", "free_limit", 1, "has 1 free action at most", "hat höchstens 1 freie Aktion"),
    ("phases", "free_limit", 2, "has 2 free actions at most", "hat höchstens 2 freie Aktionen"),
    ("saga", "aim", 2, "has aimed: 2", "hat gezielt: 2"),
    ("segments", "walked", 30, "has gone 30 ft this round", "ist in dieser Runde 30 Fuß gegangen"),
    ("segments", "immune", "poison", "is immune to poison", "ist immun gegen poison"),
    ("phases", "combat_levels", 2, "has combat levels: 2", "hat Kampfstufen: 2"),
    *((system, "owes", 1, "owes 1 action", "schuldet 1 Aktion") for system in ("saga", "d6", "ap", "segments")),
    *((system, "owes", 2, "owes 2 actions", "schuldet 2 Aktionen") for system in ("saga", "d6", "ap", "segments")),
    *((system, "owes", None, "owes an action", "schuldet eine Aktion") for system in ("saga", "d6", "ap", "segments")),
]


@pytest.mark.parametrize(("system", "id", "value", "english", "german"), TOLD)
def test_what_counts_is_told_by_its_number(system: str, id: str, value: int | None, english: str, german: str) -> None:
    for language, told, by in (("en", english, "by the GM"), ("de", german, "von der SL")):
        enc = ck.Encounter(system, seed=1, language=language)
        enc.add("Ada", side="r")
        enc.add("Nox", side="e", npc=True)
        enc.start()
        *_, begun = (each for each in enc.condition("Ada", id, value=value) if each.kind == "effect")
        assert begun.text == told
        assert f" {told} ({by})" in enc.log().markdown
