"""Write botzone-ftl1/*, botzone-text/* and icga/*: simulated hands as the logs of programs would tell them.

Run as `python make_botzone_logs.py [FOLDER]` with this project installed: every run writes the same bytes. The hands are
those of `simulated/qq-classic.ddz.jsonl.gz` with these numbers; suits are given to their cards, seats are turned so that
the landlord (botzone-ftl1) or the first to bid is seat 0. What is illegal or cut short is put in by hand below. Scores,
multipliers and names of combinations are worked out here, by the rules that each log's program has.
"""

import gzip
import json
import random
import sys
from pathlib import Path

import ddz_analytics as ddz

HERE = Path(__file__).parent
RANKS = "3456789TJQKA2BR"
NAMES = dict(zip(RANKS, ["3", "4", "5", "6", "7", "8", "9", "10", *"JQKA2", "joker", "JOKER"], strict=True))
SEED = 20_263
LANDLORD_WINS, PEASANTS_WIN, WITH_BOMB = 53, 88, 89  # places of hands in the file
WORDS = {  # how the text log calls a combination, and its hundredths in the older judge's scores
    "single": ("SINGLE", 1), "pair": ("PAIR", 2), "trio": ("TRIPLET", 4), "trio_single": ("TRIPLET1", 4),
    "trio_pair": ("TRIPLET2", 4), "straight": ("STRAIGHT", 6), "pair_chain": ("STRAIGHT2", 6), "trio_chain": ("PLANE", 8),
    "plane_single": ("PLANE1", 8), "plane_pair": ("PLANE2", 8), "four_two_single": ("QUADRUPLE2", 8),
    "four_two_pair": ("QUADRUPLE4", 8), "bomb": ("BOMB", 10), "rocket": ("ROCKET", 16),
}  # fmt: skip


def load():
    """The simulated hands."""
    return [json.loads(line) for line in gzip.open(HERE / "simulated" / "qq-classic.ddz.jsonl.gz")]


def turned(hand, first):
    """A hand with card ids whose seats are counted from `first`: hands dealt, bottom, bids, plays (seat, ids)."""
    chance = random.Random(f"{SEED}-{hand['id']}")
    ids = {rank: chance.sample(range(4 * place, 4 * place + 4), 4) for place, rank in enumerate(RANKS[:13])}
    ids |= {"B": [52], "R": [53]}
    *dealt, bottom = (
        [ids[rank].pop() for rank in cards]
        for cards in [*(hand["dealt"][(first + k) % 3] for k in range(3)), hand["bottom"]]
    )
    landlord = (hand["landlord"] - first) % 3
    held = [cards + bottom * (seat == landlord) for seat, cards in enumerate(dealt)]
    plays = []
    for act in hand["actions"]:
        if act["act"] in ("play", "pass"):
            seat, taken = (act["seat"] - first) % 3, []
            for rank in act.get("cards", ""):
                taken.append(next(card for card in held[seat] if rank_of(card) == rank))
                held[seat].remove(taken[-1])
            plays.append((seat, taken))
    bids = [((act["seat"] - first) % 3, act["value"]) for act in hand["actions"] if act["act"] == "bid"]
    return dealt, bottom, landlord, bids, plays


