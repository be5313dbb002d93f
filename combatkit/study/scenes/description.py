"""A fight described in no system's words: who, how fast, how skilled, how tough, who is aware, how far apart.

A system's own numbers come from its mapping, the file ``scene.toml`` in its folder: `combatkit.study.scenes.mapping`
says what such a file holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from combatkit.core.plain import check_bool, short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.fight import Arrival, Encounter
from combatkit.files.creatures import armed_in
from combatkit.files.tables import SCENE
from combatkit.registry import ruleset as find_ruleset
from combatkit.report.table import html_table
from combatkit.rules.checks import check_words
from combatkit.rules.ruleset import Ruleset
from combatkit.study.scenes import mapping as mappings
from combatkit.study.scenes.kit import find_scene, mapping_of, split
from combatkit.study.scenes.participant import Participant, participant_of
from combatkit.text import ENGLISH, check_language

if TYPE_CHECKING:
    from os import PathLike


_APART = 6
"""So many metres lie between sides that are given places although the scene says no distance: a short run."""


class Scene(Struct, frozen=True):
    """A fight described in no system's terms; `scene` makes one.

    Parameters
    ----------
    name : str
        Its name.
    participants : tuple of Participant
        Who takes part.
    distance : int or None
        Metres between the sides; None if they are at close quarters, when no places are kept.
    mappings : dict of str to dict
        Mappings of your own, by ruleset id.
    id : str
        The id it is found by, for a scene of the kit.
    system : str or None
        The ruleset whose creatures it takes; None if it is in no system's terms.
    """

    name: str
    participants: tuple[Participant, ...]
    distance: int | None = None
    mappings: dict[str, dict[str, Any]] = {}
    id: str = ""
    system: str | None = None

    def mapping(self, ruleset: str | Ruleset) -> dict[str, object]:
        """Return what turns this scene into a ruleset's stats: your own mapping, else that of the ruleset's folder.

        Parameters
        ----------
        ruleset : str or Ruleset
            The system, by id.

        Returns
        -------
        dict
            A copy, to be looked at or changed; see `with_mapping`.

        Raises
        ------
        InvalidInput
            If the ruleset has none.

        Examples
        --------
        >>> import combatkit as ck
        >>> ck.scene("catwalk").mapping("saga")["stats"]["dex"]
        {'from': 'speed', 'values': [-1, 0, 2, 4, 6]}
        """
        rules = _rules(ruleset)
        return mappings.copy_of(self.mappings.get(rules.id) or mappings.read(rules))

    def with_mapping(self, ruleset: str | Ruleset, mapping: Mapping[str, object]) -> Scene:
        """Return the same scene with a mapping of your own for a ruleset.

        Parameters
        ----------
        ruleset : str or Ruleset
            The system, by id.
        mapping : mapping
            As `mapping` gives it.

        Returns
        -------
        Scene
            This one stays as it is.

        Raises
        ------
        UnknownName
            If the mapping names an unknown part or stat.

        Examples
        --------
        >>> import combatkit as ck
        >>> scene = ck.scene("catwalk")
        >>> changed = scene.mapping("saga")
        >>> changed["stats"]["dex"]["values"] = [0, 0, 0, 0, 9]
        >>> scene.with_mapping("saga", changed).stats("saga")["Vex"]["dex"], scene.stats("saga")["Vex"]["dex"]
        (9, 6)
        """
        rules = _rules(ruleset)
        checked = mappings.check(rules, mapping, f"mapping for {rules.id}")
        return replace(self, mappings={**self.mappings, rules.id: checked})

    def stats(self, ruleset: str | Ruleset) -> dict[str, dict[str, object]]:
        """Return everybody's stats in a ruleset.

        Parameters
        ----------
        ruleset : str or Ruleset
            The system, by id.

        Returns
        -------
        dict of str to dict
            What `Encounter.add` takes, by the participant's name.

        Raises
        ------
        InvalidInput
            If the ruleset's mapping has no answer; it names the combatant, the field and the system.
        """
        rules, mapping = _rules(ruleset), self.mapping(ruleset)
        return {p.name: mappings.stats_of(rules, mapping, self._fields(p)) for p in self.participants}

    def encounter(
        self,
        ruleset: str | Ruleset,
        *,
        seed: int | None = None,
        id: str | None = None,
        options: Mapping[str, object] | None = None,
        journal: str | PathLike[str] | None = None,
        language: str = ENGLISH,
        places: bool = False,
        localized: bool = False,
    ) -> Encounter:
        """Return the scene as an encounter that has begun: everybody is in it, with the table `scene`.

        Parameters
        ----------
        ruleset : str or Ruleset
            The system, by id.
        seed, id, options, journal, language
            As `Encounter` takes them.
        places : bool
            Whether everybody has a place although the scene names no distance between the sides.
        localized : bool
            Whether people, sides, weapons and places of the kit's own scenes are called as the fight's language calls
            them; a scene of your own stays as it is typed.

        Returns
        -------
        Encounter
            At the point where somebody may first choose.

        Raises
        ------
        InvalidInput
            If the system cannot express the scene; it names the combatant, the field and the system.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.scene("catwalk").encounter("saga", seed=7)
        >>> [(rung.combatant, rung.initiative) for rung in enc.order][:2]
        [('Vex', 28), ('Mara', 13)]
        """
        how: dict[str, Any] = {
            "seed": seed,
            "id": id,
            "options": options,
            "journal": journal,
            "language": language,
            "places": places,
            "localized": localized,
        }
        enc, unaware = self._staged(_rules(ruleset), **how)
        enc.start(surprised=unaware)
        return enc

    def set_up(
        self,
        ruleset: str | Ruleset,
        *,
        seed: int | None = None,
        id: str | None = None,
        options: Mapping[str, object] | None = None,
        journal: str | PathLike[str] | None = None,
        language: str = ENGLISH,
        places: bool = False,
        localized: bool = False,
    ) -> Encounter:
        """Return the scene as `encounter` does, but not begun: anyone unaware is already marked as surprised.

        Parameters
        ----------
        ruleset : str or Ruleset
            The system, by id.
        seed, id, options, journal, language
            As `Encounter` takes them.
        places : bool
            Whether everybody has a place although the scene names no distance between the sides.
        localized : bool
            Whether people, sides, weapons and places of the kit's own scenes are called as the fight's language calls
            them; a scene of your own stays as it is typed.

        Returns
        -------
        Encounter
            Before its start.

        Raises
        ------
        InvalidInput
            If the system cannot express the scene; it names the combatant, the field and the system.

        Examples
        --------
        >>> import combatkit as ck
        >>> ck.scene("catwalk").set_up("saga", id="docks")
        <Encounter docks: Not begun, 5 combatants>
        """
        how: dict[str, Any] = {
            "seed": seed,
            "id": id,
            "options": options,
            "journal": journal,
            "language": language,
            "places": places,
            "localized": localized,
        }
        return self._staged(_rules(ruleset), marked=True, **how)[0]

    def _staged(
        self, rules: Ruleset, *, places: bool = False, localized: bool = False, marked: bool = False, **how: Any
    ) -> tuple[Encounter, list[str]]:
        """Return the scene's fight before its start, and who is not aware; if `marked`, their condition says so."""
        mapping, stats = self.mapping(rules), self.stats(rules)
        isnt_typed = check_bool(localized, "localized") and bool(self.id)
        word = rules.languages[check_language(how["language"], rules.folder)].word if isnt_typed else str
        told = [replace(p, name=word(p.name), side=word(p.side)) for p in self.participants]
        distance = _APART if check_bool(places, "places") and self.distance is None else self.distance
        map, spots = mappings.places(rules, mapping, distance, _ranks(told))
        spots = {name: word(spot) if isinstance(spot, str) else spot for name, spot in spots.items()}
        rows = [
            mappings.row_of(rules, mapping, self._fields(p), name, bool(stats[p.name].get("weapons")))
            for p, called in zip(self.participants, told, strict=True)
            for name in called.names
        ]
        unaware = [name for p in told if not p.aware for name in p.names]
        if unaware:
            mappings.check_surprise(rules, mapping, unaware[0])
        people = [
            Arrival(p.name, p.side, p.count, p.role != "player", None, None, (), armed_in(stats[of.name], word))
            for of, p in zip(self.participants, told, strict=True)
        ]
        if distance is not None:
            how["options"] = {**mapping["places"].get("options", {}), **(how["options"] or {})}  # type: ignore[attr-defined]
        enc = Encounter(rules, map=map, tables={SCENE: rows}, **how)
        enc._add_all(people, "Set the scene", spots, unaware if marked else ())
        return enc, unaware

    def _fields(self, participant: Participant) -> dict[str, object]:
        return {**asdict(participant), "scene": self.name}

    def __repr__(self) -> str:
        """Name it, and who fights whom."""
        sides: dict[str, list[str]] = {}
        for p in self.participants:
            sides.setdefault(p.side, []).append(p.name if p.count == 1 else f"{p.count} x {p.name}")
        return f"<Scene {self.name}: {'; '.join(f'{s}: {_join(names)}' for s, names in sides.items())}>"

    def _repr_html_(self) -> str:
        heads = ("name", "side", "count", "speed", "skill", "toughness", "role", "weapon", "aware")
        rows = ([escape(str(getattr(p, h))) for h in heads] for p in self.participants)
        apart = "at close quarters" if self.distance is None else f"{self.distance} m apart"
        return html_table(f"{self.name}, {apart}", heads, rows)


