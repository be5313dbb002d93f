"""Dice that are rolled at the table: which an action asks for, how that is said, and what the typed faces come to."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from combatkit.core.dice import parse_dice
from combatkit.report.words import number_word, plain, reason_parts
from combatkit.rules.case import Ask, Case
from combatkit.rules.draw import Key
from combatkit.rules.shapes import Parts
from combatkit.rules.weapons import damage_of
from combatkit.text import signed
from combatkit.widgets._decided import meant
from combatkit.widgets._tokens import token
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Roll as Shown
from combatkit.widgets.shapes import Stood

Faces = Mapping[str, Sequence[int | None]]

_HITS = "to hit"

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass
class Roll:
    """Dice that will be rolled: for what purpose, how to say that, and, where many roll, by whom.

    After those that are asked for come `again` dice with as many sides, if they are tied. Behind the first of a routine
    stand `more` that serve the same purpose. `stands` says where in the order that puts somebody, once it is known: the
    total, what breaks ties, the faces that do. One who is `seated` rolled at their seat, or has nothing to roll.
    """

    purpose: str
    legend: str
    ask: Ask
    who: str = ""
    note: str = ""
    side: str | None = None
    again: tuple[int, int] = (0, 0)
    more: tuple[Ask, ...] = ()
    stands: tuple[int, Key, tuple[int, ...]] | None = None
    seated: bool = False

    @property
    def sides(self) -> list[int]:
        """The sides of every die."""
        times, sides = self.again
        own = [sides for ask in (self.ask, *self.more) for sides in ask.thrown.each]
        return [*own, *[sides] * times]


def action_asks(case: Case, rolls: Faces) -> list[Roll]:
    """Return what an action rolls, as far as the faces typed so far tell; all that serves one purpose together."""
    case = meant(case)
    asks = list(case.rules.asks(case))
    if not any(ask.purpose == "damage" for ask in asks):
        asks += _harm(case, asks, rolls)
    elif case.params.get("outcome") not in (None, "hit") or all(_missed(case, asks, rolls) or (False,)):
        asks = [ask for ask in asks if ask.purpose != "damage"]
    name, target = case.fighter.name, ", ".join(case.targets)
    purposes = dict.fromkeys(ask.purpose for ask in asks)
    return [roll_of(name, *(ask for ask in asks if ask.purpose == each), target=target) for each in purposes]


def _harm(case: Case, asks: Sequence[Ask], rolls: Faces) -> list[Ask]:
    """Return the dice of damage: as it is given, else of each blow of a routine that hits, or may still."""
    outcome = case.params.get("outcome")
    if outcome not in (None, "hit"):
        return []
    said = damage_of(case) if outcome == "hit" else case.params.get("damage")
    of_each = said is None or "blows" in case.action.facts
    blows = case.rules.presentation.routine(case) if of_each else ()
    missed = _missed(case, asks, rolls)
    if not of_each:
        blows = () if missed and all(missed) else (str(said),)
    elif outcome is None and (missed or said is None):
        blows = tuple(blow for blow, misses in zip(blows, missed, strict=False) if not misses)
    dice = (parse_dice(blow) for blow in blows)
    return [Ask.of("damage", each) for each in dice if each and each.each]


def _missed(case: Case, asks: Sequence[Ask], rolls: Faces) -> list[bool]:
    """Return of each roll to hit whether it is known to miss; none does if the table or another's help still may."""
    open_yet = (
        case.params.get("outcome") is not None
        or len(case.targets) > sum(ask.purpose == "attack" for ask in asks)
        or not case.rules.presentation.tells(case)
    )
    return [not open_yet and _misses(ask, own) for ask, own in _shared(asks, rolls) if ask.purpose == "attack"]


def _misses(ask: Ask, faces: Sequence[int | None]) -> bool:
    return ask.needed is not None and _is_whole(ask, faces) and not ask.lands(sum(face or 0 for face in faces))


def _shared(asks: Sequence[Ask], rolls: Faces) -> Iterator[tuple[Ask, Sequence[int | None]]]:
    """Yield each roll with its own of the faces that were typed for its purpose."""
    used: dict[str, int] = {}
    for ask in asks:
        at = used.get(ask.purpose, 0)
        used[ask.purpose] = end = at + len(ask.thrown.each)
        yield ask, rolls.get(ask.purpose, ())[at:end]


def called(who: str, ask: Ask, note: str = "") -> Roll:
    """Return the roll of one among many in a call of the table's own."""
    return Roll(who, roll_of(who, ask).legend, ask, who, note)


