"""Questions: what somebody might do at a moment, chosen so that rules differ and no reading changes the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from combatkit.core.model import Event, Option, Ruling
from combatkit.core.plain import own, short
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.fight.fight import Chance, Encounter
from combatkit.fight.view import View
from combatkit.report.words import trigger_words
from combatkit.rules.case import Case
from combatkit.rules.judge import judge, with_target
from combatkit.rules.params import check_params, find_action, said_trigger
from combatkit.study.deeds import deed_of
from combatkit.study.differences import topic_ids, topics
from combatkit.study.quiz.moments import Moments
from combatkit.study.quiz.near import gives_away, stems, wrong_rules
from combatkit.tactics import asked_for, stated
from combatkit.text import ENGLISH, Language, check_language
from combatkit.text.words import read_toml

CHOICES = 4
"""So many rules an answer is chosen from."""

_NEAR = 5
"""A wrong rule is drawn from so many that come first."""

_PAUSE = 3
"""So many moments pass between two questions, so that they are not about the same turn."""

_WAIT = 60
"""So many moments a system is waited for that has been asked about less than others."""

_REFUSED = 3
"""Of five questions so many are refused, on the whole: these teach a rule."""

_LONG = 3_000
"""So many moments without a question end the search."""


class Item(Struct, frozen=True):
    """A question of a quiz.

    Parameters
    ----------
    system : str
        The ruleset, by id.
    moment : View
        The moment it is about, read-only, as `Encounter.at` gives one.
    name : str
        Who would act.
    action : str
        What they would do, by id.
    params : dict
        Its parameters.
    question : str
        The question in words.
    situation : str
        What has happened so far, in words.
    choices : tuple of str
        The rules to choose from, by id; none of them is against it where it is allowed.
    title : str
        Who and what, in short; only one of somebody's own has it.
    """

    system: str
    moment: View
    name: str
    action: str
    params: dict[str, object]
    question: str
    situation: str = ""
    choices: tuple[str, ...] = ()
    title: str = ""

    @property
    def ruling(self) -> Ruling:
        """What the rules say: worked out at the moment itself, and kept nowhere."""
        return self.moment.can(self.name, self.action, **self.params)

    def __repr__(self) -> str:
        """Ask it."""
        return f"<Item {self.system}: {self.situation} {self.question}>"


class _Deed(NamedTuple):
    """What somebody might do, and what the rules say to it."""

    action: str
    params: dict[str, object]
    ruling: Ruling


@cache
def words() -> dict[str, dict[str, str]]:
    """Return what a quiz says, by part and id."""
    return read_toml(Path(__file__).parent / "words.toml")


def items_of(moments: Moments, n: int, topics: Collection[str] = ()) -> list[Item]:
    """Return questions, the easiest first of each answer; none tells the answer to another, nor does its place.

    What is done later in a turn shows what was allowed before, and the same rule answers alike: a rule is asked about
    again only where no other is found.

    How hard one is, is learnt from the moments passed: the rarer its answer is for its action, the more often whoever
    goes by habit errs. Which answers come in which order is drawn: whoever knows other quizzes knows nothing of this.

    Parameters
    ----------
    moments : iterator
        Where to look.
    n : int
        How many.
    topics : collection of str
        What the rules are to be about; anything, if empty.

    Returns
    -------
    list of Item
        As many as were found, up to `n`.
    """
    found: list[tuple[Item, tuple[str, str, bool]]] = []
    spare: list[tuple[Item, tuple[str, str, bool]]] = []
    turns: dict[tuple[object, ...], set[tuple[str, str]]] = {}
    usual: Counter[tuple[str, str, bool]] = Counter()
    asked: Counter[str] = Counter()
    share: Counter[str] = Counter()
    since = 0
    refused: bool | None = None
    for view, name in moments:
        since += 1
        if len(found) == n or since > _LONG:
            break
        rules = view.ruleset
        share[rules.id] += 0
        if found and (since <= _PAUSE or (share[rules.id] > min(share.values()) and since <= _WAIT)):
            continue
        deeds = list(_deeds(view, name))
        usual.update((rules.id, deed.action, deed.ruling.allowed) for deed in deeds)
        draw = Chance(view, name)
        if refused is None:  # it stands until such a question is found, so that no answer is easier to come by
            refused = draw.below(5) < _REFUSED
        fit = [d for d in deeds if d.ruling.allowed != refused and _about(view, d.ruling, topics)]
        if told := turns.get(_turn(view)):
            fit = fit if told.isdisjoint((e.actor, e.action) for e in _since(view)) else []
        for deed in sorted(fit, key=lambda d: (asked[d.ruling.rule or d.action], draw.below(1 << 16))):
            if (cited := read_by_all(view, name, deed)) is not None:
                item = _item(view, name, deed, cited)
                again = (asked[deed.ruling.rule or deed.action] or _is_easy(item)) and since <= _WAIT
                (spare if again else found).append((item, (rules.id, deed.action, deed.ruling.allowed)))
                if not again:
                    share[rules.id] += 1
                    asked[deed.ruling.rule or deed.action] += 1
                    turns.setdefault(_turn(view), set()).add((name, deed.action))
                    since, refused = 0, None
                break
    for item, key in spare:  # a fight that is short of rules asks about some again
        if len(found) < n and (turn := _turn(item.moment)) not in turns:
            turns[turn] = {(item.name, item.action)}
            found.append((item, key))

    def rarity(key: tuple[str, str, bool]) -> float:
        return -usual[key] / (usual[key] + usual[(*key[:2], not key[2])])

    easiest = sorted(found, key=lambda each: rarity(each[1]))
    left = {may: iter([item for item, key in easiest if key[2] is may]) for may in (True, False)}
    return [next(left[key[2]]) for _, key in found]


def _turn(view: View) -> tuple[object, ...]:
    state = view._state
    return view.ruleset.id, state.seed, state.turn and state.turn.seq


def _done(view: View, name: str) -> list[str]:
    """Return what somebody has done in the turn that is running."""
    return [e.action for e in _since(view) if e.actor == name and e.action]


def _since(view: View) -> list[Event]:
    """Return what has been done in the turn that is running, by anybody."""
    begun = view._events[view._state.turn.seq :] if view._state.turn is not None else ()
    return [e for e in begun if e.kind == "action"]


def _deeds(view: View, name: str) -> Iterator[_Deed]:
    """Yield what somebody might do: what is allowed, with all it needs, and what is refused by a rule."""
    for option in asked_for(view, name):
        if not option.allowed:
            ruling = view.can(name, option.action)
            if not ruling.allowed and ruling.rule and ruling.rule == option.rule:
                yield _Deed(option.action, {}, ruling)
            continue
        yield from _aimed(view, name, option)


def _aimed(view: View, name: str, option: Option) -> Iterator[_Deed]:
    """Yield an action with the first value of what it needs that is allowed, and with the first that a rule refuses."""
    params = stated(view, name, view.ruleset.catalogue(view._state)[option.action])
    needs = [param for param in option.needs if param not in params]
    if len(needs) > 1:
        return
    listed = [c for c in view.choices(name, option.action, **params) if c.param in needs and not c.open]
    tried: list[dict[str, object]] = [{c.param: c.value} for c in listed] if needs else [{}]
    seen: set[bool] = set()
    for more in tried:
        ruling = view.can(name, option.action, **params, **more)
        if ruling.allowed not in seen and (ruling.allowed or ruling.rule):
            seen.add(ruling.allowed)
            yield _Deed(option.action, {**params, **more}, ruling)


def _about(view: View, ruling: Ruling, topics: Collection[str]) -> bool:
    rules = view.ruleset.rules
    rested = ruling.rules if ruling.allowed else (ruling.rule,)
    return not topics or any(rules[id].topic in topics for id in rested)


def read_by_all(view: View, name: str, deed: _Deed) -> frozenset[str] | None:
    """Return the rules cited by all readings there is an option for; None if the answer isn't the same by each."""
    rules, state, ruling = view.ruleset, view._state, deed.ruling
    if any(rules.rules[id].disputed for id in ruling.rules):
        return None
    cited = {*ruling.rules}
    for id, setting in rules.options.items():
        for value in setting.values if setting.rules else ():
            if value == state.options[id]:
                continue
            other = View(view.id, rules, replace(state, options={**state.options, id: value}), view._events)
            try:
                if ruling.allowed:
                    same = other.may(name, deed.action, **deed.params)
                else:
                    read = other.can(name, deed.action, **deed.params)
                    same = not read.allowed and read.rule == ruling.rule
                    cited.update(read.rules)
            except CombatkitError:  # such a reading has no such action
                return None
            if not same:
                return None
    return frozenset(cited)


