"""Answers to example questions as plain Python computes them, row by row, from the rows of the views."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise
from statistics import median
from typing import Any

Row = dict[str, Any]
Rows = Callable[[str], list[Row]]


def by(rows: Sequence[Row], *columns: str) -> Mapping[tuple[Any, ...], list[Row]]:
    """Rows by the values of some columns."""
    found = defaultdict(list)
    for row in rows:
        found[tuple(row[column] for column in columns)].append(row)
    return found


def mean(values: Sequence[Any]) -> float | None:
    """The mean of numbers, None without any."""
    known = [float(value) for value in values if value is not None]
    return sum(known) / len(known) if known else None


def of_seats(rows_of: Rows) -> Mapping[tuple[int, int], Row]:
    """The rows of hand_seats by hand and seat."""
    return {(row["hand_id"], row["seat"]): row for row in rows_of("hand_seats")}


def landlord_wins(rows_of: Rows) -> set[tuple[Any, ...]]:
    """Landlords by auction, bid and turn, and how many won."""
    facts = {row["hand_id"]: row for row in rows_of("hand_facts")}
    seats = [
        row | {name: facts[row["hand_id"]][name] for name in ("auction_kind", "bid")}
        for row in rows_of("hand_seats")
        if row["role"] == "landlord" and row["won"] is not None and facts[row["hand_id"]]["bid"] is not None
    ]
    found = by(seats, "auction_kind", "bid", "auction_turn")
    return {(*key, len(rows), sum(row["won"] for row in rows)) for key, rows in found.items()}


def partners_losses(rows_of: Rows) -> set[tuple[Any, ...]]:
    """Lost seats of peasants of whom one was on autoplay at the end, by rule set and status."""
    seats, losses = of_seats(rows_of), defaultdict(list)
    for row in rows_of("scores"):
        if (
            row["role"] not in ("landlord_down", "landlord_up")
            or row["won"] is not False
            or row["score"] is None
        ):
            continue
        own = seats[row["hand_id"], row["seat"]]
        (other,) = (
            seat for place in range(3) if place != row["seat"]
            and (seat := seats[row["hand_id"], place])["role"] != "landlord"
        )  # fmt: skip
        if own["autoplay_at_end"] is not None and own["autoplay_at_end"] != other["autoplay_at_end"]:
            status = "autoplay" if own["autoplay_at_end"] else "partner"
            losses[row["scenario"], row["rule_set"], status].append(row["score"])
    return {(*key, len(scores), mean(scores)) for key, scores in losses.items()}


def caps(rows_of: Rows) -> set[tuple[Any, ...]]:
    """Scored hands by table and hour, where a cap changed one."""
    hands = {row["hand_id"]: row for row in rows_of("hands")}
    settled = [
        row | {"table_id": hand["table_id"], "hour": hand["local_time"] and hand["local_time"].hour}
        for row in rows_of("settlements")
        if row["score_status"] != "undefined"
        for hand in (hands[row["hand_id"]],)
    ]
    found = by(settled, "scenario", "rule_set", "table_id", "hour")
    counts = {key: sum(bool(row["cap_bites"]) for row in rows) for key, rows in found.items()}
    return {(*key, len(rows), counts[key]) for key, rows in found.items() if counts[key]}


def refused_doubles(rows_of: Rows) -> set[tuple[Any, ...]]:
    """Refused doubles by reason, with what they would have moved."""
    doubles = [row for row in rows_of("refusals") if row["what"] == "double"]
    return {
        (
            *key,
            len(rows),
            len({row["hand_id"] for row in rows}),
            sum(abs(row["would_change"]) for row in rows),
        )
        for key, rows in by(doubles, "scenario", "rule_set", "reason").items()
    }


def unexplained(rows_of: Rows) -> set[tuple[Any, ...]]:
    """The hundred largest differences between what a hand left a player and what he has before his next one."""
    kinds = {key: row["balance_kind"] for key, row in of_seats(rows_of).items()}
    scores = [
        row | {"kind": kinds[row["hand_id"], row["seat"]]}
        for row in rows_of("scores")
        if row["rule_set"] == row["recorded_rules"] and row["player"] is not None
    ]
    found = []
    for (player, kind), rows in by(scores, "player", "kind").items():
        rows.sort(
            key=lambda row: (row["started_at"] is not None, row["started_at"], row["hand_id"], row["seat"])
        )
        for row, following in pairwise(rows):
            if None not in (row["balance_after"], following["balance_before"]):
                difference = following["balance_before"] - row["balance_after"]
                found.append((-abs(difference), row["hand_id"], player, kind, difference))
    return {(player, kind, hand, more) for _, hand, player, kind, more in sorted(found)[:100] if more}


def autoplay_began(rows_of: Rows) -> set[tuple[Any, ...]]:
    """Episodes by cards held and reason."""
    counts = Counter((row["cards_at_start"], row["reason"]) for row in rows_of("autoplay_episodes"))
    return {(*key, count) for key, count in counts.items()}


def pairs(rows_of: Rows) -> set[tuple[Any, ...]]:
    """Players who shared five hands or more, and in what share of the rarer one's hands."""
    together: Counter[tuple[str, str]] = Counter()
    hands: Counter[str] = Counter()
    for rows in by(rows_of("hand_seats"), "hand_id").values():
        players = sorted({row["player"] for row in rows if row["player"] is not None})
        hands.update(players)
        together.update(combinations(players, 2))
    shares = [
        (-count / min(hands[one], hands[two]), -count, one, two)
        for (one, two), count in together.items()
        if count >= 5
    ]
    return {(one, two, -count, -share) for share, count, one, two in sorted(shares)[:50]}


