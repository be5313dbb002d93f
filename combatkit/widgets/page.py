"""A fight as one file: a page on which a reader steps through it, with no kernel and no network."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from os import PathLike
from pathlib import Path
from string import Template
from typing import cast

from msgspec.json import encode
from msgspec.structs import replace

from combatkit.core.curtain import hidden_in
from combatkit.core.model import Look, numbered
from combatkit.core.plain import is_text, short
from combatkit.core.timeline import MOVES, Line, taken_out
from combatkit.errors import InvalidInput
from combatkit.fight.fight import Encounter
from combatkit.fight.pictures import kind_of
from combatkit.fight.view import View
from combatkit.files.paths import as_path, write_file
from combatkit.report.words import joined
from combatkit.text import ENGLISH
from combatkit.widgets._base import bundle
from combatkit.widgets._budget_view import BudgetProjector
from combatkit.widgets._delta import changes
from combatkit.widgets._end_view import end_view
from combatkit.widgets._ladder_view import LadderProjector, lost_in
from combatkit.widgets._map_static import map_picture
from combatkit.widgets._map_view import MapProjector, is_drawn, is_laid, look_of
from combatkit.widgets._result import result_of
from combatkit.widgets._static import budget_table, heading, ladder_table, log_list
from combatkit.widgets._table import table_of
from combatkit.widgets._tongue import language_at, told_from
from combatkit.widgets._tracker_view import head_of
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import BudgetView, LadderView, MapView

Views = dict[str, Mapping[str, object]]

_LONGEST_TITLE = 1_000

_PAGE = Template("""\
<!doctype html>
<html lang="$lang">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="referrer" content="no-referrer">
<title>$title</title>
<link rel="icon" href="data:,">
<style>
$style</style>
</head>
<body>
<header><h1>$title</h1><p>$about</p></header>
<main id="fight" data-ck-page><noscript>
$picture
</noscript></main>$below
<script type="application/json" id="record">""")
"""What comes before the record."""

_REST = Template("""</script>
$scripts
</body>
</html>
""")
"""And what comes after it."""

_EXPORTED = re.compile(r"export\{([\w$]+) as default\};")
"""What a widget's bundle gives to whoever imports it: nothing can be imported into a page."""

_ID = re.compile(r'"([\w-]+\.[^"\s]+)"')

_POLICY = (
    "default-src 'none'; script-src '{scripts}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html 'allow-duplicates'"
)
"""Nothing may be loaded, sent or run but the page's own scripts, by their hashes."""


class _Reader(Vantage):
    """A place from which a whole fight is read: every moment is shown as if it were the present.

    At a seat its own people are shown whole, whoever plays them elsewhere.
    """

    looks_on = True
    """Nothing can be done from here."""

    away = ()
    """Who is gone just now is nothing to keep."""

    def __init__(self, encounter: Encounter, view: str, seat: str = "") -> None:
        self._moment: View = encounter
        self._own = table_of(encounter).plays.get(seat, ())
        super().__init__(encounter, view)
        hidden = hidden_in(encounter._state) if self.players else frozenset()
        self.always = hidden
        people = [(side, npc) for who, side, npc in joined(encounter._events) if who not in hidden]
        names = self.guises
        # Also who is no more, and as what a side was known before: every moment is shown.
        sides = [(names.told(side), npc) for side, npc in people]
        sides += [(each, npc) for side, npc in people for each in self._guises.ever(side) if not names.within(each)]
        self._sides = numbered(sides)
        self._out = taken_out(self.events)
        self._early = self._taken_back()
        self.never: set[str] = set()
        encounter.unwatch(self._happened)

    @property
    def now(self) -> View:
        """The moment that is looked at."""
        return self._curtained(self._moment) if self.players else self._moment

    @property
    def plays(self) -> tuple[str, ...]:
        """Whom the seat plays."""
        return self._own

    @property
    def moments(self) -> Sequence[int]:
        """The events after which it is shown how things stand: to players those that they are told of, and the end."""
        events = range(1, len(self.encounter._events) + 1)
        return [*self.log_lines.shown[:-1], len(events)] if self.players else events

    @property
    def passed(self) -> tuple[str, ...]:
        """Nobody: a page shows what has happened."""
        return ()

    @property
    def sides(self) -> dict[str, int]:
        """Every side's number: all that ever joined are known from the beginning."""
        return self._sides

    def _taken_back(self) -> frozenset[int]:
        """Return the events after which players knew a name, until that was undone."""
        if not (names := self.guises):
            return frozenset()
        log = self.encounter._events
        line = Line(log)
        led = {event.seq: event.seq for event in log}
        for event in log:
            if event.kind in MOVES:
                led[event.seq] = led.get(event._data["to"], 0)
        return frozenset(seq for seq, to in led.items() if to and not line.holds(to) and self._guises.knew(seq, names))

    def go(self, seq: int) -> None:
        """Go to the moment after an event, or to the last in which nobody is known who is not known any more.

        Those taken out before the fight began are in none.
        """
        while seq in self._early:
            seq -= 1
        self._moment = now = self.encounter.at(seq)
        self.seq = seq
        if not self._out:
            return
        self.never = {stay.who for stay in self._out if stay.there(self.encounter._events[seq - 1])}
        if self.never:
            fighters = {name: fighter for name, fighter in now._state.fighters.items() if name not in self.never}
            self._moment = View(now.id, now.ruleset, replace(now._state, fighters=fighters), now._events)


