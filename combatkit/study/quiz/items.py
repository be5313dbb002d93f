"""Questions: what somebody might do at a moment, chosen so that rules differ and no reading changes the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from combatkit.core.model import Act, Event, Option, Ruling, open_bids, present
from combatkit.core.plain import counted, own, short
from combatkit.errors import CombatkitError, InvalidInput, warn
from combatkit.fight.fight import Chance, Encounter
from combatkit.fight.view import View
from combatkit.report.words import condition_word, said_length, trigger_words
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.judge import judge, with_target
from combatkit.rules.params import check_params, find_action, said_trigger
from combatkit.rules.weapons import said_spot
from combatkit.study.deeds import deed_of
from combatkit.study.differences import topic_ids, topics
from combatkit.study.keeping import key_of
from combatkit.study.quiz.moments import Moments
from combatkit.study.quiz.near import gives_away, stems, usually_refused, wrong_rules
from combatkit.study.students import numbered
from combatkit.tactics import asked_for, foes, stated
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
    asked: Counter[tuple[str, bool]] = Counter()
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
        fewest = 0
        if since > _WAIT:  # no other rule is found: those that were asked about least are asked about again
            known = [count for (_, may), count in asked.items() if may is not refused]
            fewest = min(known, default=0) if since <= 2 * _WAIT else n
        held: list[tuple[Item, tuple[str, str, bool]]] = []
        for deed in sorted(fit, key=lambda d: (_is_idle(view, d), asked[_rests_on(d)], draw.below(1 << 16))):
            again = asked[_rests_on(deed)] > fewest
            if again and held:
                break
            if not _is_fair(view, name, deed) or (cited := read_by_all(view, name, deed)) is None:
                continue
            item = _item(view, name, deed, cited)
            key = (rules.id, deed.action, deed.ruling.allowed)
            if again or (since <= _WAIT and (_is_idle(view, deed) or _is_easy(item))):
                held.append((item, key))
                continue
            found.append((item, key))
            share[rules.id] += 1
            asked[_rests_on(deed)] += 1
            turns.setdefault(_turn(view), set()).add((name, deed.action))
            since, refused, held = 0, None, []
            break
        spare += held[:1]
    for item, key in spare:  # a fight that is short of rules asks about some again
        if len(found) < n and (turn := _turn(item.moment)) not in turns:
            turns[turn] = {(item.name, item.action)}
            found.append((item, key))

    def rarity(key: tuple[str, str, bool]) -> float:
        return -usual[key] / (usual[key] + usual[(*key[:2], not key[2])])

    easiest = sorted(found, key=lambda each: rarity(each[1]))
    left = {may: iter([item for item, key in easiest if key[2] is may]) for may in (True, False)}
    return [next(left[key[2]]) for _, key in found]


def _is_idle(view: View, deed: _Deed) -> bool:
    """Check whether something is allowed that no rule of a system ever refuses: it teaches nothing."""
    return deed.ruling.allowed and not any(deed.action in each for each in usually_refused(view.ruleset).values())


def _is_fair(view: View, name: str, deed: _Deed) -> bool:
    """Check whether a question can be answered by the rules from what the moment shows.

    What is refused needs a rule that says so, not one that only lists or allows. Between turns there is no such rule,
    for whoever waits may step in, and while all declare there are many. What is allowed must rest on nobody's word, and
    on nothing that people have or not; what the surprised may do, rules say only where they refuse it.
    """
    rules, ruling = view.ruleset, deed.ruling
    action = rules.catalogue(view._state)[deed.action]
    if _is_others(view, name, action):
        return False
    if ruling.allowed:
        if (
            action.presumes
            or view._state.fighters[name].effect("surprised") is not None
            or any(rules.rules[id].kind == "gm" for id in ruling.rules)
        ):
            return False
    else:
        waits = _is_between(view) and ruling.rule == rules.order_rule(view._state)
        if waits or _is_declared(view) or not rules.rules[ruling.rule].reason:
            return False
    if any(view.ruleset.parameters[id].kind == "places" for id in deed.params):  # where they stand isn't told
        return False
    try:
        read = _shown(view).can(name, deed.action, **deed.params)
    except CombatkitError:  # it names what a sheet or a map has
        return False
    return (read.allowed, read.rule) == (ruling.allowed, ruling.rule)


def _is_others(view: View, name: str, action: Action) -> bool:
    """Check whether somebody would answer a deed that isn't aimed at them: whether that goes, rules seldom say.

    To help whoever does it is fair to ask of a friend; nobody helps a foe.
    """
    state = view._state
    under = next((frame for frame in reversed(state.focus) if isinstance(frame, Act)), None)
    if state.window is None or under is None or not under.targets or name in under.targets:
        return False
    return "aid" not in action.tags or state.fighters[under.who].side != state.fighters[name].side


def _is_between(view: View) -> bool:
    """Check whether it is nobody's turn."""
    return view._state.window is None and (view.active is None or view._state.turn is None)


