"""Turns a second beside boardgame.io: eight combatants, each turn a move, an attack with its die, an end of turn."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.pairs import paired, summary, verdict

PEERS = Path(__file__).parent / "peers"
ROUNDS = 1_000
COUNT = 8
SMALLEST = {"ROUNDS": 10}


def fight(rounds: int) -> dict[str, object]:
    """Play the fight in this process; give turns a second, and each tenth's time."""
    import combatkit as ck

    enc = ck.Encounter("saga", seed=7)
    names = [f"F{i}" for i in range(COUNT)]
    for i, name in enumerate(names):
        enc.add(name, side="ab"[i % 2], dex=i % 4, level=i + 1, hp=100_000, attack_bonus=i, defense=15)
    enc.start()
    other = dict(zip(names, [*names[1:], names[0]], strict=True))
    tenths: list[float] = []
    began = mark = time.perf_counter()
    for number in range(1, rounds + 1):
        for _ in range(COUNT):
            who = enc.active
            assert who is not None
            enc.do(who, "move")
            enc.do(who, "attack", target=other[who])
            enc.end_turn()
        if number % (rounds // 10) == 0:
            now = time.perf_counter()
            tenths.append(now - mark)
            mark = now
    return {"rate": rounds * COUNT / (mark - began), "tenths": tenths}


def _run(command: list[str]) -> dict[str, list[float]]:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, list[float]] = json.loads(done.stdout)
    return result


def run() -> list[str]:
    """Measure and give the lines to print."""
    tenths: list[float] = []

    def ours() -> float:
        result = _run([sys.executable, "-m", "benchmarks.turns", str(ROUNDS)])
        tenths.append(result["tenths"][-1] / result["tenths"][0])
        return float(result["rate"])  # type: ignore[arg-type]

    def peer() -> float:
        return float(_run(["node", str(PEERS / "boardgame.cjs"), str(ROUNDS)])["rate"])  # type: ignore[arg-type]

    ratio = paired(ours, peer)
    return [
        verdict(f"(a) turns a second, {COUNT} combatants, {ROUNDS} rounds, over boardgame.io's", ratio, at_least=5),
        verdict("(a) last tenth of the fight over its first tenth", summary(tenths), at_most=1.15),
    ]


if __name__ == "__main__":
    print(json.dumps(fight(int(sys.argv[1]))))