def _item(view: View, name: str, deed: _Deed, cited: Collection[str]) -> Item:
    rules = view.ruleset
    ruling = deed.ruling
    draw = Chance(view, name)
    chosen = [ruling.rule] if not ruling.allowed else []
    wrong = wrong_rules(case_of(view, name, deed.action, deed.params), cited, _said(view, name, deed.action))
    while wrong and len(chosen) < CHOICES:
        chosen.append(wrong.pop(draw.below(min(len(wrong), _NEAR))))
    mixed = [chosen.pop(draw.below(len(chosen))) for _ in range(len(chosen))]
    said = language_of(view)
    action = rules.catalogue(view._state)[deed.action]
    given = {*action.takes} & {*deed.params} - {"damage"}
    target = _told(view, "names", deed.params["target"]) if given == {"target"} else ""
    told = deed_of(view, action, aim_of(view, deed.action, deed.params), target)
    question = said.tell(words()["question"]["asks"], name=name, deed=told)
    return Item(rules.id, view, name, deed.action, deed.params, question, situation_of(view, name), tuple(mixed))


def _said(view: View, name: str, action: str) -> list[frozenset[str]]:
    """Return the words of a question that rules are compared with, then with what has been done: always in English."""
    catalogue = view.ruleset.catalogue(view._state)
    asked = stems(f"{catalogue[action].deed()} {catalogue[action].title}")
    return [asked, asked | stems(" ".join(catalogue[id].title for id in _done(view, name)))]


