"""Pictures for places where no widget can run: plain, escaped HTML without classes, styles or scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape, unescape

from combatkit.report.shapes import Line, Lines
from combatkit.report.table import html_table
from combatkit.report.words import SIDE_MARKS, clock_time, condition_word, plain
from combatkit.rules.shapes import Parts
from combatkit.rules.typed import sheet_line
from combatkit.text import Language, neutral, signed
from combatkit.text.phrases import capital
from combatkit.widgets._ladder_view import WORDS
from combatkit.widgets._tongue import language_at
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Action, BudgetView, Group, LadderView, Slot

_TAG = re.compile(r"<[^>]*>")
_BREAKS = ("</caption>", "</tr>", "</p>", "</li>")
_GO_ON = "Run the notebook to play on."
_THEN = "as it stood when this was shown"
"""What a notebook keeps of a fight that goes on is not made anew with it, nor when the notebook is saved."""


def go_on(vantage: Vantage) -> str:
    """Say below a picture that a notebook can play on from it."""
    return f"<p>{escape(language_at(vantage).word(_GO_ON))}</p>"


def heading(vantage: Vantage) -> str:
    """Say in a line how the fight stands."""
    now = vantage.now
    clock = now.clock
    time = clock_time(clock.seconds)
    over = "the fight is over" if now._state.stage == "over" else ""
    whose = f"{now.active}'s turn" if now.active else over
    past = f"as it was at event {vantage.seq}" if vantage.past is not None else ""
    word = language_at(vantage).word
    words = " · ".join(word(part) for part in (clock.label, time, whose, past) if part)
    then = "" if past or over else f", {escape(word(_THEN))}"
    return f"<p><b>{escape(neutral(words))}</b> ({escape(now.ruleset.id)}){then}</p>"


def ladder_table(view: LadderView, language: Language) -> str:
    """Return the ladder as a table, from the view a front end gets."""
    word = language.word
    rows = []
    for id in view["order"]:
        row = view["rows"][id]
        side = view["sides"][row["side"]]
        now = id == view["current"]
        status = row["status"]
        vitals = [vital for vital in (row.get("vital"), *row.get("more", ())) if vital]
        said = row.get("word") or word(WORDS.get(status, condition_word(status)))
        at = word(f"at {row['at']}") if "at" in row else ""
        rows.append(
            [
                _bold(row["score"], now),
                _bold(row["name"], now),
                f"{SIDE_MARKS[side['mark']]}&nbsp;{escape(neutral(side['name']))}",
                _bold(f"▸ {said}" if now else said, now),
                ", ".join("—" if left is None else f"{signed(left)}/{full}" for left, full in vitals)
                + (word(f" + {row['temporary']} temporary") if "temporary" in row else ""),
                escape("; ".join(filter(None, [at, *map(plain, row.get("sub", ()))]))),
            ]
        )
    score = view["score"].partition(" · ")[0]  # what else a rung shows has a column of its own, or none
    score = capital(score)
    heads = [score, *map(word, ("Combatant", "Side", "State", "Vitality", "Notes"))]
    return html_table(word("Initiative ladder"), heads, rows)


def budget_table(view: BudgetView, language: Language) -> str:
    """Return a budget as a table; nothing if nobody acts."""
    word = language.word
    if view["name"] is None:
        return ""
    slots = {slot["title"]: slot for slot in view["slots"]}
    groups = [view["group"][id] for id in view["groups"]]
    titles = [group["title"] for group in groups]
    rows = []
    for group in groups:
        title = group["title"]
        if titles.count(title) > 1:  # what costs alike is told apart by its kind
            title = f"{title}, {group.get('small', '')}"
        rows.append([escape(title), _left(slots.pop(group["title"], None), word), _titles(view, group)])
    rows += [[escape(title), _left(slot, word), ""] for title, slot in slots.items()]
    if view["asked"] is not None and view["asked"]["answers"]:
        answers = ", ".join(answer["title"] for answer in view["asked"]["answers"])
        rows.append([escape(view["asked"]["about"]), "", escape(answers)])
    for fold in (view["group"][id] for id in view["folds"]):
        for number, why in enumerate(fold.get("whys", [])):
            keys = [key for key in fold["actions"] if fold.get("own", {}).get(key, 0) == number]
            named = ", ".join(_title(view["action"][key], True) for key in keys)
            rows.append([word("Not now"), "", escape(f"{named}: {plain(why)}{_rules(why)}")])
    return html_table(word(f"Action budget: {view['name']}"), map(word, ("Slot", "Left", "Actions")), rows)


def _left(slot: Slot | None, word: Callable[[str], str]) -> str:
    if slot is None:
        return ""
    left = word("no limit" if "unlimited" in slot else f"{slot['left']} of {slot['total']}")
    return left.replace(" ", "&nbsp;")


def _titles(view: BudgetView, group: Group) -> str:
    """Return the titles of a group's actions, with what they cost."""
    return escape(", ".join(_title(view["action"][key], False) for key in group["actions"]))


