"""Write rlcard-trace/*.jsonl: games of RLCard's own Dou Dizhu between its own agents.

Needs `pip install rlcard==1.2.0`; run as `python make_rlcard_trace.py [FOLDER]`. Game `n` of a file is
seeded with the file's seed + n (deal and agents alike). RLCard lists legal actions in set order, so the
script starts itself again with PYTHONHASHSEED=0: every run writes the same bytes.

One line a game: `game` the number, `agents` who played (one name, or the three seats' names joined by "/"), the suited
hands as dealt (the landlord's with the bottom cards), `seen_cards` the ranks of the bottom cards,
`trace` what each seat did, `payoffs` RLCard's own 1 for a winner and 0 for a loser.
"""

import json
import os
import sys
from pathlib import Path

import rlcard
from rlcard.agents import RandomAgent
from rlcard.games.doudizhu.utils import cards2str_with_suit
from rlcard.models.doudizhu_rule_models import DouDizhuRuleAgentV1
from rlcard.utils import set_seed

RULE, RANDOM = "doudizhu-rule-v1", "doudizhu-random"
FILES = [  # file, landlord, peasants, games, seed
    ("rule_agents.jsonl", RULE, RULE, 120, 1_000_000),
    ("random_agents.jsonl", RANDOM, RANDOM, 60, 2_000_000),
    ("rule_landlord.jsonl", RULE, RANDOM, 30, 3_000_000),
    ("random_landlord.jsonl", RANDOM, RULE, 30, 4_000_000),
]


def agent(name, env):
    """The agent of a name."""
    return DouDizhuRuleAgentV1() if name == RULE else RandomAgent(num_actions=env.num_actions)


def play(number, landlord, peasants, seed):
    """Return one finished game as a record."""
    set_seed(seed)
    env = rlcard.make("doudizhu", config={"seed": seed})
    env.set_agents([agent(name, env) for name in (landlord, peasants, peasants)])
    state, seat = env.reset()
    hands = [cards2str_with_suit(player.current_hand) for player in env.game.players]
    seen = env.game.round.seen_cards
    while not env.is_over():
        acting = env.agents[seat]
        action, _ = acting.eval_step(state)
        state, seat = env.step(action, acting.use_raw)
    return {
        "game": number,
        "agents": landlord if landlord == peasants else f"{landlord}/{peasants}/{peasants}",
        "init_hands_with_suit": hands,
        "seen_cards": seen,
        "landlord_id": env.game.round.landlord_id,
        "trace": [[int(seat), str(action)] for seat, action in env.game.round.trace],
        "payoffs": [float(payoff) for payoff in env.get_payoffs()],
    }


def main(folder):
    """Write every file into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for file, landlord, peasants, games, seed in FILES:
        with (folder / file).open("w", encoding="utf-8") as out:
            for n in range(games):
                out.write(json.dumps(play(n, landlord, peasants, seed + n)) + "\n")


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | {"PYTHONHASHSEED": "0"})
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "rlcard-trace")
