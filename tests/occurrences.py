"""What occurs in a replayed hand, in words, so that a test can ask whether everything did."""

from __future__ import annotations

from collections.abc import Iterator

from tests.agreement import oracle_rules
from tests.generated import THRESHOLD, UNKNOWN
from tests.generated_auction import SPOKEN, is_decline
from tests.generated_cards import AMBIGUOUS, EVERY_FORM
from tests.generated_play import REASONS
from tests.oracle import combos
from tests.oracle.auction import amount
from tests.oracle.before_play import offers
from tests.oracle.cards import RANKS
from tests.oracle.names import Act, Document, Row

# Every course that an auction can take, from the first speaker on: bids, or L(ow), H(igh), R(ob), C(all), D(ecline).
SCORE = (
    "0 0 0", "0 0 1", "0 0 2", "0 0 3", "0 1 0", "0 1 2", "0 1 3", "0 2 0", "0 2 3", "0 3",
    "1 0 0", "1 0 2", "1 0 3", "1 2 0", "1 2 3", "1 3", "2 0 0", "2 0 3", "2 3", "3",
)  # fmt: skip
ROOM = (
    "0 0 0", "0 0 L", "0 0 H", "0 0 R", "0 L 0", "0 L H", "0 L R", "0 H", "0 R",
    "L 0 0", "L 0 H", "L 0 R", "L H", "L R", "H", "R",
)  # fmt: skip
ROB = (
    "C D D", "C R D R", "C R D D", "C D R R", "C D R D", "C R R R", "C R R D",
    "D C D", "D C R R", "D C R D", "D D C", "D D D",
)  # fmt: skip
PATHS: dict[str, tuple[str, ...]] = {"none": (), "score": SCORE, "room": ROOM, "rob": ROB}
NOBODY = ("0 0 0", "D D D")
# Who plays when nobody bid, by what the rules say of that.
WITHOUT_BID = {
    "redeal": ("thrown in",), "starter": ("starter",), "first_opener_or_redeal": ("first_opener", "thrown in"),
}  # fmt: skip

FORMS = tuple(f"form {category} {length}" for category, length in EVERY_FORM)
AUTOPLAY = tuple(
    f"autoplay by {reason}, {end}, from {cards}, peasants {won}, {number}"
    for reason in REASONS
    for end in ("ended", "running")
    for cards in ("the last card", "more cards")
    for won in ("won", "lost")
    for number in ("one", "both")
)
FEATURES = (
    "suited", "tens as 10", "declared", "reread", "room: nothing", "room: in part", "room: decimals", "no balances",
    "balance at the threshold", "jokers as kickers", "joker as kicker",
    "silent auction", "silent deal", "escaped before_any_bid", "escaped auction", "escaped play",
    "void no_play", "void unfinished", "void ok", "unfinished no_play", "unfinished unfinished",
)  # fmt: skip
OPENINGS = tuple(
    f"open {stage}{value}{dealt}"
    for stage in ("start", "deal", "bottom")
    for value in ("", " value")
    for dealt in ("", " dealt")
)


def auction_paths(kind: str, nobody: str) -> tuple[str, ...]:
    """Every path of an auction with its result, by its kind and by what the rules say when nobody bids."""
    won = tuple(f"{kind} {path}" for path in PATHS[kind] if path not in NOBODY)
    return won + tuple(
        f"{kind} {path}: {how}" for path in PATHS[kind] if path in NOBODY for how in WITHOUT_BID[nobody]
    )


def occurrences(document: Document, said: Row) -> Iterator[str]:
    """All that occurs in one hand; `said` is the oracle's replay of it."""
    yield from _features(document)
    yield from _outcomes(document, said)
    yield from _acts(document, said)
    if document.get("wild") is None:
        for play in said["plays"]:
            yield from _play(play)
    else:
        yield from _wild(document, said)
    if said["replay_status"] in ("ok", "no_play") and document["outcome"] in ("complete", "redeal"):
        yield from _auction(document, said)
    if said["replay_status"] == "ok" and document["outcome"] == "complete":
        yield from _autoplay(document, said)


