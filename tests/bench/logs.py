"""The logs that a benchmark reads: simulated hands of every shipped rule set, and RLCard's own games again and again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from ddz_analytics.rules import load_rules, shipped_rules
from ddz_analytics.simulate import simulate
from tests.parsing import SAMPLES

SEED = 7
HANDS_PER_FILE = 1_000_000
HANDS_PER_PLAYER = 100  # a hand seats three, so everybody plays three hundred


def write_logs(folder: Path, hands: int, seed: int = SEED) -> list[Path]:
    """Files of `ddz/1` with so many hands in all, as many of each rule set."""
    folder.mkdir()
    files = []
    for place, first in enumerate(range(0, hands, HANDS_PER_FILE)):
        files.append(folder / f"log-{place:03d}.ddz.jsonl")
        with files[-1].open("wb") as file:
            file.writelines(line + b"\n" for line in _lines(min(HANDS_PER_FILE, hands - first), seed + place))
    return files


def _lines(hands: int, seed: int) -> Iterator[bytes]:
    names = shipped_rules()
    for place, name in enumerate(names):
        share = hands * (place + 1) // len(names) - hands * place // len(names)
        yield from simulate(
            load_rules(name), hands=share, seed=seed, players=max(30, hands // HANDS_PER_PLAYER)
        )


def write_traces(file: Path, hands: int) -> Path:
    """A file of `rlcard-trace` with so many hands: the sample games in turn, each with a number of its own."""
    file.parent.mkdir()
    logs = sorted((SAMPLES / "rlcard-trace").iterdir())
    games = [json.loads(line) for log in logs for line in log.read_bytes().splitlines()]
    with file.open("w", encoding="utf-8") as lines:
        for number, game in enumerate(islice(cycle(games), hands)):
            lines.write(json.dumps(game | {"game": number}) + "\n")
    return file
