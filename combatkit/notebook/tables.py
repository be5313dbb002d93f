"""What you look at, as small tables: HTML that a notebook shows, escaped, in the colours of its page.

The values themselves stay plain tuples and records: only the notebook is told how to show them (`show`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from typing import Any, NamedTuple

from combatkit.core.model import Budget, Choice, Combatant, Condition, Event, Offer, Option, Ruling, Rung
from combatkit.core.plain import counted
from combatkit.fight.fight import living
from combatkit.report.table import html_table
from combatkit.report.words import condition_said, condition_word
from combatkit.rules.ruleset import Ruleset
from combatkit.text import ENGLISH, kit_language, signed

_MOST = 200
"""How many rows of a tuple are shown; if there are more, the newest."""


Word = Callable[[str], str]
"""Says words of ours in the language of what is shown."""


class _Rows(NamedTuple):
    """How a tuple of one kind is shown: what its rows are called, the column heads, and the cells of a row."""

    title: str
    heads: tuple[str, ...]
    cells: Callable[[Any, Word], list[str]]


# ── tuples ──


def _rung(rung: Rung, word: Word) -> list[str]:
    group = f"{rung.side}, {rung.group}" if rung.group else rung.side
    cells = ["" if rung.initiative is None else _said(rung.initiative, word), _name(rung.combatant), _name(group)]
    return [*cells, escape(word(condition_word(rung.status))), escape(rung.why)]


def _event(event: Event, _: Word) -> list[str]:
    what = f"{_name(event.subject)} {escape(event.text)}" if event.subject else escape(event.text)
    note = f" <i>“{_name(event.note)}”</i>" if event.note else ""
    return [str(event.seq), "" if event.round is None else str(event.round), what + note, _codes(event.rules)]


def _choice(choice: Choice, word: Word) -> list[str]:
    value = f"<i>{word('anything')}</i>" if choice.open else _said(choice.value, word)
    ruling = choice.ruling
    answer = [word("yes"), ""] if ruling.allowed else [word("no"), escape(ruling.reason)]
    return [_code(choice.param), value, *answer, _code(ruling.rule)]


def _offer(offer: Offer, word: Word) -> list[str]:
    answers = _codes(offer.actions) or ", ".join(_said(choice, word) for choice in offer.choices)
    must = word("must answer") if offer.must else ""
    who = word(offer.who) if offer.who == "GM" else offer.who
    return [_name(who), escape(offer.about), answers, must, _code(offer.rule)]


def _system(rules: Ruleset, _: Word) -> list[str]:
    sizes = (len(rules.actions), len(rules.options), len(rules.rules))
    return [_code(rules.id), escape(rules.title), *map(str, sizes), escape(rules.source)]


_ROWS: dict[type, _Rows] = {
    Rung: _Rows("Initiative ladder", ("Initiative", "Combatant", "Side", "State", "Why"), _rung),
    Event: _Rows("Events", ("Event", "Round", "What happens", "Rules"), _event),
    Choice: _Rows("Choices", ("Parameter", "Value", "Allowed", "Why not", "Rule"), _choice),
    Offer: _Rows("Waiting for an answer", ("Who", "About", "Answers", "", "Rule"), _offer),
    Ruleset: _Rows("Rulesets", ("Id", "System", "Actions", "Options", "Rules", "Source"), _system),
}


_table = partial(html_table, left=True)


def _table_of(kind: _Rows, values: tuple[object, ...], word: Word) -> str:
    left_out, title = len(values) - _MOST, word(kind.title)
    if left_out > 0:
        title = word(f"{kind.title}, the last {_MOST} of {len(values)}")
    return _table(title, [*map(word, kind.heads)], (kind.cells(each, word) for each in values[-_MOST:]))


def _option(option: Option) -> list[str]:
    answer = [_codes(option.needs)] if option.allowed else [escape(option.reason), _code(option.rule)]
    return [escape(option.title), _code(option.action), escape(option.cost), *answer]


def _options(options: Sequence[Option], word: Word) -> str:
    """Return what can be done, and folded below it what can't, with the reasons."""
    can = [_option(each) for each in options if each.allowed]
    opened = _table(word("Can be done now"), [*map(word, ("Action", "Id", "Cost", "Needs"))], can)
    refused = [_option(each) for each in options if not each.allowed]
    if not refused:
        return opened
    folded = _table("", [*map(word, ("Action", "Id", "Cost", "Why not", "Rule"))], refused)
    return f"{opened}<details><summary>{word(counted(len(refused), 'refused action'))}</summary>{folded}</details>"


# ── single ones ──


def _budget(budget: Budget, word: Word) -> str:
    left = (word("no limit" if slot.unlimited else f"{slot.left} of {slot.total}") for slot in budget)
    rows = ([escape(slot.title), words] for slot, words in zip(budget, left, strict=True))
    name = budget.combatant
    return _table(word(f"Action budget: {name}"), [*map(word, ("Slot", "Left"))], rows)