def _is_declared(view: View) -> bool:
    """Check whether the round is still being declared."""
    step = view.ruleset.present_step(view._state)
    return step is not None and step.stops


def _shown(view: View) -> View:
    """Return a moment with nothing but what a question shows: no weapons, no powers, and nobody stands anywhere."""
    state = view._state
    plain = {stat.name: stat.default for stat in view.ruleset.stats if stat.type not in ("int", "bool")}
    fighters = {
        name: replace(
            fighter,
            position=None,
            stats={id: plain.get(id, v) for id, v in fighter.stats.items() if id in plain or not isinstance(v, list)},
        )
        for name, fighter in state.fighters.items()
    }
    return View(view.id, view.ruleset, replace(state, fighters=fighters, map=None), view._events)


def _rests_on(deed: _Deed) -> tuple[str, bool]:
    """Return the rule that an answer rests on, and which answer it is."""
    return deed.ruling.rule or deed.action, deed.ruling.allowed


def _turn(view: View) -> tuple[object, ...]:
    state = view._state
    return view.ruleset.id, state.seed, state.turn and state.turn.seq


def _done(view: View, name: str) -> list[Event]:
    """Return what somebody has done in the turn that is running."""
    return [e for e in _since(view) if e.actor == name and e.action]


def _before(view: View, name: str) -> list[Event]:
    """Return what somebody has done in this round, or phase, up to the turn that is running."""
    kind = "round" if view.ruleset.occasion_title == "round" else "step"
    begun = next((e.seq for e in reversed(view._events) if e.kind == kind), 0)
    turn = view._state.turn
    until = turn.seq if turn is not None and turn.who == name else len(view._events)
    return [e for e in view._events[begun:until] if e.kind == "action" and e.actor == name and e.action]


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
    if "attack" in view.ruleset.catalogue(view._state)[option.action].tags:
        against = foes(view, name)  # who would strike a friend
        listed = [c for c in listed if c.param != "target" or c.value in against or not c.ruling.allowed]
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
    if _done(view, name) and not ruling.allowed and rules.rules[ruling.rule].topic != "economy":
        # who has done something may well think that this is what it cost
        wrong = [id for id in wrong if rules.rules[id].topic != "economy"] or wrong
    topics: set[str] = set()
    while wrong and len(chosen) < CHOICES:
        chosen.append(wrong.pop(draw.below(min(len(wrong), _NEAR))))
        topics.add(rules.rules[chosen[-1]].topic)  # else the right one would be the only one of its own
        wrong.sort(key=lambda each: rules.rules[each].topic in topics)
    mixed = [chosen.pop(draw.below(len(chosen))) for _ in range(len(chosen))]
    said = language_of(view)
    told = _asked(view, deed.action, deed.params)
    question = said.tell(words()["question"]["asks"], name=name, deed=told)
    named = deed.params.get("target")
    others = named if isinstance(named, list) else [named] if isinstance(named, str) else ()
    situation = situation_of(view, name, others)
    return Item(rules.id, view, name, deed.action, deed.params, question, situation, tuple(mixed))


