"""Write relational/*.csv and events/*.jsonl: synthetic hands in the shapes of two kinds of operators' logs.

Needs `ddz_analytics`; run as `python make_examples.py [FOLDER]`. The hands are those that `ddz simulate --rules happy --seed 20`
plays, with suits given to the cards in order; scores are what `ddz rescore --rules happy` makes of them. Every run writes the
same bytes. The tables also show what such tables have in life: a deal that is there twice, a game that was not finished, and a
play whose game does not exist.
"""

from __future__ import annotations

import csv
import json
import sys
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ddz_analytics.ingest import ingest
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
from ddz_analytics.simulate import simulate
from ddz_analytics.store.catalog import connect

HANDS, SEED = 16, 20
SUITS, NAMES = "♠♥♣♦", {"T": "10", "B": "BJ", "R": "RJ"}
AUCTION = ("call", "rob", "decline", "autoplay")
BID_TYPES = {"decline": 0, "call": 1, "rob": 2}
Row = dict[str, Any]


def hands() -> list[Row]:
    """Simulated hands as `ddz/1` has them, with their scores and events."""
    lines = list(simulate(load_rules("happy"), hands=HANDS, seed=SEED, players=9))
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        log.write_bytes(b"".join(line + b"\n" for line in lines))
        ingest(Path(folder) / "store", [str(log)])
        rescore(Path(folder) / "store", [load_rules("happy")])
        with connect(Path(folder) / "store") as connection:
            scores = connection.sql(
                "SELECT list(score::BIGINT ORDER BY seat) FROM scores GROUP BY hand_id ORDER BY hand_id"
            ).fetchall()
            facts = connection.sql(
                "SELECT bombs + rockets AS bombs, spring, event_multiplier * auction_multiplier AS multiplier "
                "FROM hand_facts JOIN settlements USING (hand_id) ORDER BY hand_id"
            ).fetchall()
    found = []
    for line, (score,), (bombs, spring, multiplier) in zip(lines, scores, facts, strict=True):
        hand = json.loads(line)
        found.append({**hand, "scores": score, "bombs": bombs, "spring": spring, "multiplier": multiplier})
    return found


class Suited:
    """The cards of a hand with suits, given to each rank in the order of the seats and the bottom."""

    def __init__(self, hand: Row) -> None:
        given = dict.fromkeys("3456789TJQKA2BR", 0)
        self.held: list[list[str]] = []
        for text in (*hand["dealt"], hand["bottom"]):
            self.held.append([])
            for rank in text:
                suit = "" if rank in "BR" else SUITS[given[rank]]
                given[rank] += 1
                self.held[-1].append(suit + NAMES.get(rank, rank))
        self.dealt = [list(cards) for cards in self.held[:3]]
        self.bottom = list(self.held[3])

    def take(self, seat: int, ranks: str) -> list[str]:
        """Cards of these ranks out of what a seat holds."""
        taken = []
        for rank in ranks:
            name = NAMES.get(rank, rank)
            card = next(card for card in self.held[seat] if card.lstrip(SUITS) == name)
            self.held[seat].remove(card)
            taken.append(card)
        return taken


def local(text: str) -> str:
    """A time without its offset."""
    return datetime.fromisoformat(text).strftime("%Y-%m-%d %H:%M:%S")


def tables(hands: list[Row]) -> dict[str, list[Row]]:
    """The rows of every table; nobody opens his hand there."""
    found: dict[str, list[Row]] = {name: [] for name in ("games", "deals", "bids", "plays", "balances")}
    for number, hand in enumerate(
        hand for hand in hands if all(act["act"] != "open" for act in hand["actions"])
    ):
        game = f"2026010{1 + number // 8}{number:04d}"
        for name, rows in rows_of(game, hand).items():
            found[name] += rows
    found["deals"].append(found["deals"][0])  # a deal that is there twice
    last = found["games"][-1]  # a game that was not finished
    last.update(dict.fromkeys(("result", "ended_at", "multiplier"), ""))
    found["balances"] = [row for row in found["balances"] if row["game_id"] != last["game_id"]]
    del found["plays"][-5:]
    found["plays"].append({**found["plays"][-1], "game_id": "20260109999"})  # a play of no game
    return found


def rows_of(game: str, hand: Row) -> dict[str, list[Row]]:
    """The rows of one hand."""
    cards, players, landlord = Suited(hand), hand["players"], hand["landlord"]
    seats = [landlord, (landlord + 1) % 3, (landlord + 2) % 3]
    doubled = {act["seat"]: act["value"] for act in hand["actions"] if act["act"] == "double"}
    deals = [
        {
            "game_id": game, "player_id": players[seat], "player_role": 1 if seat == landlord else 2,
            "hand_cards": ",".join(cards.dealt[seat] + (cards.bottom if seat == landlord else [])),
            "landlord_cards": ",".join(cards.bottom), "doubled": doubled.get(seat, ""),
        }
        for seat in seats
    ]  # fmt: skip
    balances = [
        {
            "game_id": game, "player_id": players[seat], "change_amount": hand["scores"][seat],
            "balance_after": hand["balances"][seat] + hand["scores"][seat], "change_type": "game",
        }
        for seat in range(3)
    ]  # fmt: skip
    won = 1 if hand["scores"][landlord] > 0 else 2
    spring = {"none": 0, "spring": 1, "anti_spring": 2}[hand["spring"]]
    games = {
        "game_id": game, "room": hand["table"][-5:], "landlord_id": players[landlord], "farmer1_id": players[seats[1]],
        "farmer2_id": players[seats[2]], "base_score": hand["room"]["rate"], "double_threshold": hand["room"]["double_threshold"],
        "multiplier": hand["multiplier"], "bomb_count": hand["bombs"], "spring": spring, "result": won,
        "started_at": local(hand["started_at"]), "ended_at": local(hand["ended_at"]) if "ended_at" in hand else "",
    }  # fmt: skip
    return {"games": [games], "deals": deals, "balances": balances, **acts_of(game, hand, cards)}