def _ruling(ruling: Ruling, word: Word) -> str:
    needs = "" if ruling.needed is None else word(f"needs {signed(ruling.needed)}")
    rows = [
        ("Reason", escape(ruling.reason)),
        ("Rule" if len(ruling.rules) < 2 else "Rules", _codes(ruling.rules or (ruling.rule,))),
        ("Cost", escape(ruling.cost)),
        ("Roll", escape(", ".join(filter(None, (word(ruling.notation or ""), needs))))),
    ]
    return _pairs(word("Allowed" if ruling.allowed else "Refused"), rows, word)


def _combatant(who: Combatant, word: Word) -> str:
    rows = [("Side", _name(who.side)), ("Group", _name(who.group or ""))]
    rows += [("Position", _said(who.position, word) if who.position is not None else "")]
    rows += [(_code(id), _said(value, word)) for id, value in who.values.items() if value is not None]
    stated = ((id, value) for id, value in who.stats.items() if id not in who.values)
    rows += [(_code(id), _said(value, word)) for id, value in stated if value not in (None, (), "")]
    rows += [("Conditions", "; ".join(_condition(each, word) for each in who.conditions))]
    done = (f"{_code(id)} {word(f'{come.done} of {come.total}')}" for id, come in who.progress.items())
    return _pairs(who.name, [*rows, ("Progress", "; ".join(done))], word)


def _condition(condition: Condition, word: Word) -> str:
    said = [word(condition_said(condition.id, condition.value))]
    if condition.until:
        said.append(word(f"{'for' if condition.until[0].isdigit() else 'until'} {condition.until}"))
    return escape(", ".join(said))


def _pairs(caption: str, rows: Iterable[tuple[str, str]], word: Word) -> str:
    told = ((head if head.startswith("<") else word(head), cell) for head, cell in rows if cell)
    return _table(caption, (), told, headed=True)


_SINGLE: dict[type, Callable[[Any, Word], str]] = {
    Budget: _budget,
    Ruling: _ruling,
    Combatant: _combatant,
    **{kind: lambda one, word: _shown((one,), word) or "" for kind in (*_ROWS, Option)},
}


def _language(value: object) -> str:
    """Return the language that something is in: it says so itself, or is an event of a fight that somebody holds."""
    if isinstance(value, Choice):
        return value.ruling.language
    if isinstance(value, Event):
        told = (fight for fight in living() for each in fight._events[value.seq - 1 : value.seq] if each is value)
        return next((fight._state.language for fight in told), ENGLISH)
    return getattr(value, "language", ENGLISH)


def _shown(value: object, word: Word) -> str | None:
    if not isinstance(value, tuple):
        single = next((show for kind, show in _SINGLE.items() if isinstance(value, kind)), None)
        return None if single is None else single(value, word)
    first = value[0] if value else None
    kind = next((each for each in (*_ROWS, Option) if isinstance(first, each)), None)
    if kind is None or not all(isinstance(each, kind) for each in value):
        return None
    return _options(value, word) if kind is Option else _table_of(_ROWS[kind], value, word)


def html_of(value: object) -> str | None:
    """Return the table for what a look or a call returned.

    Parameters
    ----------
    value : object
        A ladder, a budget, options, choices, a ruling, a combatant, events, offers, rulesets: a single one, or a tuple.

    Returns
    -------
    str or None
        HTML; None for anything else, or for a tuple of mixed kinds.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara <3", side="rebels"), enc.start()
    >>> "<bdi>Mara &lt;3</bdi>" in html_of(enc.order)
    True
    >>> html_of((1, 2)) is None
    True
    """
    first = value[0] if isinstance(value, tuple) and value else value
    return _shown(value, kit_language(_language(first)).several)


# ── words ──


def _name(text: str) -> str:
    """Return what somebody typed, kept from reversing the text beside it."""
    return f"<bdi>{escape(text)}</bdi>" if text else ""


def _code(id: str) -> str:
    return f"<code>{escape(id)}</code>" if id else ""


def _codes(ids: Iterable[str]) -> str:
    return ", ".join(_code(id) for id in ids if id)


def _said(value: object, word: Word) -> str:
    """Return a value in words: several separated by commas, a mapping as pairs, a negative number with a minus sign."""
    if isinstance(value, Mapping):
        return ", ".join(f"{escape(word(str(key)))} {_said(inner, word)}" for key, inner in value.items())
    if isinstance(value, (tuple, list, frozenset, set)):
        return ", ".join(_said(each, word) for each in value)
    if isinstance(value, bool):
        return word("yes" if value else "no")
    if isinstance(value, (int, float)):
        return signed(value)
    return _name(str(value))


# ── the notebook ──


def show(formatter: Any) -> None:
    """Let IPython's HTML formatter show all this, and other tuples as it did before."""
    for kind in _SINGLE:
        formatter.for_type(kind, html_of)
    before = formatter.for_type(tuple)

    def of_tuple(value: tuple[object, ...]) -> object:
        found = html_of(value)
        if found is not None:
            return found
        own = getattr(value, "_repr_html_", None) if type(value) is not tuple else None
        return before(value) if before is not None else own() if own is not None else None

    formatter.for_type(tuple, of_tuple)
