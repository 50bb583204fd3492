"""Small mistakes that engine and rule files could have: a text and what it is changed into, one at a time.

As a program (`python -m tests.mutations FILE`) it holds whatever `ddz_analytics` is found first against what the oracle said of
the hands of a file (a pickled `Sample`); it ends with `CAUGHT` when the two disagree.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import NamedTuple

from tests.agreement import disagreements_on_replay, engine_replay, oracle_replayed, oracle_rules, told
from tests.corruptions import CORRUPTIONS, corrupted
from tests.generated import RECORDED, hands
from tests.legal import legal_hands
from tests.oracle.names import Document, Row
from tests.oracle.rulesets import COMPLETE
from tests.settling import Answers, Settling, oracle_settlements

CAUGHT = 3
SPECS = [
    *COMPLETE,
    "jj-classic+cap-4",
    "jj-classic[liability.exempt_measured=at_end]",
    "jj-classic[liability.status=any_time]",
    "jj-classic+minimised[liability.shortfall=partner_pays]",
    "jj-classic+minimised[balance.winner_cap=total,house.fee=room.fee]",
    "jj-bomb[events.bomb_reading=cumulative]",
    "jj-bomb[events.bomb_counts_rocket=true]",
    "casino-capped[cap.after_pairs=true]",
    "casino-capped[house.rake_rounding=floor]",
    "qq-classic[escape.to=others]",
    "qq-classic[escape.kind=void]",
    "qq-coins[escape.fee=escaper]",
    "qq-coins[house.fee_in_score=false]",
    "happy[cap.multiplier=16]",
    "happy[cap.pair_amount=40,cap.after_pairs=true]",
    "happy[cap.landlord_amount=50]",
    "happy[cap.landlord_amount=50,cap.after_pairs=true]",
]


class Mutation(NamedTuple):
    """A mistake: in which file of the package, the text as it is (found once), and as it would be wrong."""

    name: str
    file: str
    right: str
    wrong: str


MUTATIONS = [
    Mutation("an equal rank beats", "combinations.py", "return reading.main > previous.main", "return reading.main >= previous.main"),
    Mutation("an equal rank beats by columns", "replay.py", "higher = plays.main > main", "higher = plays.main >= main"),
    Mutation("the lowest main rank leads", "combinations.py", "* length, -main, -length", "* length, main, -length"),
    Mutation("a follow is read as low as it can be", "combinations.py", "return max(same_form or", "return min(same_form or"),
    Mutation("no set is read again", "play.py", "if other != before.reading and", "if other == before.reading and"),
    Mutation("turns go the other way", "play.py", "(acted.seat + 1) % SEATS", "(acted.seat + 2) % SEATS"),
    Mutation("turns are not watched", "batches/suspects.py", "(seat != expected) | ", ""),
    Mutation("passes on a lead are not watched", "batches/suspects.py", " | on_lead]", "]"),
    Mutation("the end is not watched", "batches/suspects.py", " plays.hand[out[goes_on]],", ""),
    Mutation("cards held are not watched", "replay.py", " | holds_too_little(batch, plays, course.cards_left)", ""),
    Mutation("the bottom stays on the table", "batches/batch.py", " + counts(bottom[taker])", ""),
    Mutation(
        "held bombs count", "batches/facts.py", "pa.array(bombs.sum(axis=1))",
        'pa.array([sum(f"{int(mask):060b}"[k : k + 4] == "1111" for mask in row for k in range(0, 60, 4)) for row in batch.held])',
    ),
    Mutation("a spring needs one silent peasant", "settlement/events.py", "down + up == 0", "down * up == 0"),
    Mutation(
        "an anti-spring is one card, not one play", "settlement/events.py",
        "landlord == 1)", 'facts.ints("landlord_cards_left") == 19)',
    ),
    Mutation("n bombs multiply by n", "settlement/events.py", "return 1 + number", "return np.maximum(number, 1)"),
    Mutation("the first bomb counts for nothing", "settlement/events.py", "factorial(n + 1)", "factorial(n)"),
    Mutation("rockets always count as bombs", "settlement/events.py", "if rules.events_bomb_counts_rocket and", "if"),
    Mutation("five doublings", "rules/cap-4.toml", "doublings = 4", "doublings = 5"),
    Mutation("a spring is not capped", "rules/cap-4.toml", '"spring", ', ""),
    Mutation(
        "the landlord's double does not count", "settlement/pairs.py",
        "Pairs(own[0] * own[1] * kicks[1], own[0] * own[2] * kicks[2], refused)",
        "Pairs(own[1] * kicks[1], own[2] * kicks[2], refused)",
    ),
    Mutation("a balance at the threshold is enough", "settlement/pairs.py", 'amount_by_role("balance") <= ', 'amount_by_role("balance") < '),
    Mutation("the landlord doubles alone", "settlement/pairs.py", "np.where(short[1] | short[2], 3, 0)", "0"),
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
    Mutation(
        "what is forfeit is a fine", "settlement/table.py",
        'columns["house_forfeit"], columns["house_fine"]', 'columns["house_fine"], columns["house_forfeit"]',
    ),
    Mutation("losers pay the rake", "settlement/house.py", "np.maximum(gain, 0)", "np.abs(gain)"),
    Mutation("the rake is never rounded", "settlement/house.py", "return rake // SCALE * SCALE", "return rake"),
    Mutation("the first opener plays for the starter", "settlement/verdict.py", '"starter": "first_seat"', '"starter": "first_opener_seat"'),
    Mutation("the limit itself is in time", "autoplay.py", "acted.ms >= limit * MS", "acted.ms > limit * MS"),
    Mutation("an act by hand ends nothing", "autoplay.py", "if rules.autoplay_manual_act_ends:", "if not rules.autoplay_manual_act_ends:"),
    Mutation("two last cards are exempt", "rules/jj-classic.toml", "exempt_cards = 1", "exempt_cards = 2"),
    Mutation("a rob triples", "rules/happy.toml", "rob_factor = 2", "rob_factor = 3"),
    Mutation("the receiver may have any amount", "settlement/balance.py", "np.minimum(np.minimum(budget, receiver), owed)", "np.minimum(budget, owed)"),
    Mutation("the payer may pay any amount", "settlement/balance.py", "payment(np.where(won, budget[1:], budget[0]), receiver", "payment(receiver, receiver"),
    Mutation("who owes two may pay both in full", "settlement/balance.py", "np.where(won, receives, budget[0]), paid[0]", "np.where(won, receives, 2 * LARGEST), paid[0]"),
    Mutation("the partner pays nothing", "settlement/balance.py", "paid = paid + np.minimum(budget[1:], missing)", "paid = paid + 0 * missing"),
    Mutation("the fee stays in the purse", "settlement/balance.py", 'rules.balance_fee == "inside"', 'rules.balance_fee == "outside"'),
    Mutation("a forfeit knows no balance", "settlement/balance.py", "np.minimum(budget[0], owed.change.house)", "owed.change.house"),
    Mutation("the smaller share is rounded down", "settlement/sharing.py", "np.where(fits, smaller * there, 0) + np.where(fits, total, 0)", "np.where(fits, smaller * there, 0)"),
    Mutation("of equal shares the second is the larger", "settlement/sharing.py", "np.where(first >= second, most - share, share), np.where(first >= second, share, most - share)", "np.where(first > second, most - share, share), np.where(first > second, share, most - share)"),
    Mutation("a fee is paid below zero", "settlement/house.py", "if rules.balance_minimised:\n        due", "if False:\n        due"),
    Mutation("the escaper alone pays no fee", "settlement/house.py", "fee * escapes.by, fee", "fee * ~escapes.by, fee"),
    Mutation("a fee apart is a fee", "settlement/settle.py", "if rules.house_fee_in_score else (nothing, fee)", "if True else (nothing, fee)"),
    Mutation("a fine is doubled", "settlement/escape.py", "before_bid, rules.escape_factor, 0)", "before_bid, 2 * rules.escape_factor, 0)"),
    Mutation("a fine before any bid is three bids", "settlement/escape.py", '"escape_stage", "before_any_bid")', '"escape_stage", "")'),
    Mutation("the others get the whole fine each", "settlement/escape.py", "marks.halves(fine)", "fine"),
    Mutation("who escapes is the landlord", "settlement/escape.py", 'facts.ints("escaped_seat") - facts', 'facts.ints("landlord_seat") - facts'),
    Mutation("an escape voids nothing", "settlement/verdict.py", '"void": void | (escaped & ~faulty) if rules.escape_kind == "void" else void', '"void": void'),
    Mutation("a capped multiplier has one more", "settlement/cap.py", "np.minimum(multiplier, rules.cap_multiplier)", "np.minimum(multiplier, rules.cap_multiplier + 1)"),
    Mutation("the landlord's amount is each pair's", "settlement/cap.py", "rules.cap_landlord_amount * SCALE // 2", "rules.cap_landlord_amount * SCALE"),
    Mutation("the landlord's amount is not shared", "settlement/cap.py", "down, up = divided(most, down, up, rules.balance_rounding_unit)", "pass"),
    Mutation("a pair's amount is never capped", "settlement/cap.py", "return stake if most is None else", "return stake if True else"),
    Mutation("additive events add nothing at first", "settlement/events.py", "added = number * factor", "added = np.maximum(number - 1, 0) * factor"),
    Mutation("bombs of natural hands are soft", "settlement/events.py", 'kinds | {"hard": np.where(natural, bombs, kinds["hard"])}', 'kinds | {"soft": np.where(natural, bombs, kinds["soft"])}'),
    Mutation("wild cards are needed by nobody", "settlement/verdict.py", 'facts.flag("needs_wild")', "none"),
    Mutation("wild cards may be jokers", "wilds.py", "choose_repeating(range(TWO + 1), number)", "choose_repeating(range(TWO + 3), number)"),
    Mutation("wild cards are never a 2", "wilds.py", "choose_repeating(range(TWO + 1), number)", "choose_repeating(range(TWO), number)"),
    Mutation("only wild cards stand for anything", "wilds.py", "ways = _substitutes(number) if others else (own,)", "ways = _substitutes(number)"),
    Mutation("hard bombs are soft", "wilds.py", '("bomb_hard", "bomb_soft", "bomb_soft", "bomb_soft", "bomb_pure")', '("bomb_soft", "bomb_soft", "bomb_soft", "bomb_soft", "bomb_pure")'),
    Mutation("pure bombs are hard", "wilds.py", '("bomb_hard", "bomb_soft", "bomb_soft", "bomb_soft", "bomb_pure")', '("bomb_hard", "bomb_soft", "bomb_soft", "bomb_soft", "bomb_hard")'),
    Mutation("soft bombs beat hard ones", "combinations.py", '"bomb_soft", "bomb_hard", "bomb_pure", "rocket",', '"bomb_hard", "bomb_soft", "bomb_pure", "rocket",'),
    Mutation("what wild cards are declared to be is not read", "play.py", "pack_counts([RANK_OF[rank] for rank in acted.wilds_as])", "None"),
    Mutation("a hard bomb adds one", "rules/laizi-jj.toml", "hard = 2", "hard = 1"),
    Mutation("payments are not minimised", "rules/minimised.toml", "minimised = true", "minimised = false"),
    Mutation("six per cent", "rules/casino-capped.toml", 'rake = "0.05"', 'rake = "0.06"'),
]  # fmt: skip


class Sample(NamedTuple):
    """Some hundred hands of every kind, legal and corrupted, with all that the oracle says of them."""

    documents: list[Document]
    said: list[Row]
    answers: Answers


def sample() -> Sample:
    """What every mistake is held against."""
    legal = [
        document
        for recorded in RECORDED
        for document in hands(recorded, 300 if recorded == "happy" else 100, seed=4)
    ]
    plain = legal_hands(200, seed=4)
    faulty = [document for corruption in CORRUPTIONS for document, _ in corrupted(corruption, plain, 20)]
    documents = legal + faulty
    said = [oracle_replayed(document) for document in documents]
    return Sample(
        documents, said, {spec: oracle_settlements(documents, said, oracle_rules(spec)) for spec in SPECS}
    )


def main(path: str) -> int:
    """Whether the two disagree on the hands of a file."""
    documents, said, answers = pickle.loads(Path(path).read_bytes())
    replayed = engine_replay(documents)
    settling = Settling(documents, replayed.facts, said, SPECS)
    settling.answers = answers
    found = disagreements_on_replay(documents, replayed, said) + settling.disagreements()
    sys.stdout.write(told(found)[:2000] + "\n")
    return CAUGHT if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
