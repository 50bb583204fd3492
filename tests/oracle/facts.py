"""The facts of a replayed hand as one plain dictionary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .before_play import offers
from .names import Issue, Row

if TYPE_CHECKING:
    from .replay import Replay


def whole(value: Any) -> Any:
    """An exact number as an int where it is one."""
    if value is None:
        return None
    return int(value) if value == int(value) else value


def result_of(hand: Replay) -> Row:
    """Everything that the views about a replayed hand show."""
    winner, landlord, auction = hand.table.winner, hand.landlord, hand.auction
    side = None
    if winner is not None and landlord is not None:
        side = "landlord" if winner == landlord else "peasants"
    plays = [play_row(hand, play) for play in hand.table.plays]
    return {
        "hand_id": hand.doc["id"],
        "replay_status": hand.status(),
        "winner_side": side,
        "winner_seat": winner,
        "auction_kind": hand.kind,
        "auction_forced": hand.auction_forced(),
        "bid": whole(auction.bid()),
        "raises": auction.raises(),
        "robs": auction.robs(),
        "open_multiplier": hand.setup.open_multiplier(),
        "bombs": hand.count("bomb"),
        "rockets": hand.count("rocket"),
        "soft_bombs": hand.count("bomb_soft"),
        "hard_bombs": hand.count("bomb_hard"),
        "pure_bombs": hand.count("bomb_pure"),
        "spring": hand.spring(),
        "landlord_plays": None if landlord is None else sum(play["seat"] == landlord for play in plays),
        "needs_wild": hand.table.needs_wild(),
        "escaped_seat": hand.escape["seat"] if hand.escape else None,
        "escape_stage": hand.escape["stage"] if hand.escape else None,
        "issues": ordered(hand.issues),
        "episodes": [episode for state in hand.autoplay for episode in state.episodes],
        "plays": plays,
        "seats": [seat_row(hand, seat) for seat in range(3)],
        "for_settling": settling_facts(hand),
    }


def ordered(issues: list[Issue]) -> list[Issue]:
    """Issues by action index (those of the whole hand last), then by code."""
    return sorted(issues, key=lambda issue: (issue[2] is None, issue[2] or 0, issue[0]))


def play_row(hand: Replay, play: Row) -> Row:
    """One row of `plays`."""
    category, length, main = play["reading"] or (None, None, None)
    row = {
        key: play[key]
        for key in (
            "play_index",
            "action_index",
            "reread",
            "seat",
            "cards",
            "is_lead",
            "trick",
            "cards_left_after",
        )
    }
    row.update(role=hand.role(play["seat"]), category=category, length=length, main_rank=main)
    return row


def seat_row(hand: Replay, seat: int) -> Row:
    """The facts of one seat."""
    state, setup, auction = hand.autoplay[seat], hand.setup, hand.auction
    positive = [act for _, act in auction.positive() if act["seat"] == seat]
    first = auction.first_speaker()
    double_offered = (hand.known and offers(hand.rules, "double")) or setup.seen["double"] > 0
    return {
        "seat": seat,
        "role": hand.role(seat),
        "plays": sum(play["seat"] == seat for play in hand.table.plays),
        "bombs": hand.count("bomb", seat),
        "cards_left": hand.table.cards_left(seat),
        "autoplay_at_end": state.on(),
        "autoplay_started_with": state.episodes[-1]["cards_at_start"] if state.on() else None,
        "autoplay_ever": bool(state.episodes),
        "doubled": setup.doubled[seat] in (2, 4),
        "double_value": setup.doubled[seat],
        "kicked": setup.kicked[seat] == 1,
        "opened": setup.opened_seats()[seat],
        "bid": any(act["act"] in ("bid", "call") for act in positive),
        "robbed": any(act["act"] == "rob" for act in positive),
        "could_bid": auction.could_bid[seat],
        "could_rob": auction.could_rob[seat],
        "could_double": hand.landlord is not None and double_offered,
        "could_kick": hand.may_kick(seat),
        "auction_turn": None if first is None else (seat - first) % 3,
        "autoplay_cards": [episode["cards_at_start"] for episode in state.episodes],
    }


def settling_facts(hand: Replay) -> Row:
    """What settling reads beyond the columns above."""
    auction = hand.auction
    winner = auction.winning()
    return {
        "recorded_rules": hand.rules if hand.known else None,
        "auction_acts": len(auction.acts),
        "somebody_bid": winner is not None,
        "won_by_rob": winner is not None and winner[1]["act"] == "rob",
        "nobody_bid": hand.nobody_bid(),
        "first_speaker": auction.first_speaker(),
        "first_opener": hand.setup.first_opener,
        "openings": hand.setup.counting_openings(),
        "seen": dict(hand.setup.seen),
    }
