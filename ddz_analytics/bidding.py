"""The auction and what surrounds it before the first card: who becomes landlord, at which bid, who opened, doubled, kicked.

One hand at a time, in plain steps; replay calls it once for each distinct course of an auction. Every word counts as the log
has it; what the rules do not allow is reported beside. Sources: qq Q2, Q3; jj J3–J6; casino C2–C6, C35–C39; happy H2–H19.
"""

from __future__ import annotations

from ddz_analytics.auction_state import SPOKEN, Auction, Deal, Said, offers, opening_factors
from ddz_analytics.hands import SCALE, SEATS
from ddz_analytics.rules import RuleSet

SCORE_BIDS = (SCALE, 2 * SCALE, 3 * SCALE)
SUPER_DOUBLE = 4


def auction_kind(acts: list[Said], rules: RuleSet | None) -> str:
    """Score, room, rob or none: by the rules where they are known, else, or where they know no bidding that is there, by the acts."""
    bidding = any(said.act in SPOKEN for said in acts)
    if rules is not None and (rules.auction_kind != "none" or not bidding):
        return rules.auction_kind
    spoken = {"decline" if said.act == "bid" and not said.value else said.act for said in acts}
    for word, kind in (
        ("call", "rob"),
        ("rob", "room"),
        ("kick", "room"),
        ("bid", "score"),
        ("decline", "rob"),
    ):
        if word in spoken:
            return kind
    return "none"


def hold_auction(acts: list[Said], deal: Deal) -> Auction:
    """Go through the acts before the play in order and say how the auction came out, with every fault."""
    auction = Auction(auction_kind(acts, deal.rules), deal)
    hear = {"open": _open, "double": _double, "kick": _kick} | dict.fromkeys(SPOKEN, _speak)
    latest = 0
    for said in acts:
        if _phase(said) < latest:
            auction.fault("act_order", said, f"`{said.act}` comes too late")
        latest = max(latest, _phase(said))
        hear[said.act](auction, said)
        if deal.rules is not None and not offers(deal.rules, said.act):
            auction.note("act_not_in_rules", said, f"`{said.act}` is not offered by {deal.rules.id}")
    _conclude(auction)
    return auction


def _phase(said: Said) -> int:
    """Openings before or during the deal, then the auction, then openings after the bottom, doubles and kicks."""
    if said.act in SPOKEN:
        return 1
    return 0 if said.act == "open" and said.stage != "bottom" else 2


def _speak(auction: Auction, said: Said) -> None:
    if auction.spoke_first is None:
        _begin(auction, said)
    _take_turn(auction, said)
    declines = said.act == "decline" or (said.act == "bid" and not said.value)
    if declines:
        auction.declined[said.seat] = True
    if auction.kind == "rob":
        _call_or_rob(auction, said, "decline" if declines else said.act)
    else:
        _bid(auction, said, "decline" if declines else said.act)


def _begin(auction: Auction, said: Said) -> None:
    """Somebody speaks first: the one the log names, and under calling the first who opened his hand (H4)."""
    auction.spoke_first = said.seat
    if auction.kind == "rob" and auction.first_opener not in (None, said.seat):
        auction.fault(
            "first_not_opener", said, f"seat {auction.first_opener} opened its hand first and speaks first"
        )
    begins = said.seat if auction.deal.first is None else auction.deal.first
    auction.waiting = [(begins + k) % SEATS for k in range(SEATS)]


def _take_turn(auction: Auction, said: Said) -> None:
    """Take a seat off the waiting list; the turn goes on from whoever actually spoke."""
    waiting = auction.waiting
    if not waiting:
        auction.fault("auction_after_end", said, f"`{said.act}` after the auction was decided")
        auction.late = True
    elif said.seat != waiting[0]:
        auction.fault("auction_turn", said, f"it is the turn of seat {waiting[0]}")
    after = [(said.seat + k) % SEATS for k in (1, 2)]
    auction.waiting = [seat for seat in after if seat in waiting]