def _features(document: Document) -> Iterator[str]:
    room, balances = document.get("room", {}), document.get("balances")
    if " " in document["dealt"][0]:
        yield "suited"
    if any("10" in text and " " not in text for text in document["dealt"]):
        yield "tens as 10"
    if not room:
        yield "room: nothing"
    elif len(room) < 6:
        yield "room: in part"
    if any(amount(value) % 1 for value in room.values()):
        yield "room: decimals"
    if balances is None:
        yield "no balances"
    elif THRESHOLD in [amount(balance) for balance in balances]:
        yield "balance at the threshold"


def _outcomes(document: Document, said: Row) -> Iterator[str]:
    yield f"rules {'missing' if 'rules' not in document else 'named'}"
    if said["escape_stage"]:
        yield f"escaped {said['escape_stage']}"
    if document["outcome"] in ("void", "unfinished"):
        yield f"{document['outcome']} {said['replay_status']}"
    if not said["for_settling"]["auction_acts"] and document["outcome"] in ("complete", "redeal"):
        yield "silent deal" if document["landlord"] is None else "silent auction"


def _acts(document: Document, said: Row) -> Iterator[str]:
    rules = said["for_settling"]["recorded_rules"]
    for act in document["actions"]:
        if act["act"] == "open":
            yield "open " + act["stage"] + "".join(f" {key}" for key in ("value", "dealt") if key in act)
        if act["act"] in ("open", "double", "kick") and rules is not None and not offers(rules, act["act"]):
            yield f"{act['act']} not offered"
        if "as" in act:
            yield "declared"
    for code, _, _, _ in said["issues"]:
        yield f"issue {code}"
    if any(play["reread"] for play in said["plays"]):
        yield "reread"


def _play(play: Row) -> Iterator[str]:
    if play["category"] is None:
        return
    yield f"form {play['category']} {play['length']}"
    cards = play["cards"]
    yield from _jokers(cards)
    readings = combos.readings(cards)
    if len(readings) > 1:
        name = {8: "two quads", 12: "four trios", 16: "five trios and 1", 20: "six trios and 2"}[len(cards)]
        main = RANKS[play["main_rank"]]
        leading = (play["category"], play["length"], play["main_rank"]) == readings[0]
        assert main in cards
        yield name
        yield f"{name} {'led' if play['is_lead'] else 'following'}, {'leading' if leading else 'other'} reading"


def _jokers(cards: str) -> Iterator[str]:
    if len(cards) > 2 and cards.endswith("BR"):
        yield "jokers as kickers"
    elif len(cards) > 1 and cards[-1] in "BR" and cards != "BR":
        yield "joker as kicker"


def _wild(document: Document, said: Row) -> Iterator[str]:
    """What occurs in a hand with wild cards."""
    rank = RANKS.index(document["wild"])
    yield "cards needed as wild" if said["needs_wild"] else "no card needed as wild"
    for act in document["actions"]:
        if "wilds_as" in act:
            yield "wild cards declared" + (" and the set" if "as" in act else "")
    before: Row | None = None
    for play in said["plays"]:
        if play["category"] is not None:
            yield from _wild_play(play, rank, None if play["is_lead"] else before)
        before = play


def _wild_play(play: Row, wild: int, over: Row | None) -> Iterator[str]:
    category, wilds = play["category"], play["cards"].count(RANKS[wild])
    yield from _jokers(play["cards"])
    if category.startswith("bomb"):
        yield f"{category} of {RANKS[play['main_rank']]}"
        if category == "bomb_soft":
            yield f"bomb_soft with {wilds}"
    if category in BOMBS and over is not None:
        yield f"{category} over {over['category'] if over['category'] in BOMBS else 'less'}"
    if wilds == len(play["cards"]):
        yield f"only wild cards {category}"
    elif wilds:
        yield f"with wild cards {category} {play['length']}"
        first = combos.readings(play["cards"], None, wild)[0]
        which = "leading" if first == (category, play["length"], play["main_rank"]) else "other"
        yield f"with wild cards {'led' if over is None else 'following'}, {which} reading"
    if play["reread"]:
        yield "with wild cards reread"