def write_page(encounter: Encounter, path: str | PathLike[str], view: str, title: str | None) -> Path:
    """Write a fight as one file, as described in `Encounter.to_html`.

    Examples
    --------
    >>> import combatkit as ck, tempfile
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4, level=6), enc.start()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     enc.to_html(f"{folder}/friday.html").name
    'friday.html'
    """
    check_title(title)
    file = as_path(path, "a page")
    return write_file(file, page(encounter, view, title or encounter.title or encounter._called).encode())


def check_title(title: object) -> None:
    """Refuse what cannot be a page's title."""
    if title is not None and not is_text(title, _LONGEST_TITLE):
        raise InvalidInput(f"title is {short(title)}; give text of at most {_LONGEST_TITLE} characters")


def page(encounter: Encounter, view: str, title: str) -> str:
    """Return a fight as the text of a page.

    Parameters
    ----------
    encounter : Encounter
        The fight.
    view : str
        ``"gm"``, or ``"players"``: then nothing in it tells what players may not know.
    title : str
        Its title.

    Returns
    -------
    str
        HTML that holds everything it needs.
    """
    return "".join(pieces(encounter, view, title))


def pieces(encounter: Encounter, view: str, title: str, seat: str = "") -> Iterator[str]:
    """Yield such a page in pieces, at least one for each event, as somebody saw it: a long page takes a while."""
    reader = _Reader(encounter, view, seat)
    whose = f"as {seat or ('the players' if reader.players else 'the GM')} saw it"
    about = language_at(reader).several(f"{encounter.ruleset.title} · {whose}")
    places, language = _places(reader), language_at(reader).id
    has_map = is_drawn(encounter.board) and (places or "move" in [event.kind for event in encounter._events])
    before = [_EXPORTED.sub(r"globalThis.ck={map:\1};", bundle("map.js"))] if has_map else []
    head, rest = frame("page", "tracker", title, about, _picture(reader), places, language, before)
    yield head
    yield from _record(reader, bool(has_map))
    yield rest


def frame(
    name: str,
    widget: str,
    title: str,
    about: str,
    picture: str,
    below: str = "",
    language: str = ENGLISH,
    before: Sequence[str] = (),
) -> tuple[str, str]:
    """Return a page before its record and after it: the bundle of a name, HTML for want of scripts, and HTML below.

    Its sheet is that of the widget it shows, which styles nothing but that, and its own. Scripts that come `before` its
    bundle have run once that does.
    """
    scripts = [*before, bundle(f"{name}.js")]
    digests = [f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}" for script in scripts]
    head = _PAGE.substitute(
        policy=escape(_POLICY.format(scripts="' '".join(digests))),
        lang=language,
        title=escape(title),
        about=escape(about),
        style=bundle(f"{widget}.css") + bundle(f"{name}.css"),
        picture=picture,
        below=below,
    )
    return head, _REST.substitute(scripts="\n".join([f'<script type="module">{each}</script>' for each in scripts]))


def as_json(data: object) -> str:
    """Return plain data as JSON in which no tag can begin."""
    return encode(data).decode().replace("<", "\\u003c")


def _picture(reader: _Reader) -> str:
    """Return how the fight stands at its end, and its whole log, without scripts."""
    ladder = cast("LadderView", told_from(reader, LadderProjector()(reader)))
    budget = cast("BudgetView", told_from(reader, BudgetProjector()(reader)))
    lines, _ = reader.log_lines.page(1, reader.log_lines.last)
    language = language_at(reader)
    told = log_list(lines, reader.log_lines.last, len(lines), language)
    return heading(reader) + ladder_table(ladder, language) + budget_table(budget, language) + told