def case_of(view: View, name: str, action: str, params: Mapping[str, object]) -> Case:
    """Return who would do what, to be weighed."""
    rules, state = view.ruleset, view._state
    return Case(rules, state, state.fighters[name], rules.catalogue(state)[action], params)


def _is_easy(item: Item) -> bool:
    """Check whether the right rule can be told without knowing it: it says the question's words, or what it lacks."""
    ruling, case = item.ruling, case_of(item.moment, item.name, item.action, item.params)
    if ruling.allowed:
        return False
    wrong = [id for id in item.choices if id != ruling.rule]
    lacks = ruling.rule == case.action.rule and any(case.fighter.effect(id) is None for id in case.action.requires)
    return lacks or gives_away(case.rules, _said(item.moment, item.name, item.action), ruling.rule, wrong)


def situation_of(view: View, name: str) -> str:
    """Return what has happened so far, in words: what somebody is asked to answer, or has done in their turn."""
    said, state, language = words()["question"], view._state, language_of(view)
    if state.window is not None:
        return language.tell(said["answers"], about=language.several(state.window.about), name=name)
    if view.active is None or state.turn is None:
        return language.tell(said["waits"], name=name)
    if view.active != name:
        return language.tell(said["other"], active=view.active)
    catalogue = view.ruleset.catalogue(state)
    deeds = ", ".join(language.word(catalogue[action].title) for action in _done(view, name))
    return language.tell(said["done" if deeds else "fresh"], name=name, deeds=deeds)


def aim_of(view: View, action: str, params: Mapping[str, object]) -> str:
    """Return whom an action is aimed at, or all it is given, in brackets; nothing that a scene gives every attack."""
    given = {p.id for p in view.ruleset.catalogue(view._state)[action].parameters} & {*params} - {"damage"}
    if given == {"target"}:
        return f" {language_of(view).tell(words()['question']['on'], target=_told(view, 'names', params['target']))}"
    word = language_of(view).word
    titles = {id: word(view.ruleset.parameters[id].title.lower()) for id in params if id in given}
    told = [f"{title}: {_told(view, view.ruleset.parameters[id].kind, params[id])}" for id, title in titles.items()]
    return f" ({', '.join(told)})" if told else ""