# What each can beat that it is led over; a soft bomb leaves no four wild cards for a pure one.
BOMBS = {
    "bomb_soft": ("less", "bomb_soft"),
    "bomb_hard": ("less", "bomb_soft", "bomb_hard"),
    "bomb_pure": ("less", "bomb_hard"),
    "rocket": ("less", "bomb_soft", "bomb_hard", "bomb_pure"),
}
WILD = (
    "cards needed as wild", "no card needed as wild", "wild cards declared", "wild cards declared and the set",
    "with wild cards reread",
    *(f"{kind} of {rank}" for kind in BOMBS if kind != "rocket" for rank in RANKS[:13]),
    *(f"bomb_soft with {wilds}" for wilds in (1, 2, 3)),
    *(f"{kind} over {other}" for kind, others in BOMBS.items() for other in others),
    *(f"only wild cards {category}" for category in ("single", "pair", "trio", "bomb_pure")),
    *(
        f"with wild cards {category} {length}" for category, length in EVERY_FORM
        if category not in ("single", "bomb", "rocket")
    ),
    *(
        f"with wild cards {place}, {which} reading" for place in ("led", "following") for which in ("leading", "other")
    ),
)  # fmt: skip
READINGS = tuple(
    f"{name} {place}, {which} reading"
    for name in AMBIGUOUS
    for place in ("led", "following")
    for which in ("leading", "other")
    if (name, place) != ("six trios and 2", "following")  # only the landlord's first play has twenty cards
)


def _auction(document: Document, said: Row) -> Iterator[str]:
    kind, words = said["auction_kind"], [act for act in document["actions"] if act["act"] in SPOKEN]
    yield f"kind {kind}"
    room = document.get("room", {})
    if kind == "none" or not words or (kind == "room" and not {"low", "high"} <= set(room)):
        return
    path = " ".join(_word(act, kind, room) for act in words)
    if path not in NOBODY:
        yield f"{kind} {path}"
    else:
        yield f"{kind} {path}: {said['auction_forced'] or 'thrown in'}"
    if kind == "score" and len(words) > 3:
        yield "bids go round"


def _word(act: Act, kind: str, room: Row) -> str:
    if is_decline(act):
        return "D" if kind == "rob" else "0"
    if act["act"] != "bid":
        return str(act["act"][0].upper())
    if kind == "room":
        return "H" if amount(act["value"]) == amount(room["high"]) else "L"
    return str(act["value"])


def _autoplay(document: Document, said: Row) -> Iterator[str]:
    peasants = [
        seat for seat in said["seats"] if seat["seat"] != document["landlord"] and seat["autoplay_cards"]
    ]
    won = "won" if said["winner_side"] == "peasants" else "lost"
    number = "both" if len(peasants) == 2 else "one"
    for seat in peasants:
        last = [episode for episode in said["episodes"] if episode["seat"] == seat["seat"]][-1]
        end = "running" if seat["autoplay_at_end"] else "ended"
        cards = "the last card" if last["cards_at_start"] == 1 else "more cards"
        yield f"autoplay by {last['reason']}, {end}, from {cards}, peasants {won}, {number}"


def expected(recorded: str) -> set[str]:
    """What must occur among the hands of one rule set, or of unknown rules."""
    wanted = {*AUTOPLAY, *FEATURES}
    knows_wilds = recorded != UNKNOWN and oracle_rules(recorded)["wild.enabled"]
    wanted |= {*WILD} if knows_wilds else {*FORMS, *READINGS}
    if recorded == UNKNOWN:
        kinds = {f"kind {kind}" for kind in PATHS}
        return wanted | kinds | {"rules missing", "issue unknown_rules", "bids go round"}
    rules = oracle_rules(recorded)
    if rules["auction.kind"] == "none":
        wanted.remove("escaped auction")
    wanted |= set(auction_paths(rules["auction.kind"], rules["auction.nobody"]))
    if offers(rules, "open"):
        wanted |= set(OPENINGS)
    return wanted | {f"{act} not offered" for act in ("open", "double", "kick") if not offers(rules, act)}
