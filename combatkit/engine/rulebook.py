"""What a ruleset's folder says: rules, actions with their prices, options with their values, stats and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import convert

from combatkit.engine.catalogue import WHEN, Action, Cap, Catalogue, Cost, Parameter, Rule, Setting, SlotSpec, Stat
from combatkit.engine.model import Fighter, State
from combatkit.engine.params import PARAMETERS, as_names
from combatkit.errors import InvalidInput, UnknownName

if TYPE_CHECKING:
    from pathlib import Path


class Rulebook:
    """The data of a combat system, and what can be read off it with the readings chosen.

    Attributes
    ----------
    id, title, source : str
        Its id, its name, and where its text comes from.
    order : int
        Where it stands among the rulesets, the lower the earlier.
    rules, actions, stats, slots : Catalogue
        Every rule, action, stat and budget slot, in the order of the folder's files.
    options : dict of str to Setting
        The readings that can be chosen, with their defaults, values and the rules they bear on.
    tables : dict of str to list
        What the source leaves out: the labelled defaults.
    """

    def __init__(self, folder: Path, stats: Iterable[Stat]) -> None:
        self.folder = folder
        book = _read(folder / "rules.toml")
        data = _read(folder / "actions.toml")
        self.id: str = book["id"]
        self.title: str = book["title"]
        self.source: str = book["source"]
        self.order: int = book.get("order", 100)
        self.rules: Catalogue[Rule] = Catalogue("rule", convert(book["rules"], list[Rule]))
        self.options: dict[str, Setting] = convert(book.get("options", {}), dict[str, Setting])
        self.cite: dict[str, str] = book.get("cite", {})
        self.actions: Catalogue[Action] = Catalogue("action", convert(data["actions"], list[Action]))
        self.costs: Catalogue[Cost] = Catalogue("cost", convert(data["costs"], list[Cost]))
        self.slots: Catalogue[SlotSpec] = Catalogue("slot", convert(data["slots"], list[SlotSpec]))
        self.caps: tuple[Cap, ...] = convert(data.get("caps", []), tuple[Cap, ...])
        self.tables: dict[str, list[dict[str, Any]]] = data.get("tables", {})
        self.stats: Catalogue[Stat] = Catalogue("stat", stats)
        self.vitals: tuple[Stat, ...] = tuple(s for s in self.stats if s.vital)
        self._supplied: tuple[Any, Catalogue[Action]] = (None, self.actions)

    def __repr__(self) -> str:
        """Name it and count what it holds."""
        return f"Ruleset({self.id!r}: {self.title}, {len(self.rules)} rules, {len(self.actions)} actions)"

    def roster_template(self, path: str | Path | None = None) -> Any:
        """Give a roster to begin with: every column, and two combatants to write over.

        Parameters
        ----------
        path : str or Path, optional
            A file to write it to as well; it ends in ``.csv``, ``.json``, ``.toml`` or ``.parquet``. TOML says in
            comments what each column holds, its range and its default.

        Returns
        -------
        polars.DataFrame
            Lists and mappings are text, as they are in CSV; `add_roster` takes it, edited or not.

        Examples
        --------
        >>> import combatkit as ck
        >>> ck.ruleset("saga").roster_template().select("name", "side", "count", "dex", "feats").rows()
        [('Mara', 'heroes', 1, 4, 'Quick Draw; Combat Reflexes'), ('Guard', 'guards', 3, None, None)]
        """
        from combatkit.rosters import roster_template

        return roster_template(self, path)

    # ── data, with the readings chosen ──────────────────────────────────────────────────────────────────────────────

    def settle(self, options: Mapping[str, Any] | None) -> dict[str, Any]:
        """Give every option its value: the ones chosen, checked, and the defaults.

        Raises
        ------
        UnknownName
            For an option this ruleset does not have.
        InvalidInput
            For a value an option does not take.
        """
        settled = {id: setting.default for id, setting in self.options.items()}
        for id, value in (options or {}).items():
            setting = self.options.get(id)
            if setting is None:
                raise UnknownName.of(f"option of {self.id}", id, self.options)
            settled[id] = self.check_option(id, setting, value)
        return settled

    def check_option(self, id: str, setting: Setting, value: Any) -> Any:
        """Check one option's value; a ruleset with an open option of its own kind extends this."""
        if any(value == v and type(value) is type(v) for v in (setting.default, *setting.values)):
            return value
        if setting.open == "int" and type(value) is int and value >= 0:
            return value
        right = ", ".join(repr(v) for v in setting.values)
        more = " or a whole number from 0 up" if setting.open == "int" else ""
        raise InvalidInput(f"option {id!r} of {self.id} cannot be {value!r}: it takes {right}{more}")

    def price(self, state: State, fighter: Fighter, action: Action) -> tuple[Cost, str]:
        """Give what an action costs this combatant now, and the rule that says so."""
        for price in action.prices:
            if price.feat:
                if price.feat in (fighter.stats.get("feats") or ()):
                    return self.costs[price.cost], price.rule
            elif price.option:
                return self.costs[state.options[price.option]], price.rule or action.rule
        return self.costs[action.cost], action.rule

    def payments(
        self, state: State, fighter: Fighter, action: Action, cost: Cost, params: Mapping[str, Any]
    ) -> tuple[tuple[str, ...], ...]:
        """Give the ways to pay a cost, first choice first; each is the pools it takes one from.

        A keyed pool (``free:3``) is full until it is first drawn on.
        """
        for option, value, pay in cost.when:
            if state.options[option] == value:
                return pay
        return cost.pay

    def catalogue(self, state: State) -> Catalogue[Action]:
        """Give every action there is in a fight: the ruleset's, and those a user supplied."""
        rows = state.tables.get("actions")
        if not rows:
            return self.actions
        if self._supplied[0] is not rows:
            extra = [self.action_of_row(row) for row in rows]
            self._supplied = (rows, Catalogue("action", [*self.actions, *extra]))
        return self._supplied[1]

    def action_of_row(self, row: Mapping[str, Any]) -> Action:
        """Make an action of a user's row.

        Raises
        ------
        InvalidInput
            If the row lacks an id or title, or names a cost this system does not have.
        """
        known = ("id", "title", "cost", "when", "tags", "parameters")
        for key in row:
            if key not in known:
                raise UnknownName.of("column of an action", key, known)
        for key in ("id", "title", "cost"):
            if not isinstance(row.get(key), str) or not row[key]:
                raise InvalidInput(f"action {row.get('id')!r}: {key} is {row.get(key)!r}; give text")
        if row["cost"] not in self.costs:
            raise UnknownName.of("cost", row["cost"], self.costs.ids())
        parameters = tuple(Parameter(p) for p in as_names(row.get("parameters", ())))
        for parameter in parameters:
            if parameter.id not in PARAMETERS:
                raise UnknownName.of(f"parameter of {row['id']}", parameter.id, PARAMETERS)
        if row.get("when", WHEN[0]) not in WHEN:
            raise UnknownName.of(f"time for {row['id']}", row["when"], WHEN)
        return Action(
            row["id"],
            row["title"],
            row["cost"],
            when=row.get("when", "own turn"),
            parameters=parameters,
            tags=as_names(row.get("tags", ())),
        )


def _read(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InvalidInput(f"{path.parent.name} is no ruleset: it lacks {path.name}") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{path.parent.name}/{path.name}: {error}") from None
