"""The log as a document: rounds in prose, with dice, people's own words and the rules it all rests on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from combatkit.core.curtain import NOBODY, guised, hidden_in, shows_numbers
from combatkit.core.guises import Guises
from combatkit.core.model import numbered
from combatkit.core.plain import counted
from combatkit.core.timeline import standing
from combatkit.errors import InvalidInput
from combatkit.files.paths import as_path, write_file
from combatkit.report.pages import HtmlPage, MarkdownPage, Page
from combatkit.report.sections import Clause, Passage, Section, sections
from combatkit.report.words import SIDE_MARKS, condition_word, joined, setting_words
from combatkit.rules.shapes import Parts
from combatkit.rules.vitals import most_of
from combatkit.text import ENGLISH, Said, Title, say
from combatkit.text.phrases import capital

if TYPE_CHECKING:
    from combatkit.core.model import Fighter
    from combatkit.fight.view import View

_HTML = """<!doctype html>
<html lang="{language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<style>:root{{color-scheme:light dark}}body{{font:1em/1.5 system-ui,sans-serif;max-width:46em;margin:auto;padding:1em}}
sup{{line-height:0}}</style></head>
<body>
{body}
</body>
</html>
"""


class Document:
    """A fight's log to be read, kept or shared; as it was when it was made.

    As a cell's last line it shows as HTML, without styles or scripts. `str` gives it as Markdown.

    Parameters
    ----------
    fight : View
        The fight, or a past moment of it.
    undone : bool
        Whether to include what was undone, struck through.
    rules : bool
        Whether rules are marked, and told at the end with where the source says them.
    view : str
        ``"gm"``, or ``"players"`` to leave out what they may not know: NPC vitals, the GM's own words.
    title : str
        What it is headed with; if that is empty the fight's id, or its system where that was drawn.

    Raises
    ------
    InvalidInput
        If `view` is another word.
    """

    def __init__(
        self, fight: View, *, undone: bool = False, rules: bool = True, view: str = "gm", title: str = ""
    ) -> None:
        if view not in ("gm", "players"):
            raise InvalidInput(f"view is {view!r}; it is 'gm' or 'players'")
        self._ruleset = fight.ruleset
        names, guises = NOBODY, Guises()
        events = list(fight._events)
        if view == "players":
            events = guises.read(events)
            names = guises.at(len(events))
        self._state = guised(fight._state, names)
        self._language = fight.ruleset.languages[fight._state.language]
        self._players = view == "players"
        self._rules = rules
        self._id = fight.id
        self._title = title or fight._called
        told = events if undone else standing(events)
        self._sections = sections(self._ruleset, told, fight._events.begins, self._state, names, players=self._players)
        self._readings = {
            id: value
            for id, value in self._state.options.items()
            if id in self._ruleset.options and value != self._ruleset.options[id].default
        }
        hidden = hidden_in(self._state) if self._players else frozenset()
        self._fighters = [fighter for fighter in self._state.fighters.values() if fighter.name not in hidden]
        cast = [(who, names.told(side), npc) for who, side, npc in joined(told) if who not in hidden]
        sides_of = {who: names.told(side) for who, side, _ in joined(fight._events)}
        met = {called: sides_of[who] for called, who in guises.met.items() if who in sides_of}
        self._side_of = met | {who: side for who, side, _ in cast}
        self._side_of |= {fighter.name: fighter.side for fighter in self._state.fighters.values()}
        sides = numbered((side, npc) for _, side, npc in cast)
        self._marks = {side: SIDE_MARKS[number % len(SIDE_MARKS)] for side, number in sides.items()}
        seed = "" if self._players else str(self._state.seed)
        self._source = self._language.render(say("log.encounter", title=Title(self._ruleset.title), seed=seed))

    @cached_property
    def markdown(self) -> str:
        """The log as Markdown."""
        return str(self._set(MarkdownPage(self._id))) + "\n"

    @cached_property
    def html(self) -> str:
        """The log as a fragment of HTML, without styles or scripts; a file written is a whole page."""
        return str(self._set(HtmlPage(f"log-{self._id}")))

    def __str__(self) -> str:
        """Return it as Markdown."""
        return self.markdown

    def __repr__(self) -> str:
        """Say whose log it is, and how long."""
        rounds = sum(section.level == 2 for section in self._sections)
        said = {"part": rounds, "word": len(self.markdown.split())}
        parts, words = (self._language.several(counted(number, noun)) for noun, number in said.items())
        return self._language.tell("<Log of {id}: {parts}, {words}>", id=self._id, parts=parts, words=words)

    def _repr_html_(self) -> str:
        return self.html

    def _repr_markdown_(self) -> str:
        return self.markdown

    def write(self, path: str | Path) -> Path:
        """Write it to a file, replacing any that exists.

        Parameters
        ----------
        path : str or Path
            Ends in ``.md``, or in ``.html`` for a page of its own.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InvalidInput
            For another ending, or a place that cannot be written to.
        """
        path = as_path(path, "a log")
        match path.suffix.casefold():
            case ".md":
                text = self.markdown
            case ".html":
                text = _HTML.format(language=self._language.id, title=HtmlPage("").text(self._title), body=self.html)
            case suffix:
                raise InvalidInput(f"{path.name!r} ends in {suffix!r}; a log is written to .md or .html")
        return write_file(path, text.encode())

    # ── setting it ──

    def _set(self, page: Page) -> Page:
        cited: dict[str, int] = {}
        page.heading(1, page.text(self._title))
        page.paragraph(page.text(f"{self._source}."))
        self._set_cast(page)
        for section in self._sections:
            self._set_section(page, section, cited)
        self._set_standing(page)
        if cited:
            self._set_rules(page, list(cited))
        return page

    def _said(self, page: Page, id: str, readings: Sequence[Said] = ()) -> str:
        """Return what the document itself says, in the language of the log."""
        return page.text(self._language.render(say(f"document.{id}", readings=readings)))

    def _set_cast(self, page: Page) -> None:
        lines = []
        for side, mark in self._marks.items():
            names = [f.name for f in self._fighters if f.side == side]
            if names:
                lines.append(f"{mark} {page.strong(side)}: {page.text(', '.join(names))}")
        if lines:
            page.bullets(lines)
        if self._readings:
            options = self._ruleset.options
            differ = [
                say(
                    "document.reading",
                    option=Title(options[id].title or id.replace("_", " ")),
                    value=Title(setting_words(value)),
                )
                for id, value in self._readings.items()
            ]
            page.paragraph(self._said(page, "readings", readings=differ))
        if any(isinstance(p, dict) and "table" in p for s in self._sections for c in _clauses(s) for p in c.parts):
            page.paragraph(self._said(page, "table_dice"))

    def _set_section(self, page: Page, section: Section, cited: dict[str, int]) -> None:
        line = page.text(" · ".join(word for word in (section.title, section.time) if word))
        page.heading(section.level, page.struck(line) if section.undone else line)
        for passage in section.passages:
            clauses = [clause for clause in passage.clauses if clause.parts]
            if passage.owner is None and len(clauses) > 2:
                page.bullets([self._sentence(page, [clause], None, cited, set()) for clause in clauses])
            else:
                page.paragraph(self._paragraph(page, passage, cited))

    def _paragraph(self, page: Page, passage: Passage, cited: dict[str, int]) -> str:
        """Set a turn: a sentence for what somebody does, up to the dice that decide it."""
        sentences: list[list[Clause]] = []
        for clause in passage.clauses:
            last = sentences[-1][-1] if sentences else None
            if last is not None and clause.who is not None and _goes_on(last, clause):
                sentences[-1].append(clause)
            else:
                sentences.append([clause])
        marked: set[str] = set()
        said = []
        owner = passage.owner
        for each in sentences:
            said.append(self._sentence(page, each, owner, cited, marked))
            owner = None if each[0].who == owner else owner
        return " ".join(said)

    def _sentence(
        self, page: Page, clauses: Sequence[Clause], owner: str | None, cited: dict[str, int], marked: set[str]
    ) -> str:
        """Set clauses about one combatant; `owner`, whose turn it is, stands out; `marked` rules are marked."""
        who = clauses[0].who
        start = "" if who is None else f"{page.text(capital(who))} "
        if who is not None and who == owner:
            start = f"{self._marks.get(self._side_of[who], '')} {page.strong(capital(who))} "
        said = []
        for i, clause in enumerate(clauses):
            numbers = []
            for rule in clause.rules if self._rules else ():
                if rule not in marked:
                    marked.add(rule)
                    numbers.append(cited.setdefault(rule, len(cited) + 1))
            end = ";" if i < len(clauses) - 1 else _stop(clause.parts)
            parts = clause.parts
            if not start and not i and isinstance(parts[0], str):
                parts = [capital(parts[0]), *parts[1:]]
            words = f"{'' if i else start}{_inline(page, parts)}{end}"
            said.append((page.struck(words) if clause.undone else words) + page.marks(sorted(numbers)))
        return " ".join(said)

    def _set_standing(self, page: Page) -> None:
        """Say who stands how, if the system keeps count of it."""
        lines = []
        for side, mark in self._marks.items():
            told = [words for f in self._fighters if f.side == side and (words := self._standing(page, f))]
            if told:
                lines.append(f"{mark} {'; '.join(told)}")
        if lines:
            page.heading(2, self._said(page, "ended" if self._state.stage == "over" else "stands"))
            page.bullets(lines)

    def _standing(self, page: Page, fighter: Fighter) -> str:
        words = []
        hides = self._players and fighter.npc and not shows_numbers(self._state, fighter)
        for vital in self._ruleset.vitals:
            left, total = fighter.vitals.get(vital.name), most_of(self._ruleset, fighter, vital.name)
            if left is not None and not hides:
                above = total is not None and left > total  # granted on top of the most there is
                told: dict[str, Any] = {"left": left, "total": None if above else total}
                named = Title(vital.title.lower())
                words.append(self._language.render(say("document.vital", of=vital.name, vital=named, **told)))
        incapable = self._ruleset.incapable
        out = [e.id for e in fighter.effects if e.id in incapable]
        words += [self._language.render(say("document.state", of=id, word=Title(condition_word(id)))) for id in out]
        return f"{page.strong(fighter.name)} {page.text(', '.join(dict.fromkeys(words)))}" if words else ""

    def _set_rules(self, page: Page, cited: Sequence[str]) -> None:
        page.heading(2, self._said(page, "rules"))
        lines, text = [], page.text if self._language.id == ENGLISH else page.english
        for id in cited:
            rule = self._ruleset.rules.get(id)
            if rule is None:
                lines.append(page.code(id))
                continue
            disputed = f" {self._said(page, 'disputed')}" if rule.disputed else ""
            lines.append(f"{page.code(id)} {text(rule.text)}{disputed} {text(f'({rule.locator})')}")
        page.notes(lines)


def _clauses(section: Section) -> list[Clause]:
    return [clause for passage in section.passages for clause in passage.clauses]


def _goes_on(last: Clause, clause: Clause) -> bool:
    """Check whether a clause goes on with the sentence of the one before."""
    return last.who == clause.who and last.undone == clause.undone and not last.has_dice


def _stop(parts: Parts) -> str:
    """Return the full stop of a sentence that ends with these words, if it has none of its own."""
    last = parts[-1]
    words = last if isinstance(last, str) else str(last.get("quiet", ""))
    return "" if words.endswith((".", "!", "?")) else "."


def _inline(page: Page, parts: Parts) -> str:
    """Set rich text; what is not for reading, a side's mark, is left out."""
    said = []
    for part in parts:
        if isinstance(part, str):
            said.append(page.text(part))
            continue
        (key, value), *more = part.items()
        match key:
            case "die":
                said.append(f"⟦{value}⟧" if more else f"[{value}]")
            case "note":
                said.append(page.italic(f"“{value}”"))
            case "was":
                said.append(page.struck(page.text(str(value))))
            case "quiet" | "chip":
                said.append(page.text(str(value)))
    return "".join(said)