def _said(view: View, name: str, action: str) -> list[frozenset[str]]:
    """Return the words of a question that rules are compared with, then with what has been done: always in English."""
    catalogue = view.ruleset.catalogue(view._state)
    asked = stems(f"{catalogue[action].deed()} {catalogue[action].title}")
    return [asked, asked | stems(" ".join(catalogue[e.action or ""].title for e in _done(view, name)))]


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


def situation_of(view: View, name: str, others: Collection[str] = ()) -> str:
    """Return what has happened so far, in words: what somebody is asked to answer, or has done in their turn.

    Then what they did before it, and which conditions they have, and `others`: what an answer may rest on.
    """
    said, language = words()["question"], language_of(view)
    told = [_moment_of(view, name)]
    if deeds := _told_deeds(view, _before(view, name)):
        occasion = language.word(view.ruleset.occasion_title)
        told.append(language.tell(said["before"], occasion=occasion, deeds=deeds))
    for each in dict.fromkeys([name, *others]):
        fighter = view._state.fighters.get(each)
        ids = [effect.id for effect in fighter.effects] if fighter is not None else []
        conditions = ", ".join(language.word(condition_word(id)) for id in dict.fromkeys(ids))
        told += [language.tell(said["conditions"], name=each, conditions=conditions)] if conditions else []
    return " ".join(told)


def _moment_of(view: View, name: str) -> str:
    """Return where the fight stands for somebody, in a sentence."""
    said, state, language = words()["question"], view._state, language_of(view)
    if state.window is not None:
        about, asked = language.several(state.window.about), open_bids(state.window.bids)
        if not asked:
            return f"{about}."
        return language.tell(
            said["answers" if name in asked else "asked"], about=about, name=name, names=", ".join(asked)
        )
    if _is_between(view):
        if _is_declared(view):
            return language.tell(said["declares"])
        return language.tell(said["waits" if state.fighters[name].effect("delayed") else "nobody"], name=name)
    if view.active != name:
        return language.tell(said["other"], active=view.active)
    deeds = _told_deeds(view, _done(view, name))
    return language.tell(said["done" if deeds else "fresh"], name=name, deeds=deeds)


def _places_of(view: View, name: str) -> str:
    """Return who stands where, in a sentence, and how far everybody is from somebody; nothing where nobody does.

    What the rules answer may rest on it, and the page of a quiz has no map.
    """
    said, language, people = words()["question"], language_of(view), view._state.fighters
    here = dict.fromkeys([name, *present(people)])
    placed = {each: at for each in here if (at := people[each].position) is not None}
    told = []
    for each, at in placed.items():
        how, apart = "stands", ""
        if each != name and (far := view.distance(name, each)) is not None:
            how, apart = "band" if far.band else "far", far.band or f"{said_length(far.length or 0, far.unit)} away"
        told.append(language.tell(said[how], name=each, at=said_spot(at), far=language.several(apart)))
    anywhere = view.board.kind != "zones" or len(view.board.zones) > 1
    return language.tell(said["places"], places="; ".join(told)) if told and anywhere else ""


def _told_deeds(view: View, done: Collection[Event]) -> str:
    """Return what was done, in the order in which it began, each once, and how often."""
    catalogue, language = view.ruleset.catalogue(view._state), language_of(view)
    told: Counter[str] = Counter()
    for event in done:
        title = language.word(catalogue[event.action or ""].title)
        inner = event._data.get("params", {}).get("action")
        told[f"{title} ({language.word(catalogue[inner].title)})" if inner in catalogue.by_id else title] += 1
    often = words()["question"]["often"]
    return ", ".join(
        language.tell(often, deed=title, times=times) if times > 1 else title for title, times in told.items()
    )


