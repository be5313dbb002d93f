"""The directive ``rulebook``: a part of a ruleset as its own data say it, so that a page cannot drift from the rules.

``{rulebook} saga budget`` and so on; each rule becomes an object that other pages can refer to by ``{rule}``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

import combatkit

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

    from combatkit.rules.catalogue import Action, Cost, Rule, Setting, Stat
    from combatkit.rules.ruleset import Ruleset

SCENE = "catwalk"
"""The scene of the kit that every system is shown with."""

BROUGHT = "listrule"
"""What a rule of a list of actions is to the site, since it is none of the text's."""

Cell = Sequence[nodes.Node]


def words(text: object) -> Cell:
    """Give plain text: nothing in it is markup."""
    return [nodes.Text(str(text))]


def code(text: object) -> nodes.literal:
    """Give something as it is typed."""
    return nodes.literal("", str(text))


def listed(parts: Iterable[nodes.Node], between: str = ", ") -> Cell:
    """Put commas between parts."""
    found: list[nodes.Node] = []
    for part in parts:
        found += [nodes.Text(between), part] if found else [part]
    return found


def rule_link(id: str) -> nodes.Node:
    """Refer to a rule, wherever it is told."""
    kind = "rule" if id in combatkit.ruleset(id.partition(".")[0]).rules.ids() else BROUGHT
    target = addnodes.pending_xref("", refdomain="std", reftype=kind, reftarget=id, refexplicit=False, refwarn=True)
    target += code(id)
    return target


def rule_links(ids: Iterable[str]) -> Cell:
    """Refer to rules, in the order given, each once."""
    return listed(rule_link(id) for id in dict.fromkeys(ids) if id)


