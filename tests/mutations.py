"""Small mistakes that engine and rule files could have: a text and what it is changed into, one at a time.

As a program (`python -m tests.mutations FILE`) it holds whatever `ddz_analytics` is found first against the oracle, on the
hands of a file; it ends with `CAUGHT` when the two disagree.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NamedTuple

from tests.agreement import told
from tests.corruptions import CORRUPTIONS, corrupted
from tests.generated import RECORDED, hands
from tests.legal import legal_hands
from tests.oracle.names import Document
from tests.oracle.rulesets import COMPLETE
from tests.settling import disagreements

CAUGHT = 3
SPECS = [
    *COMPLETE,
    "jj-classic+cap-4",
    "jj-classic[liability.exempt_measured=at_end]",
    "jj-classic[liability.status=any_time]",
    "jj-bomb[events.bomb_reading=cumulative]",
    "jj-bomb[events.bomb_counts_rocket=true]",
    "casino-capped[cap.after_pairs=true]",
    "casino-capped[house.rake_rounding=floor]",
]


class Mutation(NamedTuple):
    """A mistake: in which file of the package, the text as it is (found once), and as it would be wrong."""

    name: str
    file: str
    right: str
    wrong: str


MUTATIONS = [
    Mutation("an equal rank beats", "combinations.py", "reading.main > previous.main\n\n", "reading.main >= previous.main\n\n"),
    Mutation("an equal rank beats by columns", "replay.py", "higher = plays.main > main", "higher = plays.main >= main"),
    Mutation("the lowest main rank leads", "combinations.py", "form.kickers, -main, -length", "form.kickers, main, -length"),
    Mutation("a follow is read as low as it can be", "combinations.py", "return max(same_form or", "return min(same_form or"),
    Mutation("no set is read again", "play.py", "if other != before.reading and", "if other == before.reading and"),
    Mutation("turns go the other way", "play.py", "(acted.seat + 1) % SEATS", "(acted.seat + 2) % SEATS"),
    Mutation("turns are not watched", "batches/suspects.py", "(seat != expected)\n        | ", ""),
    Mutation("passes on a lead are not watched", "batches/suspects.py", " | _passes_on_lead(batch, plays, row)", ""),
    Mutation("the end is not watched", "batches/suspects.py", " | (out & ~ends)", ""),
    Mutation("cards held are not watched", "replay.py", " | holds_too_little(batch, plays, course.cards_left)", ""),
    Mutation("the bottom stays on the table", "batches/batch.py", " + counts(bottom[taker])", ""),
    Mutation(
        "held bombs count", "batches/facts.py", "pa.array(bombs.sum(axis=1))",
        'pa.array([sum(f"{int(mask):060b}"[k : k + 4] == "1111" for mask in row for k in range(0, 60, 4)) for row in batch.held])',
    ),
    Mutation("a spring needs one silent peasant", "settlement/events.py", "(down + up == 0)", "(down * up == 0)"),
    Mutation(
        "an anti-spring is one card, not one play", "settlement/events.py",
        "~won & (landlord == 1)", '~won & (facts.ints("landlord_cards_left") == 19)',
    ),
    Mutation("n bombs multiply by n", "settlement/events.py", "[1 + n for n in most]", "[max(n, 1) for n in most]"),
    Mutation("the first bomb counts for nothing", "settlement/events.py", "factorial(n + 1)", "factorial(n)"),
    Mutation("rockets always count as bombs", "settlement/events.py", "if rules.events_bomb_counts_rocket and", "if"),
    Mutation("five doublings", "rules/cap-4.toml", "doublings = 4", "doublings = 5"),
    Mutation("a spring is not capped", "rules/cap-4.toml", '"spring", ', ""),
    Mutation(
        "the landlord's double does not count", "settlement/pairs.py",
        "Pairs(own[0] * own[1] * kicks[1], own[0] * own[2] * kicks[2], refused)",
        "Pairs(own[1] * kicks[1], own[2] * kicks[2], refused)",
    ),
    Mutation("a balance at the threshold is enough", "settlement/pairs.py", '_balance") > threshold', '_balance") >= threshold'),
    Mutation("the landlord doubles alone", "settlement/pairs.py", "np.where(~(above[1] & above[2]), 3, 0)", "0"),
    Mutation("seats before the landlord kick", "bidding.py", "% SEATS > (leader", "% SEATS < (leader"),
    Mutation("a bid of three goes on", "bidding.py", "and value >= top:", "and value > top:"),
    Mutation("who declined may rob", "bidding.py", "if not auction.declined[seat]]", "]"),
    Mutation("raises count as robs", "settlement/auction.py", 'facts.ints("robs"), projected', 'facts.ints("raises"), projected'),
    Mutation("six cards dealt are late", "settlement/auction.py", "(dealt <= rules.", "(dealt < rules."),
    Mutation("robs make any bid", "settlement/stake.py", "np.minimum(1 + robs, HIGHEST_BID)", "1 + robs"),
    Mutation("the high bid is low", "settlement/stake.py", 'amount("bid") >= room', 'amount("bid") > room'),
    Mutation(
        "exempt is who ends with one card", "settlement/liability.py", "exempt = at_start <= exempt_cards", "exempt = left <= exempt_cards"
    ),
    Mutation("who is not liable pays", "settlement/liability.py", "np.where(won, liable, ~liable)", "np.where(won, ~liable, liable)"),
    Mutation("nothing is forfeit", "settlement/liability.py", '(rules.liability_both_winning != "normal")', "False"),
    Mutation("what is forfeit is a fee", "settlement/table.py", '("fee", "fee"), ("forfeit", "liability")', '("fee", "liability"), ("forfeit", "fee")'),
    Mutation("losers pay the rake", "settlement/house.py", "np.maximum(gain, 0)", "np.abs(gain)"),
    Mutation("the rake is never rounded", "settlement/house.py", "return rake // SCALE * SCALE", "return rake"),
    Mutation("the first opener plays for the starter", "settlement/verdict.py", '"starter": "first_seat"', '"starter": "first_opener_seat"'),
    Mutation("the limit itself is in time", "autoplay.py", "acted.ms >= limit * MS", "acted.ms > limit * MS"),
    Mutation("an act by hand ends nothing", "autoplay.py", "if rules.autoplay_manual_act_ends:", "if not rules.autoplay_manual_act_ends:"),
    Mutation("two last cards are exempt", "rules/jj-classic.toml", "exempt_cards = 1", "exempt_cards = 2"),
    Mutation("a rob triples", "rules/happy.toml", "rob_factor = 2", "rob_factor = 3"),
    Mutation("six per cent", "rules/casino-capped.toml", 'rake = "0.05"', 'rake = "0.06"'),
]  # fmt: skip


def sample() -> list[Document]:
    """A few hundred hands of every kind, legal and corrupted."""
    legal = [
        document
        for recorded in RECORDED
        for document in hands(recorded, 300 if recorded == "happy" else 100, seed=4)
    ]
    plain = legal_hands(80, seed=4)
    return legal + [document for corruption in CORRUPTIONS for document, _ in corrupted(corruption, plain, 8)]


def main(path: str) -> int:
    """Whether the two disagree on the hands of a file, a line each."""
    documents = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    found = disagreements(documents, SPECS)
    sys.stdout.write(told(found)[:2000] + "\n")
    return CAUGHT if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