def _bid(auction: Auction, said: Said, word: str) -> None:
    if not auction.late:
        auction.could_bid[said.seat] = True
        auction.could_rob[said.seat] = auction.kind == "room"
    if word == "call" or (word == "rob" and auction.kind == "score"):
        auction.fault("auction_act", said, f"`{word}` in an auction by {auction.kind}")
    elif word == "rob":
        auction.robbed[said.seat] = True
        if not auction.robs:
            auction.raises += auction.leader is not None
            auction.leader = said.seat
        auction.robs, auction.waiting = auction.robs + 1, []
    elif word == "bid":
        auction.bid_at_all[said.seat] = True
        _raise(auction, said, said.value or 0)


def _raise(auction: Auction, said: Said, value: int) -> None:
    low, high = auction.deal.low, auction.deal.high
    room = (low, high) if low is not None and high is not None else (value,)
    if value not in (SCORE_BIDS if auction.kind == "score" else room):
        auction.fault("bid_value", said, f"a bid of {value / SCALE:g} is not offered")
    if value <= auction.highest:
        auction.fault(
            "bid_not_higher", said, f"a bid of {value / SCALE:g} is not above {auction.highest / SCALE:g}"
        )
        return
    auction.raises += auction.leader is not None
    auction.highest = value
    if not auction.robs:  # what was robbed no later bid takes over (casino C4)
        auction.leader = said.seat
    top = SCORE_BIDS[-1] if auction.kind == "score" else high
    if top is not None and value >= top:
        auction.waiting = []


def _call_or_rob(auction: Auction, said: Said, word: str) -> None:
    calling = auction.caller is None
    if not auction.late:
        (auction.could_bid if calling else auction.could_rob)[said.seat] = True
    if word == "bid":
        auction.fault("auction_act", said, "a bid of points in an auction by call and rob")
    elif word == "call" and not calling:
        auction.bid_at_all[said.seat] = True
        auction.fault("call_twice", said, f"seat {auction.caller} has called already")
    elif word == "call":
        auction.caller = said.seat
        auction.leader = auction.leader if auction.robs else said.seat
        auction.bid_at_all[said.seat] = True
        others = [(said.seat + k) % SEATS for k in (1, 2)]
        auction.waiting = [seat for seat in others if not auction.declined[seat]]
    elif word == "rob":
        if calling:
            auction.fault("rob_without_call", said, "nobody has called yet")
        auction.robs += 1
        auction.robbed[said.seat] = True
        auction.leader = said.seat
    _offer_rob_back(auction)


def _offer_rob_back(auction: Auction) -> None:
    """When all others have spoken, a caller who was robbed may rob back, once (H6)."""
    rules, caller = auction.deal.rules, auction.caller
    never = rules is not None and rules.auction_rob_back == "never"
    done = auction.waiting or auction.asked_back or auction.late
    if caller is not None and auction.robs and not (done or never):
        auction.asked_back, auction.waiting = True, [caller]


def _open(auction: Auction, said: Said) -> None:
    if auction.opened[said.seat] is not None:
        auction.fault("open_twice", said, f"seat {said.seat} has opened already")
        return
    auction.opened[said.seat] = said
    rules = auction.deal.rules
    if said.stage == "bottom" and said.seat != auction.deal.landlord:
        auction.note("open_not_landlord", said, "only the landlord may open after the bottom cards")
    if said.stage != "bottom" and auction.spoke_first is None and auction.first_opener is None:
        auction.first_opener = said.seat
    if rules is not None and offers(rules, "open") and said.value is not None:
        factors = opening_factors(rules)[said.stage or "bottom"]
        if said.value not in [factor * SCALE for factor in factors]:
            auction.note("open_value", said, f"{said.value / SCALE:g} is no factor of stage {said.stage}")


def _double(auction: Auction, said: Said) -> None:
    if auction.doubled[said.seat] is not None:
        auction.fault("double_twice", said, f"seat {said.seat} has answered already")
        return
    auction.doubled[said.seat] = (said.value or 0) // SCALE
    rules = auction.deal.rules
    if said.value == SUPER_DOUBLE * SCALE and not (rules is not None and rules.double_super):
        auction.note("double_super", said, "a double of 4 counts as 2")