def thinking(rows_of: Rows) -> set[tuple[Any, ...]]:
    """Thinking times by category and lead: how many, their median."""
    plays = {(row["hand_id"], row["action_index"]): row for row in rows_of("plays")}
    times = defaultdict(list)
    for act in rows_of("actions"):
        play = plays.get((act["hand_id"], act["action_index"]))
        if play and act["ms"] is not None and act["actor"] != "autoplay":
            times[play["category"], play["is_lead"]].append(act["ms"])
    return {(*key, len(each), float(median(each))) for key, each in times.items()}


def house_take(rows_of: Rows) -> set[tuple[Any, ...]]:
    """What the house takes by day."""
    days = {row["hand_id"]: row["local_day"] for row in rows_of("hands")}
    settled = [
        row | {"day": days[row["hand_id"]]}
        for row in rows_of("settlements")
        if row["score_status"] != "undefined"
    ]
    return {
        (*key, len(rows), sum(row["house_net"] for row in rows))
        for key, rows in by(settled, "scenario", "rule_set", "day").items()
    }


def swings(rows_of: Rows) -> set[tuple[Any, ...]]:
    """The twenty players of each rule set whose best and worst hand lie furthest apart."""
    scored = [row for row in rows_of("scores") if row["score"] is not None and row["player"] is not None]
    found = defaultdict(list)
    for (scenario, rules, player), rows in by(scored, "scenario", "rule_set", "player").items():
        scores = [row["score"] for row in rows]
        found[scenario, rules].append((min(scores) - max(scores), player, max(scores), min(scores)))
    return {
        (*key, player, most, least)
        for key, each in found.items()
        for _, player, most, least in sorted(each)[:20]
    }


def flows(rows_of: Rows) -> set[tuple[Any, ...]]:
    """What moves by reason."""
    return {
        (*key, len(rows), sum(row["amount"] for row in rows))
        for key, rows in by(
            [row | {"pays": row["payer"] is None, "receives": row["receiver"] is None} for row in rows_of("flows")],
            "scenario", "rule_set", "reason", "pays", "receives",
        ).items()
    }  # fmt: skip


def bidding(rows_of: Rows) -> set[tuple[Any, ...]]:
    """Chances and bids by turn."""
    chances = [row for row in rows_of("hand_seats") if row["could_bid"]]
    return {
        (*key, len(rows), sum(bool(row["bid"]) for row in rows))
        for key, rows in by(chances, "auction_turn").items()
    }


def rejected(rows_of: Rows) -> set[tuple[Any, ...]]:
    """Records by code and the first line of each."""
    found = by(rows_of("rejected_hands"), "code")
    return {(*key, len(rows), min(row["line"] for row in rows)) for key, rows in found.items()}


def strong(rows_of: Rows) -> set[tuple[Any, ...]]:
    """Landlords by jokers and twos among their 17 cards, and how many won."""
    found = defaultdict(list)
    for row in rows_of("hand_seats"):
        if row["role"] == "landlord" and row["won"] is not None and len(row["dealt"]) == 17:
            found[sum(card in "2BR" for card in row["dealt"])].append(row["won"])
    return {(cards, len(won), mean(won)) for cards, won in found.items()}


COMPUTED: Mapping[str, tuple[Callable[[Rows], set[tuple[Any, ...]]], tuple[str, ...]]] = {
    "landlord-wins-by-bid-and-turn": (landlord_wins, ("auction_kind", "bid", "turn", "hands", "won")),
    "partners-loss-by-policy": (partners_losses, ("scenario", "rule_set", "status", "seats", "mean_score")),
    "where-a-cap-bites": (caps, ("scenario", "rule_set", "table_id", "hour", "hands", "capped")),
    "refused-doubles": (
        refused_doubles,
        ("scenario", "rule_set", "reason", "doubles", "hands", "would_move"),
    ),
    "unexplained-balances": (unexplained, ("player", "balance_kind", "hand_id", "unexplained")),
    "cards-held-when-autoplay-began": (autoplay_began, ("cards_at_start", "reason", "episodes")),
    "pairs-often-together": (pairs, ("player", "partner", "together", "share")),
    "thinking-time-by-combination": (thinking, ("category", "is_lead", "plays", "median_ms")),
    "house-take-per-day": (house_take, ("scenario", "rule_set", "local_day", "hands", "net")),
    "top-swings-by-player": (swings, ("scenario", "rule_set", "player", "largest_gain", "largest_loss")),
    "flows-by-reason": (
        flows,
        ("scenario", "rule_set", "reason", "house_pays", "house_receives", "payments", "moved"),
    ),
    "bidding-by-turn": (bidding, ("auction_turn", "chances", "bids")),
    "rejected-records": (rejected, ("code", "records", "first_line")),
    "strong-cards-and-winning": (strong, ("jokers_and_twos", "hands", "win_rate")),
}