def _ranks(people: Sequence[Participant]) -> dict[str, tuple[int, int]]:
    """Return everybody's side and number in it: where they stand before the fight."""
    sides = list(dict.fromkeys(p.side for p in people))
    counted = dict.fromkeys(sides, 0)
    ranks: dict[str, tuple[int, int]] = {}
    for p in people:
        for name in p.names:
            ranks[name] = (sides.index(p.side), counted[p.side])
            counted[p.side] += 1
    return ranks


def scene(
    combatants: str | Iterable[Mapping[str, object]],
    *,
    name: str | None = None,
    aware: str | Sequence[str] | None = None,
    distance: int | None = None,
) -> Scene:
    """Describe a fight in no system's terms, or return one that comes with the kit.

    Parameters
    ----------
    combatants : str or iterable of mapping
        Who fights: mappings of the fields of `Participant`; or the id of a scene of the kit, such as ``"catwalk"``,
        ``"ambush"`` or ``"bridge"``; `Shelf.scenes` has them all.
    name : str, optional
        Its name.
    aware : str or sequence of str, optional
        Who knows about the enemy as the fight begins, as names or sides; everybody if not given.
    distance : int, optional
        Metres between the sides; None for close quarters.

    Returns
    -------
    Scene
        See `Scene.stats`, `Scene.mapping` and `Scene.encounter`.

    Raises
    ------
    UnknownName
        For an unknown field, or an unknown scene of the kit.
    InvalidInput
        For a bad value; it names the combatant and the field.

    Examples
    --------
    >>> import combatkit as ck
    >>> duel = ck.scene(
    ...     [{"name": "Mara", "side": "rebels", "speed": "great"}, {"name": "Vex", "side": "hunters", "skill": 3}],
    ...     name="Duel",
    ... )
    >>> duel
    <Scene Duel: rebels: Mara; hunters: Vex>
    >>> duel.stats("saga")["Mara"]["dex"], duel.stats("phases")["Mara"]["combat_value"]
    (4, 6)
    """
    title = "Scene" if name is None else check_words(name, "scene: name")
    if isinstance(combatants, str):
        found, rules = find_scene(combatants)
        rows, taken = split(found["combatants"])
        title = found["name"] if name is None else title
        apart = found.get("distance") if distance is None else distance
        made = replace(scene(rows, name=title, aware=aware, distance=apart), id=combatants)
        return made if rules is None else _on_creatures(made, rules, taken)
    if isinstance(combatants, Mapping) or not isinstance(combatants, Iterable):
        raise InvalidInput(f"scene: combatants is {short(combatants)}; give a list of mappings, or a scene's id")
    people = tuple(participant_of(row) for row in combatants)
    if not people:
        raise InvalidInput("scene: nobody is in it; give at least one combatant")
    names = [each for p in people for each in p.names]
    double = next((each for each in names if names.count(each) > 1), None)
    if double is not None:
        raise InvalidInput(f"scene: {double!r} is in it twice; names must differ")
    if distance is not None and (type(distance) is not int or not 0 <= distance <= 1000):
        raise InvalidInput(f"scene: distance is {short(distance)}; give metres, a whole number from 0 to 1000")
    if aware is not None:
        known = _known(people, aware)
        people = tuple(replace(p, aware=p.name in known or p.side in known) for p in people)
    return Scene(title, people, distance)


def _on_creatures(made: Scene, rules: Ruleset, taken: Mapping[str, str]) -> Scene:
    """Return a scene in which some have the stats of a ruleset's creatures; the others stay as they are."""
    stats = made.stats(rules)
    mapping = mapping_of(rules, taken, {name: each for name, each in stats.items() if name not in taken})
    return replace(made, mappings={rules.id: mapping}, system=rules.id)


def _known(people: Sequence[Participant], aware: object) -> set[str]:
    right = {p.name: None for p in people} | {p.side: None for p in people}
    if not isinstance(aware, Iterable):
        raise InvalidInput(f"scene: aware is {short(aware)}; give names or sides, or None if everybody is")
    for each in (given := [aware] if isinstance(aware, str) else list(aware)):
        if not isinstance(each, str) or each not in right:
            raise UnknownName.of("combatant or side of the scene (aware)", each, right)
    return set(given)


def _rules(ruleset: str | Ruleset) -> Ruleset:
    return ruleset if isinstance(ruleset, Ruleset) else find_ruleset(ruleset)


def _join(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