def _places(reader: _Reader) -> str:
    """Return who stands where at the end, as a picture and a table; nothing where nobody has a place."""
    if not is_laid(reader):
        return ""
    view = cast("MapView", told_from(reader, MapProjector()(reader)))
    return f"<section>{map_picture(view, reader)}</section>"


def _record(reader: _Reader, has_map: bool) -> Iterator[str]:
    """Yield everything there is to see: the views at the first event, and what each later one changes in them."""
    first, *later = reader.moments
    pictures, log_lines = _Pictures(reader, has_map), reader.log_lines
    lines, heads = log_lines.page(1, log_lines.last)
    views = pictures.at(first)
    # A round begins with what is told of it first.
    count = len(later) + 1
    opened = [log_lines.number(seq - 1) + 1 if reader.players else seq for seq in log_lines.index.rounds]
    rounds = [*dict.fromkeys(min(number, count) for number in opened)]
    head = f'{{"views":{as_json(views)},"steps":['
    cited = cited_in(head) | cited_in(as_json(lines))
    yield head
    for number, seq in enumerate(later):
        after = pictures.at(seq)
        step = as_json({part: found for part in after if (found := changes(views[part], after[part]))})
        cited |= cited_in(step)
        yield f"{',' if number else ''}{step}"
        views = after
    rules = reader.encounter.ruleset.rules
    told = {id: rules[id] for id in sorted(cited) if rules.get(id) is not None}
    rest: dict[str, object] = {
        "lines": lines,
        "heads": heads,
        "rounds": rounds,
        "opens": rounds[0] if rounds else count,
        "rules": {
            id: {"rule": id, "text": rule.text, "locator": rule.locator, "disputed": rule.disputed}
            for id, rule in told.items()
        },
    }
    if pictures.below:
        rest["pictures"] = pictures.below
    if reader.now._state.stage == "over":
        rest["card"] = told_from(reader, end_view(reader))
    yield f"],{as_json(rest)[1:]}"


def _below(encounter: Encounter, look: Look) -> dict[str, object]:
    """Return the picture below the map by its id, as the answer to who asks for it; none, if it is gone."""
    try:
        content = encounter._picture(look)
    except InvalidInput:
        return {}
    data = b64encode(content).decode("ascii")
    told = {"picture": look.sha[:16], "part": 0, "type": f"image/{kind_of(content)}", "data": data, "last": True}
    return {look.sha[:16]: {"kind": "picture", **told}}


class _Pictures:
    """The views after each event, with no way to do anything in them; what nothing has changed in is kept as it is."""

    def __init__(self, reader: _Reader, has_map: bool = False) -> None:
        self._map = MapProjector(saved=True) if has_map else None
        self.below: dict[str, object] = {}
        self._reader = reader
        self._language = language_at(reader)
        self._project = (LadderProjector(), BudgetProjector())
        self._seen: tuple[object, ...] = ()

    def at(self, seq: int) -> Views:
        """Return the views as they were after an event."""
        reader = self._reader
        reader.go(seq)
        state = reader.now._state
        seen = (replace(state, die=0), lost_in(reader))
        if seen != self._seen or state.window is not None:  # who is asked is shown what they did last, by the log
            self._seen = seen
            self._head, (self._ladder, self._budget) = head_of(reader), [project(reader) for project in self._project]
            self._ground = None if self._map is None else self._map(reader)
            if self._ground and (look := look_of(reader)) is not None and look.sha[:16] not in self.below:
                self.below |= _below(reader.encounter, look)
        page: Mapping[str, object] = reader.log_lines.view(seq, past=True)
        log = {key: page[key] for key in ("first", "last", "cursor", "sides")}
        views: Views = {
            "tracker": {**self._head, "result": None if reader.never else result_of(reader), "players": True},
            "ladder": self._ladder,
            "budget": self._budget,
            "log": {**log, "label": reader.now.clock.label, "players": False},
        }
        if self._ground is not None:
            views["map"] = self._ground
        if self._language.id == ENGLISH:
            return views
        return {part: told_from(reader, view, root=part == "tracker") for part, view in views.items()}


def cited_in(text: str) -> set[str]:
    """Return what stands in JSON and looks like a rule's id."""
    return set(_ID.findall(text))