def aim_of(view: View, action: str, params: Mapping[str, object]) -> str:
    """Return whom an action is aimed at, or all it is given, in brackets; nothing that a scene gives every attack.

    What comes of it isn't told either: nobody chooses that.
    """
    given = _given(view, action, params)
    if given.keys() == {"target"}:
        return f" {language_of(view).tell(words()['question']['on'], target=given['target'])}"
    language, parameters = language_of(view), view.ruleset.parameters
    told = [f"{_within(language, parameters[id].title)}: {value}" for id, value in given.items()]
    return f" ({', '.join(told)})" if told else ""


def _given(view: View, action: str, params: Mapping[str, object]) -> dict[str, str]:
    """Return what an action is given, in words, by parameter."""
    takes = {p.id for p in view.ruleset.catalogue(view._state)[action].parameters} - {"damage", "outcome"}
    return {id: _told(view, view.ruleset.parameters[id].kind, value) for id, value in params.items() if id in takes}


def _asked(view: View, action: str, params: Mapping[str, object]) -> str:
    """Return what somebody may do, as a question says it: in English as a sentence goes on, else with its title."""
    rules, given = view.ruleset, _given(view, action, params)
    deed = rules.catalogue(view._state)[action]
    if language_of(view).id != ENGLISH:
        return deed_of(view, deed, aim_of(view, action, params))
    if "action" in given:  # what is kept for later has the target
        inner = find_action(rules, view._state, params["action"])
        if target := given.pop("target", ""):
            given["action"] += f" {inner.on or 'on'} {target}"
        return deed.deed("", f"({', '.join(given.values())})")
    target = given.pop("target", "")
    phrases = {id: rules.parameters[id].phrase for id in given}
    if all(phrases.values()):
        aside = " ".join(phrase.replace("{value}", given[id]) for id, phrase in phrases.items())
    else:
        titles = {id: rules.parameters[id].title.lower() for id in given}
        aside = f"({', '.join(f'{titles[id]}: {value}' for id, value in given.items())})"
    return deed.deed(target, aside)


def alike(item: Item) -> str:
    """Return what a question shares with the same one in a fight that is told in another language."""
    view = item.moment
    asked = [item.system, view._events[-1].seq, item.name, item.action, sorted(item.params.items())]
    return key_of(numbered(view.names, asked))


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
        return _within(language, view.ruleset.catalogue(view._state)[str(value)].title)
    return language.word(("yes" if value else "no") if isinstance(value, bool) else str(value).replace("_", " "))


def _within(language: Language, title: str) -> str:
    """Return a title in the middle of a sentence: only English writes it small, where a word may mean another thing."""
    return title.lower() if language.id == ENGLISH else language.word(title)


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
        If it is not asked of a moment of a fight, or what it needs is missing, or no rule says why not: none would
        answer.

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
    if not ruling.allowed and not view.ruleset.rules[ruling.rule].reason:
        raise InvalidInput(f"question: they may not, but no rule says so that could be named: {ruling.reason}")
    case = Case(view.ruleset, view._state, view._state.fighters[who], found, given)
    if ruling.allowed and (missing := judge(with_target(case)).missing):
        raise InvalidInput(f"question: {found.title} needs {', '.join(f'{id}=' for id in missing)}")
    deed = _Deed(found.id, given, ruling)
    item = _item(view, who, deed, read_by_all(view, who, deed) or ruling.rules)
    told = language_of(view).word(found.title)
    situation = " ".join(filter(None, [item.situation, _places_of(view, who)]))
    return replace(item, title=f"{who}: {told}{aim_of(view, found.id, given)}", situation=situation)


def tell_few(found: int, n: int) -> None:
    """Say that fewer questions were found than asked for: none is asked that no rule decides, or another answers."""
    warn(
        f"quiz: {counted(found, 'question')} found of the {n} asked for; nothing else here is decided by a rule alone "
        "and not answered by another question: take a longer fight, or more systems or topics"
    )


def check_topics(given: object) -> tuple[str, ...]:
    """Return topics by id, or refuse."""
    if given is not None and not isinstance(given, (str, list, tuple)):
        raise InvalidInput(f"quiz: topics is {short(given)}; give some of {', '.join(topics())}")
    return topic_ids([given] if isinstance(given, str) else given or ())