def table(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> nodes.table:
    """Give a table of inline cells."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in heads), cols=len(heads))
    group += nodes.thead("", row([words(head) for head in heads]))
    group += nodes.tbody("", *(row(cells) for cells in rows))
    return nodes.table("", group, classes=["colwidths-auto"])


def row(cells: Iterable[Cell]) -> nodes.row:
    """Give one row of a table."""
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells))


# ── the parts of a rulebook ──


def budget(book: Ruleset) -> list[nodes.Node]:
    """What there is to spend, and the ways to pay."""
    titles = {slot.id: slot.title for slot in book.slots}

    def ways(cost: Cost) -> Cell:
        told = [" and ".join(titles.get(pool, pool) for pool in pools) or "nothing" for pools in cost.pay]
        rest = ", untouched" if cost.untouched else ""
        return words(", else ".join(told) + rest)

    slots = nodes.paragraph("", "", *words("The budget shows: " + ", ".join(titles.values()) + "."))
    heads = ["What an action costs", "Paid with", "Rules"]
    costs = [(words(c.title), ways(c), rule_links([c.rule, *c.rules, c.spent_rule])) for c in book.costs]
    return [slots, table(heads, costs)]


def actions(book: Ruleset) -> list[nodes.Node]:
    """Give the whole catalogue."""
    return [catalogue(book, book.actions)]


def catalogue(book: Ruleset, listed_actions: Iterable[Action]) -> nodes.table:
    """Give a list of actions as a table."""

    def line(action: Action) -> Sequence[Cell]:
        name = [*words(f"{action.title} "), code(action.id)]
        cost = book.costs[action.cost].title
        when = "" if action.when == "own turn" else f", {action.when}"
        takes = listed(code(p.id if p.required else f"{p.id}?") for p in action.parameters)
        return name, words(cost + when), takes, rule_links(action.cited)

    return table(["Action", "Cost, and when if not on your own turn", "Parameters", "Rules"], map(line, listed_actions))


def lists(book: Ruleset) -> list[nodes.Node]:
    """Give the lists of actions that options bring, each with where it is from and its rules."""
    found: list[nodes.Node] = []
    for option, brought in book.lists.items():
        for value, each in brought.items():
            usual = ", ".join(f"{id} = {default!r}" for id, default in each.defaults.items())
            about = f"{each.source}." + (f" Unless chosen otherwise: {usual}." if usual else "")
            head = nodes.rubric("", "", code(f"{option} = {value!r}"))
            found += [head, nodes.paragraph("", "", *words(about)), catalogue(book, each.added), *told(each.rules)]
    return found


def options(book: Ruleset) -> list[nodes.Node]:
    """Give the readings that can be chosen."""

    def values(setting: Setting) -> Cell:
        if setting.open:
            return words(
                "any " + {"int": "whole number", "list": "list", "band": "range band"}.get(setting.open, setting.open)
            )
        return listed(code(repr(value)) for value in setting.values)

    def line(id: str, setting: Setting) -> Sequence[Cell]:
        return (
            [code(id)],
            [code(repr(setting.default))],
            values(setting),
            words(setting.text),
            rule_links(setting.rules),
        )

    lines = [line(id, setting) for id, setting in book.options.items()]
    return [table(["Option", "Default", "Values", "What it decides", "Rules"], lines)]


def stats(book: Ruleset) -> list[nodes.Node]:
    """Give what ``add`` takes."""

    def bounds(stat: Stat) -> Cell:
        if stat.range is None:
            return []
        low, high = ("" if end is None else str(end) for end in stat.range)
        return words(
            f"{low} to {high}" if low and high else f"{low} and up" if low else f"up to {high}" if high else ""
        )

    def line(stat: Stat) -> Sequence[Cell]:
        about = stat.text or stat.title
        title = f"{about} (a vital)" if stat.vital else about
        return [code(stat.name)], words(title), words(stat.type), bounds(stat), [code(repr(stat.default))]

    return [table(["Stat", "What it is", "Type", "Range", "Default"], map(line, book.stats))]


def tables(book: Ruleset) -> list[nodes.Node]:
    """Give what the source leaves out, as the kit fills it in until somebody does better."""
    if not book.tables:
        return [nodes.paragraph("", "", *words("The source leaves no table out; the kit fills in none."))]
    found: list[nodes.Node] = []
    for id, rows in book.tables.items():
        heads = list(dict.fromkeys(key for entry in rows for key in entry))
        cells = [[words(entry.get(head, "")) for head in heads] for entry in rows]
        found += [nodes.rubric("", "", code(id)), table(heads, cells)]
    return found


def rules(book: Ruleset) -> list[nodes.Node]:
    """Give every rule, by topic, each as an object with a place of its own."""
    return told(book.rules)


def told(numbered: Iterable[Rule]) -> list[nodes.Node]:
    """Give rules by topic."""
    found: list[nodes.Node] = []
    for topic, group in groupby(numbered, lambda rule: rule.topic):
        entries = nodes.definition_list(classes=["rules"])
        for rule in group:
            term = nodes.term("", "", code(rule.id), ids=[f"rule-{nodes.make_id(rule.id)}"])
            about = [rule.locator]
            about += ["the GM's call"] if rule.kind == "gm" else ["a definition"] if rule.kind == "definition" else []
            about += ["the reading is disputed"] if rule.disputed else []
            about += [f"seen in the {rule.shown.replace(':', ' ', 1)}"] if rule.shown else []
            locator = nodes.paragraph("", "", *words("; ".join(about)), classes=["locator"])
            told = nodes.definition("", nodes.paragraph("", "", *words(rule.text)), locator)
            entries += nodes.definition_list_item("", term, told)
        found += [nodes.rubric("", "", *words(topic.capitalize())), entries]
    return found


def fight(book: Ruleset) -> list[nodes.Node]:
    """Give the picture of a tracker in the second round of the kit's own scene."""
    enc = combatkit.scene(SCENE).encounter(book.id, seed=7)
    combatkit.play(enc, combatkit.tactics.strike, rounds=1)
    shown: Any = enc._repr_mimebundle_()
    html = shown[0]["text/html"] if isinstance(shown, tuple) else shown["text/html"]
    return [nodes.container("", nodes.raw("", html, format="html"), classes=["picture"])]


PARTS: dict[str, Callable[[Ruleset], list[nodes.Node]]] = {
    part.__name__: part for part in (budget, actions, lists, options, stats, tables, rules, fight)
}


class Rulebook(SphinxDirective):
    """Put a part of a ruleset into a page: its id, and the part's name."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        """Make the part from the ruleset's data."""
        id, part = self.arguments
        book = combatkit.ruleset(id)
        self.env.note_dependency(book.folder / "rules.toml")
        self.env.note_dependency(book.folder / "actions.toml")
        for file in (file for setting in book.options.values() for file in setting.lists.values()):
            self.env.note_dependency(book.folder / file)
        more = [rule for each in book.lists.values() for brought in each.values() for rule in brought.rules]
        numbered: Iterable[Rule] = book.rules if part == "rules" else more if part == "lists" else ()
        domain = self.env.domains.standard_domain
        for rule in numbered:
            kind = "rule" if part == "rules" else BROUGHT
            domain.note_object(kind, rule.id, f"rule-{nodes.make_id(rule.id)}", location=self.state_machine.node)
        return PARTS[part](book)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make the directive known, and rules as something to refer to."""
    app.add_object_type("rule", "rule", indextemplate="")
    app.add_object_type(BROUGHT, BROUGHT, indextemplate="")
    app.add_directive("rulebook", Rulebook)
    return {"parallel_read_safe": True}
