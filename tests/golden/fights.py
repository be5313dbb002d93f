"""A dozen long fights a system, and everything that is shown of them, told by its bytes.

A file a system holds, of each part, the first figures of its BLAKE2b. They change only in a commit that does nothing
else and says why. What a part says is written by ``python -m tests.golden.fights FOLDER``, to be held against what
another commit's says; ``python -m tests.golden.fights`` alone writes the figures anew.
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

import combatkit as ck
from combatkit.fight.view import View
from combatkit.history.schema import SCHEMAS
from combatkit.widgets._intents import hear
from tests.conformance.corpus import WHOLE, corpus
from tests.conformance.player import play

HERE = Path(__file__).parent
VIEWS = ("gm", "players")


def parts(enc: ck.Encounter, seed: int) -> Iterator[tuple[str, str]]:
    """Give the name and the text of everything that is shown of a fight."""
    yield "digest", enc.digest
    yield "events", "\n".join(map(_line, enc._events))
    yield "state", _line(enc._state)
    yield "moments", "\n".join(_moment(enc.at(seq)) for seq in range(1, len(enc._events) + 1, 40))
    for name in SCHEMAS:
        yield f"frame-{name}", "\n".join(map(repr, getattr(enc.history, name).rows()))
    yield "roster", repr(enc.roster().rows())
    yield "explained", "\n".join(enc.explain(seq) for seq in range(1, len(enc._events) + 1, 10))
    for view in VIEWS:
        for undone in (False, True):
            yield f"log-{view}{'-undone' * undone}.md", enc.log(view=view, undone=undone).markdown
        yield f"widgets-{view}", "\n".join(_widgets(enc, view))
    yield "journal", _journal(enc.ruleset.id, seed)


def _line(value: object) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()


def _moment(view: View) -> str:
    """Say what can be seen of one moment of a fight."""
    options = [[_line(o) for o in view.options(name)] for name in view.names]
    budgets = [_line(view.budget(name)) for name in view.names]
    offers = [_line(offer) for offer in view.pending]
    return repr([view, view.clock, view.order, [view[name] for name in view.names], options, budgets, offers])


def _widgets(enc: ck.Encounter, view: str) -> Iterator[str]:
    tracker = ck.Tracker(enc, view=view)
    for widget in (tracker, tracker.ladder, tracker.budget, tracker.log):
        yield json.dumps({k: v for k, v in widget.view.items() if k != "revision"})
    for name in enc.names[:3]:
        for message in ({"kind": "look", "name": name}, {"kind": "choices", "name": name, "action": "attack"}):
            yield json.dumps(hear(tracker._vantage, message))
    tracker.close()


def _journal(system: str, seed: int) -> str:
    """Give what a fight's journal says, but dates and marks."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "a.combat")
        with ck.Encounter(system, id=f"{system}-journal", seed=seed, journal=file) as enc:
            for name in ("Ada", "Bo"):
                enc.add(name, side=name)
            enc.start()
            for _ in range(6):
                while enc.pending:
                    enc.resolve(answer=next((offer.choices[0] for offer in enc.pending if offer.choices), None))
                enc.end_turn()
            enc.undo()
        return re.sub(r'"(when|begun|mark)":"[^"]*"', "", file.read_text(encoding="utf-8"))


def odds(system: str, fights: int) -> Iterator[tuple[str, str]]:
    """Give the odds of so many scenes."""
    for seed in range(fights):
        enc = play(system, seed, 0)
        found = enc.odds()
        for name in ("first", "places", "scores", "groups"):
            yield f"odds-{seed}-{name}", repr(getattr(found, name).rows())


def texts(system: str, fights: int) -> Iterator[tuple[str, str]]:
    """Give everything of so many of a system's fights."""
    yield from odds(system, fights)
    for seed, enc in enumerate(corpus(system, fights)):
        for name, text in parts(enc, seed):
            yield f"{seed}-{name}", text


def told(system: str, fights: int) -> dict[str, str]:
    """Give the figures of everything of so many of a system's fights."""
    return {name: _figures(text) for name, text in texts(system, fights)}


def _figures(text: str) -> str:
    return blake2b(text.encode(), digest_size=6).hexdigest()


def main() -> None:
    """Write the figures anew, or the texts into a folder."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("texts", nargs="?", type=Path, help="a folder for the texts themselves")
    into: Path | None = parser.parse_args().texts
    for ruleset in ck.rulesets():
        if into is None:
            text = json.dumps(told(ruleset.id, WHOLE), indent=0, sort_keys=True) + "\n"
            (HERE / f"{ruleset.id}.json").write_text(text, encoding="utf-8")
            continue
        folder = into / ruleset.id
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts(ruleset.id, WHOLE):
            (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