def _kick(auction: Auction, said: Said) -> None:
    if auction.kicked[said.seat] is not None:
        auction.fault("kick_twice", said, f"seat {said.seat} has answered already")
        return
    auction.kicked[said.seat] = said


def may_kick(auction: Auction) -> list[bool]:
    """Which seats may kick the landlord: after a bid those whose turn comes after it (casino C35–C38), after a rob the others (C4)."""
    rules, landlord, leader, first = auction.deal.rules, auction.deal.landlord, auction.leader, auction.first
    if landlord is None:
        return [False] * SEATS
    others = [seat not in (landlord, leader) for seat in range(SEATS)]
    if auction.robs or auction.kind == "rob":
        only_unheard = rules is not None and rules.kick_rob_eligibility == "not_yet_spoken"
        return [may and not (only_unheard and auction.could_bid[seat]) for seat, may in enumerate(others)]
    if leader is None or first is None:
        return others
    return [may and (seat - first) % SEATS > (leader - first) % SEATS for seat, may in enumerate(others)]


def landlord_by_rules(auction: Auction) -> int | None:
    """Who is landlord after an auction that is over (jj J6, qq Q2, casino C5, happy H5); None: the deal is thrown in."""
    rules = auction.deal.rules
    if auction.leader is not None or rules is None:
        return auction.leader
    if rules.auction_nobody == "starter":
        return auction.first
    return auction.first_opener if rules.auction_nobody == "first_opener_or_redeal" else None


def _conclude(auction: Auction) -> None:
    deal = auction.deal
    for said, may in zip(auction.kicked, may_kick(auction), strict=True):
        if said is not None and said.value and not may:
            auction.note("kick_not_allowed", said, f"seat {said.seat} may not kick: it counts as none")
    if auction.nobody_bid and deal.landlord is not None:
        auction.forced = _forced_by(auction, deal.landlord)
    if not auction.over:
        if deal.landlord is not None or deal.outcome in ("complete", "redeal"):
            auction.fault("auction_incomplete", None, "the auction stops before it is decided")
        return
    broken_off = auction.may_be_over and deal.landlord is None and deal.outcome not in ("complete", "redeal")
    if auction.silent or broken_off:
        return
    expected = landlord_by_rules(auction)
    if expected != deal.landlord and (auction.leader is not None or deal.rules is not None):
        auction.fault(
            "landlord_mismatch", None, f"the log names {_seat(deal.landlord)}, the auction {_seat(expected)}"
        )


def _forced_by(auction: Auction, landlord: int) -> str | None:
    rules = auction.deal.rules
    if rules is not None:
        return {"starter": "starter", "first_opener_or_redeal": "first_opener"}.get(rules.auction_nobody)
    if landlord == auction.first:
        return "starter"
    return "first_opener" if landlord == auction.first_opener else None


def _seat(seat: int | None) -> str:
    return "no landlord" if seat is None else f"seat {seat}"


def opening_multiplier(auction: Auction) -> int:
    """The factor of the openings that count under the recorded rules (only the largest, H14); without such rules the largest recorded."""
    rules, landlord = auction.deal.rules, auction.deal.landlord
    counting = [
        said
        for said in auction.opened
        if said is not None and (said.stage != "bottom" or said.seat == landlord)
    ]
    if rules is None or not offers(rules, "open"):
        return max([(said.value or SCALE) // SCALE for said in counting], default=1)
    return max([_opening_factor(said, rules) for said in counting], default=1)


def whole(value: int | None) -> int | None:
    """A multiplier from its 1/10,000; None where it is none, because it is not whole."""
    return None if value is None or value % SCALE else value // SCALE


def _opening_factor(said: Said, rules: RuleSet) -> int:
    """A recorded value of the stage counts, else the number of cards dealt decides, else the later and smaller factor."""
    factors = opening_factors(rules)[said.stage or "bottom"]
    recorded = whole(said.value) or 0
    if recorded in factors or len(factors) == 1:
        return recorded if recorded in factors else factors[0]
    early = said.dealt is not None and said.dealt <= rules.open_hand_early_max_dealt
    return factors[0] if early else factors[1]