def _told(view: View, kind: str, value: Any) -> str:
    """Return a value in words: nobody is shown an id."""
    if isinstance(value, (list, tuple)):
        return ", ".join(_told(view, kind, each) for each in value)
    language = language_of(view)
    if isinstance(value, Mapping):
        return trigger_words(said_trigger(value, view.ruleset, view._state), language)
    if kind in ("name", "names"):
        return str(value)
    if kind == "action":
        return language.word(view.ruleset.catalogue(view._state)[str(value)].title.lower())
    return language.word(("yes" if value else "no") if isinstance(value, bool) else str(value).replace("_", " "))


def language_of(view: View) -> Language:
    """Return what a fight is told in."""
    return view.ruleset.languages[view._state.language]


def check_told(view: View, language: str, what: str) -> None:
    """Refuse a language in which a fight is not told: its people and its log are in the one it was begun in."""
    wanted = check_language(language, view.ruleset.folder)
    if wanted not in (ENGLISH, view._state.language):
        raise InvalidInput(
            f"{what}: language is {wanted!r}, and {view.id} is told in {view._state.language!r}; leave it out, or "
            f"begin the fight with language={wanted!r}"
        )


def question(moment: View, name: str, action: str, /, **params: object) -> Item:
    """Make a question of one's own: whether somebody may do something at a moment of a fight.

    Parameters
    ----------
    moment : View
        The moment, such as ``enc.at(31)``.
    name : str
        Who would act.
    action : str
        What they would do, by id.
    **params
        What it is aimed at, and what else it needs, as `Encounter.do` takes it.

    Returns
    -------
    Item
        For `quiz`, which takes one or a list of them. What is right, the rules say.

    Raises
    ------
    UnknownName
        If nobody of that name is there at that moment, or there is no such action.
    InvalidInput
        If it is not asked of a moment of a fight, or what it needs is missing: no rule would answer.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.scene("catwalk").encounter("saga", seed=7)
    >>> own = ck.question(enc.at(), "Vex", "full_attack", target="Mara")
    >>> own
    <Item saga: It's Vex's turn, and they have done nothing yet. May Vex make a full attack on Mara?>
    >>> ck.quiz([own]).score
    0 of 1 answered, 0 right
    """
    if not isinstance(moment, View):
        raise InvalidInput(f"question: {short(moment)} is no moment of a fight; give one such as enc.at(31)")
    view = moment.at() if isinstance(moment, Encounter) else moment
    if view._state.stage != "running":
        raise InvalidInput(f"question: {view.id} isn't running at this moment; give one between its start and its end")
    who = view._fighter(own(name)).name
    found = find_action(view.ruleset, view._state, own(action))
    given = check_params(view.ruleset, view._state, found, own(params))
    ruling = view.can(who, found.id, **given)
    if not ruling.allowed and not ruling.rule:
        raise InvalidInput(f"question: {ruling.reason}")
    case = Case(view.ruleset, view._state, view._state.fighters[who], found, given)
    if ruling.allowed and (missing := judge(with_target(case)).missing):
        raise InvalidInput(f"question: {found.title} needs {', '.join(f'{id}=' for id in missing)}")
    deed = _Deed(found.id, given, ruling)
    item = _item(view, who, deed, read_by_all(view, who, deed) or ruling.rules)
    told = language_of(view).word(found.title)
    return replace(item, title=f"{who}: {told}{aim_of(view, found.id, given)}")


def check_topics(given: object) -> tuple[str, ...]:
    """Return topics by id, or refuse."""
    if given is not None and not isinstance(given, (str, list, tuple)):
        raise InvalidInput(f"quiz: topics is {short(given)}; give some of {', '.join(topics())}")
    return topic_ids([given] if isinstance(given, str) else given or ())