def rank_of(card):
    """The rank of a card id."""
    return RANKS[card // 4 + card // 53]


def category(cards):
    """What some cards are."""
    return ddz.classify("".join(rank_of(card) for card in cards))[0].category


def older_game(hand, error_after=None):
    """The array of the older judge; after so many plays the seat in turn answers what it may not."""
    dealt, bottom, _, _, plays = turned(hand, hand["landlord"])
    game = [{"allocation": [bottom + dealt[0], dealt[1], dealt[2]], "publiccard": bottom}]
    for seat, cards in plays[:error_after]:
        game.append({"event": {"player": seat, "action": cards}})
    if error_after is not None:
        seat = plays[error_after][0]
        scores = [2.5, -1, -1] if seat else [-1, 2.5, 2.5]
        end = {"event": {"player": seat, "action": []}, "errorInfo": "LESS_COMPARE"}
        return [*game, dict(zip("012", scores, strict=True)) | end]
    points = [0, 0, 0]
    for seat, cards in plays:
        points[seat] += WORDS[category(cards)][1] if cards else 0
    scores = [0, 2, 2] if plays[-1][0] else [2, 0, 0]
    scores = [score + own / 100 for score, own in zip(scores, points, strict=True)]
    scores[1] = scores[2] = (scores[1] + scores[2]) / 2
    return [*game[:-1], dict(zip("012", scores, strict=True)) | game[-1]]


def listed(cards):
    """Cards as the text log writes them."""
    ranks = [rank_of(card) for card in sorted(cards)]
    counted = [f"{NAMES[rank]}x{ranks.count(rank)}" for rank in dict.fromkeys(ranks)]
    return f"{' '.join(counted) or 'PASS'} [{','.join(str(card) for card in sorted(cards))}]"


def text_game(number, hand, illegal_at=None):
    """A game of the text log; the play with the number `illegal_at` is sent with a card too many."""
    dealt, bottom, landlord, bids, plays = turned(hand, hand["actions"][0]["seat"])
    bots = ("ALPHA", "BETA", "BETA")
    told = [f"P{seat} {bots[seat]}" for seat in range(3)]
    yield f"================ GAME {number} seed={SEED + number} ================"
    yield "bots: " + ", ".join(f"P{seat}={name}" for seat, name in enumerate(bots))
    for seat, cards in enumerate(dealt):
        yield f"initial {told[seat]} hand={listed(cards)}"
    yield f"public={listed(bottom)}"
    for seat, bid in bids:
        yield f"BID {told[seat]} bid={bid} ok=True elapsedMs={4.2 + seat:.1f} reason="
    final = max(bid for _, bid in bids)
    yield f"landlord=P{landlord} finalBid={final}"
    held = [cards + bottom * (seat == landlord) for seat, cards in enumerate(dealt)]
    multiplier, played = 1, [0, 0, 0]
    for turn, (seat, cards) in enumerate(plays, 1):
        team = "landlord" if seat == landlord else "farmers"
        yield ""
        yield f"TURN {turn} {told[seat]} team={team} elapsedMs={turn % 7 + 0.5:.1f}"
        yield f"  handBefore count={len(held[seat])} {listed(held[seat])}"
        if turn == illegal_at:
            sent = cards + [card for card in held[seat] if card not in cards][:1]
            yield f"  action=INVALID {listed(sent)} level=0 legal=False reason=invalid_combo"
            why = f"illegal_play turn={turn} P{seat} reason=invalid_combo"
            yield f"  ILLEGAL_STOP {why}"
            yield f"SUMMARY illegal={why} landlord=P{landlord}"
            return
        word = f"{WORDS[category(cards)][0]} {listed(cards)} level=0" if cards else "PASS"
        yield f"  action={word} legal=True reason="
        multiplier *= 2 if word.startswith(("BOMB", "ROCKET")) else 1
        played[seat] += bool(cards)
        held[seat] = [card for card in held[seat] if card not in cards]
        yield "  remain=" + ", ".join(f"P{at}:{len(left)}" for at, left in enumerate(held))
    winner = plays[-1][0]
    spring = winner == landlord and sum(played) == played[landlord]
    anti = winner != landlord and played[landlord] == 1
    team = "landlord" if winner == landlord else "farmers"
    yield f"WINNER {told[winner]} team={team}"
    yield (
        f"SUMMARY winner=P{winner} winnerTeam={team} landlord=P{landlord} finalBid={final} "
        f"multiplier={multiplier * 2 ** (spring or anti)} spring={spring} antiSpring={anti}"
    )


def ids(cards):
    """Card ids as the tournament's messages write them; none is a pass."""
    return ",".join(str(card) for card in cards) or "-1"


def messages(number, hand):
    """A game as the platform's messages to its programs, with what these answer."""
    dealt, bottom, landlord, bids, plays = turned(hand, hand["actions"][0]["seat"])
    yield from [f"INFO 1,2,{number},4,2,2100", "OK INFO"] * 3
    for seat, cards in zip("ABC", dealt, strict=True):
        yield from (f"DEAL {seat}{ids(cards)}", "OK DEAL")
    for seat, bid in bids:
        yield from ("BID WHAT", *[f"BID {'ABC'[seat]}{bid}"] * 3, "OK BID")
    yield from [f"LEFTOVER {'ABC'[landlord]}{ids(bottom)}", "OK LEFTOVER"] * 3
    for seat, cards in plays:
        yield from ("PLAY WHAT", *[f"PLAY {'ABC'[seat]}{ids(cards)}"] * 3, "OK PLAY")
    yield from [f"GAMEOVER {'ABC'[plays[-1][0]]}", "OK GAMEOVER"] * 3


def nodes(number, hand, thrown_in):
    """A game of the recorded form; one that is thrown in ends with three bids of 0."""
    dealt, bottom, landlord, bids, plays = turned(hand, hand["actions"][0]["seat"])
    yield ";VER[1.0]PA[Alpha]PB[Beta]PC[Gamma]"
    yield f";TI[1]TC[2]RI[{number}]RC[4]UC[2]MS[2100]"
    for seat, cards in zip("ABC", dealt, strict=True):
        yield f";D{seat}[{ids(cards)}]"
    for seat, bid in zip(range(3), [0, 0, 0], strict=True) if thrown_in else bids:
        yield f";B{'ABC'[seat]}[{bid}]"
    if not thrown_in:
        yield f";L{'ABC'[landlord]}[{ids(bottom)}]"
        for seat, cards in plays:
            yield f";{'ABC'[seat]}[{ids(cards)}]"
        yield f";OVER[{'ABC'[plays[-1][0]]}]"


def main(folder):
    """Write every file into a folder."""
    hands = load()
    written = {
        "botzone-ftl1/landlord_wins.log": json.dumps(older_game(hands[LANDLORD_WINS])),
        "botzone-ftl1/peasants_win.log": json.dumps(older_game(hands[PEASANTS_WIN])),
        "botzone-ftl1/error.log": json.dumps(older_game(hands[LANDLORD_WINS], error_after=4)),
        "botzone-text/local_matches.txt": "\n".join(
            [
                "================ MATCH SUMMARY ================",
                "games=3 illegalOrStopped=1",
                "",
                *text_game(1, hands[LANDLORD_WINS]),
                "",
                *text_game(2, hands[WITH_BOMB]),
                "",
                *text_game(3, hands[PEASANTS_WIN], illegal_at=6),
                "",
            ]
        ),
        "icga/messages.txt": "\n".join(
            [
                *["DOUDIZHUVER 1.0", "NAME alpha"] * 3,
                *messages(1, hands[WITH_BOMB]),
                *messages(2, hands[PEASANTS_WIN]),
                "EXIT",
                "",
            ]
        ),
        "icga/recorded.txt": "\n".join(
            [
                "(\t",
                *nodes(1, hands[LANDLORD_WINS], thrown_in=False),
                *nodes(2, hands[PEASANTS_WIN], thrown_in=True),
                *nodes(3, hands[WITH_BOMB], thrown_in=False),
                ")",
            ]
        ),
    }
    for name, text in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