def roll_of(name: str, ask: Ask, *more: Ask, target: str = "") -> Roll:
    """Return the roll of somebody for a purpose, with those that serve the same."""
    alike = {each.sides for each in (ask, *more)} == {ask.sides} and not any(each.more for each in (ask, *more))
    dice = [replace(ask, dice=sum(each.dice for each in (ask, *more)))] if alike else [ask, *more]
    said = ", ".join(replace(each.thrown, plus=0).notation for each in dice)
    what = f"for {ask.purpose}" if ask.purpose != "attack" else f"{_HITS} {target}" if target else _HITS
    return Roll(ask.purpose, f"{name} rolls {said} {what}", ask, more=more)


def dice_of(vantage: Vantage, asks: list[Roll], rolls: Faces) -> list[Shown]:
    """Return the boxes that a form has for rolls, and what stands behind them; none while dice are seeded."""
    if not vantage.table:
        return []
    if not vantage.shows_needed:
        for roll in asks:
            roll.ask, *more = (replace(each, needed=None) for each in (roll.ask, *roll.more))
            roll.more = tuple(more)
    return [_die(vantage, roll, rolls.get(roll.purpose, ())) for roll in asks]


def order_of(vantage: Vantage, asks: Sequence[Roll]) -> list[list[Stood]]:
    """Return how those stand who have rolled for their places, the first first; who is even stands together."""
    tied: dict[Key, list[tuple[tuple[int, ...], Stood]]] = {}
    for roll in asks:
        if roll.stands is None:
            continue
        total, terms, again = roll.stands
        faces = [*map(str, again), *["?"] * (roll.again[0] - len(again))]
        shown = token(vantage.encounter._state.fighters[roll.who], vantage.sides)
        stood: Stood = {**shown, "name": roll.who, "score": ", ".join([signed(total), *faces])}
        tied.setdefault((total, *terms), []).append((again, stood))
    order: list[list[Stood]] = []
    for key in sorted(tied, reverse=True):
        all_have = min(len(again) for again, _ in tied[key])
        drawn: dict[tuple[int, ...], list[Stood]] = {}
        for again, stood in tied[key]:
            drawn.setdefault(again[:all_have], []).append(stood)
        order += [drawn[faces] for faces in sorted(drawn, reverse=True)]
    return order


def foretold(vantage: Vantage, asks: Sequence[Roll]) -> Parts:
    """Return the seed's dice, before they roll, and what they must show to hit, where that is told here.

    Of a routine it is told once, if each blow needs the same. Nothing where they are typed, or what would be told isn't
    known.
    """
    roll = next((roll for roll in asks if roll.purpose == "attack"), None)
    blows = () if roll is None else (roll.ask, *roll.more)
    if vantage.table or roll is None or (vantage.shows_needed and roll.ask.needed is None):
        return []
    if roll.more and (None in [ask.needed for ask in blows] or len({str(_landing(ask)) for ask in blows}) > 1):
        return []
    shown = roll if vantage.shows_needed else dataclasses.replace(roll, ask=replace(roll.ask, needed=None))
    told = _sum(vantage, shown, ())
    mark = "" if not told else " " if isinstance(told[0], str) else ": "
    times = f"{len(blows)} \N{MULTIPLICATION SIGN} " if roll.more else ""
    return [f"{times}{replace(roll.ask.thrown, plus=0).notation}{mark}", *told]


def faces_that_do(vantage: Vantage, case: Case) -> str:
    """Say in short which faces hit whom an attack is aimed at, where that is told here; nothing if all do, or none."""
    if not vantage.shows_needed or "attack" not in case.action.tags:
        return ""
    asks = next(((roll.ask, *roll.more) for roll in action_asks(case, {}) if roll.purpose == "attack"), ())
    found = [_landing(ask) for ask in asks if ask.needed is not None]
    # A routine's blows are told in one where the same faces do for each.
    if not found or len(found) < len(asks) or any(each != found[0] for each in found):
        return ""
    landing, lowest, highest = found[0]
    if len(landing) in (0, highest - lowest + 1):
        return ""
    return f"needs {landing[0]} or more" if landing[0] > lowest else f"needs {landing[-1]} or less"


def _landing(ask: Ask) -> tuple[list[int], int, int]:
    """Return which faces do, and the lowest and the highest there are."""
    lowest, highest = len(ask.thrown.each), sum(ask.thrown.each)
    return [natural for natural in range(lowest, highest + 1) if ask.lands(natural)], lowest, highest


def _die(vantage: Vantage, roll: Roll, faces: Sequence[int | None]) -> Shown:
    ask, sides = roll.ask, roll.sides
    faces = faces[: len(sides)] if roll.who else faces  # a die for a tie that is none any more
    error, first = wrong_faces(sides, faces), faces[: len(ask.thrown.each)]
    shown: Shown = {
        "purpose": roll.purpose,
        "legend": roll.legend,
        "sides": sides,
        "sum": [] if error else _sums(roll, faces) if roll.more else _sum(vantage, roll, first),
        "error": error,
        "again": roll.again[0],
    }
    if roll.who:
        side = None if roll.side is None else vantage.sides.get(roll.side)
        shown["who"] = {"name": roll.who, "side": side, "note": roll.note, "plus": plus_of(ask.addends)}
        if not error and _is_whole(ask, first):
            shown["who"]["total"] = _total(ask, first)
    else:
        shown["word"] = _HITS if roll.purpose == "attack" else roll.purpose
    return shown