def _title(action: Action, refused: bool) -> str:
    beside = " · ".join(filter(None, ("" if refused else action.get("cost"), action.get("extra"))))
    return f"{action['title']} ({beside})" if beside else action["title"]


def log_list(lines: Lines, last: int, count: int, language: Language) -> str:
    """Return the newest lines of the log as a list."""
    shown = list(lines.values())[-count:]
    if not shown:
        return ""
    items = "".join(f'<li value="{line["seq"]}">{_line(line)}</li>' for line in shown)
    title = language.word(f"Combat log, last {len(shown)} of {last}")
    return f"<p><b>{title}</b></p><ol>{items}</ol>"


def _line(line: Line) -> str:
    words = escape(neutral(" ".join(word for word in (line["actor"], _spoken(line["text"])) if word)))
    words = f"<s>{words}</s>" if line["undone"] else words
    return f"{words} ({escape(', '.join(line['cite']))})" if line["cite"] else words


def _spoken(parts: Parts) -> str:
    """Return rich text with its dice in brackets, for a reader without pictures."""
    marked = [
        f"[{p['die']}{', table' if 'table' in p else ''}]" if isinstance(p, dict) and "die" in p else p for p in parts
    ]
    return plain(marked)


def members_table(vantage: Vantage) -> str:
    """Return the combatants of a fight that has not begun."""
    state, rules = vantage.now._state, vantage.now.ruleset
    word = language_at(vantage).word
    title = f"<p><b>{word('A new fight')}</b> ({escape(rules.id)})</p>"
    if not state.fighters:
        return f"{title}<p>{word('Run the notebook to set it up.')}</p>"
    rows = []
    for fighter in state.fighters.values():
        summary = "" if vantage.hides(fighter) else word(sheet_line(rules, fighter.stats, fighter.vitals))
        side = f"{SIDE_MARKS[vantage.sides[fighter.side] % 8]}&nbsp;{escape(neutral(fighter.side))}"
        rows.append([escape(neutral(fighter.name)), side, word("GM") if fighter.npc else "", escape(summary)])
    heads = map(word, ("Combatant", "Side", "Played by", "Notes"))
    return title + html_table(word("Combatants"), heads, rows) + go_on(vantage)


def _bold(text: str, is_bold: bool) -> str:
    words = escape(neutral(text))
    return f"<b>{words}</b>" if is_bold else words


def _rules(parts: Parts) -> str:
    cited = [str(part["rule"]) for part in parts if isinstance(part, dict) and "rule" in part]
    return f" ({', '.join(cited)})" if cited else ""


def text_of(html: str) -> str:
    """Return a picture as plain text, for a front end that can show nothing else."""
    for tag in ("</td><td>", "</th><th>"):
        html = html.replace(tag, " | ")
    for tag in _BREAKS:
        html = html.replace(tag, "\n")
    words = unescape(_TAG.sub("", html)).replace("\N{NO-BREAK SPACE}", " ")
    return "\n".join(line.strip() for line in words.splitlines() if line.strip())