def acts_of(game: str, hand: Row, cards: Suited) -> dict[str, list[Row]]:
    """The rows of bids and plays; a round begins with every lead."""
    bids: list[Row] = []
    plays: list[Row] = []
    cards.held[hand["landlord"]] += cards.bottom
    number = passes = 0
    for act in hand["actions"]:
        own = {"game_id": game, "player_id": hand["players"][act["seat"]]}
        if act["act"] in BID_TYPES:
            bids.append(
                {**own, "bid_order": len(bids) + 1, "bid_type": BID_TYPES[act["act"]], "bid_score": 0}
            )
        if act["act"] not in ("play", "pass"):
            continue
        if act["act"] == "play" and (passes == 2 or not plays):
            number += 1
        passes = passes + 1 if act["act"] == "pass" else 0
        kind = 3 if act.get("actor") == "autoplay" else 1 if act["act"] == "play" else 2
        played = ",".join(cards.take(act["seat"], act.get("cards", "")))
        plays.append({**own, "round_num": number, "play_order": len(plays) + 1, "play_type": kind, "cards": played, "think_ms": act.get("ms", "")})  # fmt: skip
    return {"bids": bids, "plays": plays}


def write_tables(folder: Path, found: dict[str, list[Row]]) -> None:
    """A CSV file for each table."""
    for name, rows in found.items():
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


def number(card: str) -> int:
    """A card as suit and value in hexadecimal digits."""
    if card in ("BJ", "RJ"):
        return 0x4E if card == "BJ" else 0x4F
    value = card.lstrip(SUITS)
    rank = {"10": 10, "J": 11, "Q": 12, "K": 13, "A": 14, "2": 15}.get(value) or int(value)
    return "♦♣♥♠".index(card[0]) * 16 + rank


def numbers(cards: list[str]) -> list[int]:
    """Cards as numbers."""
    return [number(card) for card in cards]


def events(place: int, hand: Row) -> list[Row]:
    """What was sent to the players of one hand."""
    cards, game = Suited(hand), {"room": hand["table"][-5:]}
    start = round(datetime.fromisoformat(hand["started_at"]).timestamp() * 1000)
    about = {"game": f"g{place:04d}", "first": hand["first"], "time": start, "rate": hand["room"]["rate"], "threshold": hand["room"]["double_threshold"]}  # fmt: skip
    sent = [
        {
            "to": seat, "cmd": "deal",
            "args": {**game, **about, "seat": seat, "uid": hand["players"][seat], "gold": hand["balances"][seat], "cards": numbers(cards.dealt[seat])},
        }
        for seat in range(3)
    ]  # fmt: skip
    decided = False
    for act in hand["actions"]:
        if act["act"] not in AUCTION and not decided and act.get("stage") not in ("start", "deal"):
            decided = True
            told = {**game, "seat": hand["landlord"], "cards": numbers(cards.bottom)}
            sent += to_all("landlord", told)
            cards.held[hand["landlord"]] += cards.bottom
        sent += to_all(*event_of(game, act, cards, robbing=any(each["cmd"] == "call" for each in sent)))
    bills = [
        {"seat": seat, "multiple": hand["multiplier"], "win_gold": hand["scores"][seat], "gold": hand["balances"][seat] + hand["scores"][seat], "tag": ""}
        for seat in range(3)
    ]  # fmt: skip
    return sent + to_all("ping", game) + to_all("gameOver", {**game, "time": start + 60_000, "bills": bills})


def event_of(game: Row, act: Row, cards: Suited, *, robbing: bool) -> tuple[str, Row]:
    """The name and the content of the event of one act."""
    told = {**game, "seat": act["seat"]}
    kind, value = act["act"], act.get("value")
    if kind in ("play", "pass"):
        auto = act.get("actor") == "autoplay"
        return "play", {**told, "cards": numbers(cards.take(act["seat"], act.get("cards", ""))), "auto": auto}
    if kind == "open":
        early = act.get("dealt", 0) <= 6
        return "showCards", {
            **told,
            "multi": {"start": 5, "deal": 4 if early else 3, "bottom": 2}[act["stage"]],
        }
    if kind == "double":
        return "double", {**told, "times": value}
    if kind == "autoplay":
        return "trusteeship", {**told, "on": bool(value)}
    if robbing:
        return "rob", {**told, "rob": kind == "rob"}
    return ("call" if kind == "call" else "notCall"), told


def to_all(kind: str, told: Row) -> list[Row]:
    """An event as it goes to each player."""
    return [{"to": seat, "cmd": kind, "args": told} for seat in range(3)]


def write_events(folder: Path, hands: list[Row]) -> None:
    """A line for each event."""
    found = [event for place, hand in enumerate(hands) for event in events(place, hand)]
    lines = [json.dumps(event, separators=(",", ":")) + "\n" for event in found]
    (folder / "events.jsonl").write_text("".join(lines), "utf-8")


def main(folder: Path) -> None:
    """Write both examples."""
    simulated = hands()
    write_tables(folder / "relational", tables(simulated))
    write_events(folder / "events", simulated[:3])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
