"""Write open-spiel/playouts*: finished games of OpenSpiel's Dou Dizhu, played out by seeded, steered chance.

Needs `pip install open_spiel==2.0.2`; run as `python make_open_spiel.py [FOLDER]`. Each file has a seed of its
own and every run writes the same bytes. Uniform play seldom ends in a spring, sees few bombs and hardly ever an
auction that goes round, so games take turns at the ways of bidding and playing below; deals are never chosen.

One line a game: `history` the action ids, `players` who acted (-1 chance), `action_strings` OpenSpiel's own text
of each action, `returns` its own returns; the first games of the plain file also carry `state_str`.
"""

import gzip
import json
import random
import sys
from pathlib import Path

import pyspiel

FILES = [
    ("playouts.jsonl", 80, 20_261, 4),
    ("playouts_more.jsonl.gz", 260, 20_262, 0),
]  # games, seed, state_str
PASS = 0
SILENT_SHARE = 0.97  # how often a silent seat passes when it may


def size(text):
    """How many cards an action's text plays."""
    return 0 if text == "Pass" else len(text.replace("(BWJ)", "B").replace("(CJ)", "R").replace("-", ""))


def is_bomb(text):
    """Whether an action's text is a bomb or the rocket."""
    return text == "(BWJ)(CJ)" or (len(text) == 4 and len(set(text)) == 1)


def longest(texts, chance):
    """One of the actions that play most cards; bombs are left for later."""
    plain = [a for a in texts if not is_bomb(texts[a])] or list(texts)
    most = max(size(texts[a]) for a in plain)
    return chance.choice([a for a in plain if size(texts[a]) == most])


def silent(texts, chance):
    """Pass when that is allowed, else anything."""
    return PASS if PASS in texts and chance.random() < SILENT_SHARE else chance.choice(list(texts))


def explosive(texts, chance):
    """A bomb or the rocket as soon as it is legal, else anything."""
    return chance.choice([a for a in texts if is_bomb(texts[a])] or list(texts))


def uniform(texts, chance):
    """Any legal action."""
    return chance.choice(list(texts))


def one_long_play(texts, chance):
    """The landlord who opens with his longest play and is silent ever after."""
    return PASS if PASS in texts else longest(texts, chance)


PLAYS = [  # how the landlord plays, how the peasants do
    (uniform, uniform),
    (explosive, explosive),
    (longest, silent),
    (one_long_play, longest),
    (longest, longest),
]


def free_bid(spoken, legal, chance):
    """Any legal bid."""
    return chance.choice(legal)


def bid_round(spoken, legal, chance):
    """Two passes, a 1, and then whatever: the first seat is asked again."""
    return (PASS, PASS, 1)[spoken] if spoken < 3 else chance.choice(legal)


def overbid(spoken, legal, chance):
    """Each seat goes one higher if it can."""
    return min((a for a in legal if a != PASS), default=PASS) if chance.random() < 0.8 else PASS


def no_bid(spoken, legal, chance):
    """Nobody bids."""
    return PASS


BIDS = [free_bid, bid_round, overbid, free_bid, overbid, bid_round, free_bid, overbid]
ALL_PASS_EVERY = 40


def play(number, chance):
    """Return one finished game as (state, action strings)."""
    state, texts, spoken, landlord = pyspiel.load_game("dou_dizhu()").new_initial_state(), [], 0, None
    bid = no_bid if number % ALL_PASS_EVERY == ALL_PASS_EVERY - 1 else BIDS[number % len(BIDS)]
    as_landlord, as_peasant = PLAYS[number % len(PLAYS)]
    while not state.is_terminal():
        seat = state.current_player()
        if state.is_chance_node():
            action = chance.choice([outcome for outcome, _ in state.chance_outcomes()])
        else:
            legal = {a: state.action_to_string(seat, a) for a in state.legal_actions()}
            if landlord is None and any(text.startswith("Bid") for text in legal.values()):
                action = bid(spoken, list(legal), chance)
                spoken += 1
            else:
                landlord = seat if landlord is None else landlord
                action = (as_landlord if seat == landlord else as_peasant)(legal, chance)
        texts.append(state.action_to_string(seat, action))
        state.apply_action(action)
    return state, texts


def record(state, texts, with_state):
    """One line's object."""
    pairs = state.full_history()
    game = {
        "game": str(state.get_game()),
        "history": [pair.action for pair in pairs],
        "players": [pair.player for pair in pairs],
        "action_strings": texts,
        "returns": state.returns(),
    }
    return game | {"state_str": str(state)} if with_state else game


def main(folder):
    """Write every file into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for file, games, seed, with_state in FILES:
        chance = random.Random(seed)
        lines = [json.dumps(record(*play(n, chance), n < with_state)) + "\n" for n in range(games)]
        data = "".join(lines).encode()
        (folder / file).write_bytes(gzip.compress(data, 9, mtime=0) if file.endswith(".gz") else data)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "open-spiel")