def wrong_faces(sides: Sequence[int], faces: Sequence[int | None]) -> str:
    """Say what is wrong with the first face that is not on its die; nothing, if all are."""
    for index, face in enumerate(faces):
        if index >= len(sides):
            dice = f"{number_word(len(sides))} {'die' if len(sides) == 1 else 'dice'}"
            return f"This takes {dice}. Nothing has been rolled yet."
        most, which = sides[index], ""
        if face is not None and not 1 <= face <= most:
            if len(sides) > 1:
                which = f" for {f'the {_ORDINALS[index]} die' if index < len(_ORDINALS) else f'die {index + 1}'}"
            return f"{face} is not on a d{most}. Type 1 to {most}{which}. Nothing has been rolled yet."
    return ""


def _sum(vantage: Vantage, roll: Roll, faces: Sequence[int | None]) -> Parts:
    """Return what follows the dice: what is added, against what, which faces do; of typed ones, whether they do."""
    ask = roll.ask
    plus = plus_of(ask.addends if len(ask.addends) > 1 else [(number, "") for number, _ in ask.addends])
    whole = _is_whole(ask, faces)
    words = " ".join(filter(None, (plus, f"= {_total(ask, faces)}" if whole and ask.addends else "")))
    if ask.needed is None:
        return reason_parts(words, ask.rule) if words else []
    verdict = _verdict(roll, faces) if whole else _doing(roll)
    same = not words and plain(verdict).startswith(f"{ask.needed} or ")
    against = "" if same else f"against {ask.needed}: ".replace("-", "\N{MINUS SIGN}")
    rule: Parts = [" ", {"rule": ask.rule}] if ask.rule else []
    return [*filter(None, [" ".join(filter(None, (words, against)))]), *verdict, *rule]


_DOES = {"attack": ("hits", "misses")}
"""What a roll does that comes to what is needed, and one that does not, by its purpose."""


def _doing(roll: Roll) -> Parts:
    """Say which faces do: the face that is needed, not the sum."""
    ask, (does, _) = roll.ask, _DOES.get(roll.purpose, ("does", ""))
    landing, lowest, highest = _landing(ask)
    if not landing:
        return [{"strong": "nothing"}, f" {does}"]
    if len(landing) == highest - lowest + 1:
        return [{"strong": "anything"}, f" {does}"]
    low = landing[0] > lowest
    return [{"strong": f"{landing[0]} or more" if low else f"{landing[-1]} or less"}, f" {does}"]


def _verdict(roll: Roll, faces: Sequence[int | None]) -> Parts:
    """Say whether a whole roll does, and by how much it fails."""
    ask, (does, fails) = roll.ask, _DOES.get(roll.purpose, ("enough", "not enough"))
    if ask.lands(sum(face or 0 for face in faces)):
        return [{"strong": does}]
    short = (ask.needed or 0) - _total(ask, faces) + ask.above
    return [{"strong": fails}, *([f" by {short}"] if short > 0 else [])]


def _sums(roll: Roll, faces: Sequence[int | None]) -> Parts:
    """Return the same for the rolls of a routine, in their order."""
    asks = [*_shared((roll.ask, *roll.more), {roll.purpose: faces})]
    needs = [ask.needed for ask, _ in asks]
    if not all(_is_whole(ask, own) for ask, own in asks):
        said = [plus_of(ask.addends) for ask, _ in asks] if None in needs else [str(need) for need in needs]
        words = f"{said[0]} each" if len({*said}) == 1 and said[0] else ", ".join(each for each in said if each)
        words = words if None in needs else f"needs {words}"
    elif None in needs:
        words = f"= {', '.join(str(_total(ask, own)) for ask, own in asks)}"
    else:
        lands = (ask.lands(sum(face or 0 for face in own)) for ask, own in asks)
        words = ", ".join("hits" if each else "misses" for each in lands)
    return reason_parts(words, roll.ask.rule) if words else []


def _is_whole(ask: Ask, faces: Sequence[int | None]) -> bool:
    return len(faces) == len(ask.thrown.each) and None not in faces


def _total(ask: Ask, faces: Sequence[int | None]) -> int:
    return ask.thrown.total([face or 0 for face in faces])


def plus_of(addends: Sequence[tuple[int, str]]) -> str:
    """Say what is added, each number with its name."""
    return " ".join(
        f"{'+' if number >= 0 else '-'} {abs(number)}{f' {label}' if label else ''}" for number, label in addends
    )
