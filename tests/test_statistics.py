"""The statistics of a comparison against slow, plain Python on random hands, and the ones worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ddz_analytics.comparison import Comparison, compare
from ddz_analytics.store.catalog import Connection, connect
from tests.intervals import interval
from tests.small_store import HASH, Row, each, facts, hand, settlement, write_store

HANDS, PLAYERS = 400, 40
ROLES = ("landlord", "landlord_down", "landlord_up")
SETS = ("base", "other")


class Drawn:
    """Random hands under two rule sets: by hand the players, the landlord, the day, the stake and the scores."""

    def __init__(self, seed: int) -> None:
        draw = np.random.default_rng(seed)
        self.landlord = draw.integers(0, 3, HANDS).tolist()
        self.won = (draw.random(HANDS) < 0.5).tolist()
        self.day = draw.integers(1, 6, HANDS).tolist()
        self.players = [draw.choice(PLAYERS, 3, replace=False).tolist() for _ in range(HANDS)]
        self.bid = draw.integers(1, 4, HANDS).tolist()
        self.doublings = draw.geometric(0.5, HANDS).tolist()
        self.autoplay = (draw.random(HANDS) < 0.4).tolist()
        changed = draw.random(HANDS) < 0.3
        extra = np.where(changed, draw.integers(-40, 40, HANDS), 0)
        self.scores: dict[str, list[tuple[int, int, int]]] = {name: [] for name in SETS}
        for place in range(HANDS):
            amount = self.bid[place] * 2 ** min(self.doublings[place], 5) * (1 if self.won[place] else -1)
            for name, more in zip(SETS, (0, int(extra[place])), strict=True):
                house = 1 if name == "other" else 0
                up = -(amount // 2) - more
                self.scores[name].append((amount + more, -amount + amount // 2 - house, up))

    def tables(self) -> dict[str, Any]:
        """The stored tables: seat 0 is not always landlord, and down is on autoplay in some hands."""
        return {
            "hands": [[self._hand(place) for place in range(HANDS)]],
            "facts": [[self._facts(place) for place in range(HANDS)]],
            "settlements": [[self._settled(place, name) for place in range(HANDS)] for name in SETS],
            "rule_sets": [[{"rule_set": name, "rule_hash": HASH, "assumed": False, "parameters": "{}"} for name in SETS]],
        }  # fmt: skip

    def _hand(self, place: int) -> Row:
        names = [f"p{player:02d}" for player in self.players[place]]
        moment = datetime(2026, 1, self.day[place], 12, tzinfo=UTC)
        more = {"match_id": f"m{place % 40}", "table_id": "t", "started_at": moment}
        return {
            **hand(place + 1, self.landlord[place], **more),
            **each("player_{}", names),
            **each("registered_{}", (1, 2, 3)),
        }

    def _facts(self, place: int) -> Row:
        landlord = self.landlord[place]
        winner = landlord if self.won[place] else (landlord + 1) % 3
        return facts(
            place + 1,
            landlord,
            winner,
            down_autoplay=self.autoplay[place],
            down_autoplay_cards=9,
            up_autoplay=False,
        )

    def _settled(self, place: int, name: str) -> Row:
        net = self.scores[name][place]
        found = self.doublings[place]
        stake = self.bid[place] * 2 ** min(found, 3)
        cut = self.bid[place] * 2**found - stake
        return settlement(
            place + 1, name, net, bid=self.bid[place], house_net=-sum(net), house_rake=-sum(net), stake_down=stake, stake_up=stake,
            doublings_uncapped=found, doublings=min(found, 3), cap_bites=cut > 0, cap_amount=2 * cut,
            **each("transfer_{}", net),
        )  # fmt: skip


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    """The random hands."""
    return Drawn(7)


@pytest.fixture(scope="module")
def store(drawn: Drawn, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """They as a store."""
    return write_store(tmp_path_factory.mktemp("drawn") / "store", drawn.tables())


@pytest.fixture(scope="module")
def views(store: Path) -> Iterator[Connection]:
    """The views over them."""
    with connect(store) as connection:
        yield connection


@pytest.fixture(scope="module")
def found(views: Connection) -> Comparison:
    """The one rule set against the other; the first three of a match go on."""
    return compare(views, "base", ["other"], advance=3)


def differences(drawn: Drawn, role: int) -> list[int]:
    """What the role gains in each hand."""
    return [other[role] - base[role] for base, other in zip(*drawn.scores.values(), strict=True)]


def test_roles_agree_with_plain_python(drawn: Drawn, found: Comparison) -> None:
    """Means, spread, percentiles, the worst twentieth and who is better off, role by role; the shares sum to one exactly."""
    for row in found.roles().to_pylist():
        role = ROLES.index(row["role"])
        each_one = sorted(differences(drawn, role))
        mean = sum(each_one) / HANDS
        spread = math.sqrt(sum((value - mean) ** 2 for value in each_one) / (HANDS - 1))
        assert float(row["mean_difference"]) == pytest.approx(mean, abs=1e-4)
        assert float(row["sd_difference"]) == pytest.approx(spread, abs=1e-4)
        assert float(row["mean_baseline"]) == pytest.approx(
            sum(score[role] for score in drawn.scores["base"]) / HANDS, abs=1e-4
        )
        for percent in (1, 5, 25, 50, 75, 95, 99):
            assert row[f"p{percent}"] == each_one[math.ceil(percent / 100 * HANDS) - 1], percent
        worst = each_one[: math.ceil(HANDS / 20)]
        assert float(row["worst_twentieth"]) == pytest.approx(sum(worst) / len(worst), abs=1e-4)
        assert (row["largest_loss"], row["largest_gain"]) == (each_one[0], each_one[-1])
        better = sum(value > 0 for value in each_one)
        assert float(row["share_better"]) == pytest.approx(better / HANDS, abs=1e-4)
        assert row["share_better"] + row["share_worse"] + row["share_same"] == 1


def test_bands_break_even_and_distribution_agree(drawn: Drawn, found: Comparison) -> None:
    """The five bands, the break-even line of the landlord, and the steps of his scores, each counted hand by hand."""
    for row in found.bands().to_pylist():
        role = ROLES.index(row["role"])
        in_stakes = list(zip(differences(drawn, role), drawn.bid, strict=True))
        assert row["loses_over_16"] == sum(value < -16 * stake for value, stake in in_stakes)
        assert row["loses"] == sum(-16 * stake <= value < 0 for value, stake in in_stakes)
        assert row["same"] == sum(value == 0 for value, _ in in_stakes)
        assert row["gains_over_16"] == sum(value > 16 * stake for value, stake in in_stakes)
    (line,) = found.break_even().to_pylist()
    mine = [score[0] for score in drawn.scores["base"]]
    won = [score for score, winner in zip(mine, drawn.won, strict=True) if winner]
    lost = [score for score, winner in zip(mine, drawn.won, strict=True) if not winner]
    mean = sum(differences(drawn, 0)) / HANDS
    expected = -mean / (sum(won) / len(won) - sum(lost) / len(lost))
    assert float(line["break_even"]) == pytest.approx(expected, abs=1e-4)
    steps = {
        row["step"]: row["baseline"] for row in found.distribution().to_pylist() if row["role"] == "landlord"
    }
    assert steps[4] == sum(4 <= score < 8 for score in mine)
    assert steps[-4] == sum(-8 < score <= -4 for score in mine)


def test_groups_are_those_of_the_baseline(drawn: Drawn, found: Comparison) -> None:
    """Deciles of the stake take equal stakes together, volumes count a player's hands; means are of the seats in each."""
    stakes = sorted(drawn.bid)
    decile = {stake: 1 + 10 * stakes.index(stake) // HANDS for stake in set(stakes)}
    shown = {(row["value"], row["role"]): row for row in found.groups("stake_decile").to_pylist()}
    for stake, value in decile.items():
        mine = [gain for gain, bid in zip(differences(drawn, 0), drawn.bid, strict=True) if bid == stake]
        row = shown[str(value), "landlord"]
        assert (row["hands"], row["total_difference"]) == (len(mine), sum(mine))
        assert (row["least_stake"], row["most_stake"]) == (stake, stake)
    played = {player: sum(player in names for names in drawn.players) for player in range(PLAYERS)}
    shown = {(row["value"], row["role"]): row for row in found.groups("player_volume").to_pylist()}
    often = [
        names[landlord]
        for names, landlord in zip(drawn.players, drawn.landlord, strict=True)
        if 10 <= played[names[landlord]] < 100
    ]
    assert shown["10-99", "landlord"]["hands"] == len(often)


def test_days_and_totals_agree(drawn: Drawn, found: Comparison) -> None:
    """What winners win and the house takes on each day, before and after, and the same over all days."""
    (whole,) = found.changed().to_pylist()
    for row in found.days().to_pylist():
        mine = [place for place in range(HANDS) if drawn.day[place] == row["local_day"].day]
        for side, name in zip(("baseline", "other"), SETS, strict=True):
            scores = [drawn.scores[name][place] for place in mine]
            assert row[f"moved_{side}"] == sum(max(score, 0) for each_one in scores for score in each_one)
            assert row[f"house_{side}"] == -sum(sum(each_one) for each_one in scores)
    assert whole["days"] == len(set(drawn.day))
    assert whole["house_other"] == -sum(sum(score) for score in drawn.scores["other"])
    assert sum(row["unbalanced"] for row in found.house().to_pylist()) == 0


def test_last_doubling_is_worth_half_below_the_cap_and_nothing_above(drawn: Drawn, found: Comparison) -> None:
    """A cap of three doublings: one to three doublings are worth half of what is played for, a fourth nothing."""
    for row in found.caps().to_pylist():
        hands = [
            bid for bid, number in zip(drawn.bid, drawn.doublings, strict=True) if number == row["doublings"]
        ]
        assert row["hands"] == len(hands)
        worth = 2 * sum(hands) / len(hands) * 2 ** (row["doublings"] - 1) if row["doublings"] <= 3 else 0
        assert float(row["last_doubling"]) == pytest.approx(worth, abs=1e-4)


def test_gini_agrees_with_all_pairs(drawn: Drawn, found: Comparison) -> None:
    """Gini's coefficient is the mean distance of all pairs over twice the mean."""
    stakes = np.array(
        [2 * bid * 2 ** min(number, 3) for bid, number in zip(drawn.bid, drawn.doublings, strict=True)]
    )
    expected = np.abs(stakes[:, None] - stakes[None, :]).mean() / (2 * stakes.mean())
    rows = [row for row in found.gini().to_pylist() if row["quantity"] == "stake"]
    assert [float(row["gini"]) for row in rows] == [pytest.approx(expected, abs=1e-4)] * 2


def test_losses_on_autoplay_have_the_interval_of_their_clusters(drawn: Drawn, found: Comparison) -> None:
    """The mean of the autoplayer's lost hands, and Hall's interval over the matches that they belong to."""
    rows = {(row["rule_set"], row["status"]): row for row in found.autoplay_losses().to_pylist()}
    clusters: dict[str, list[float]] = {}
    for place in range(HANDS):
        if drawn.autoplay[place] and drawn.won[place]:
            clusters.setdefault(f"m{place % 40}", []).append(float(drawn.scores["base"][place][1]))
    row = rows["base", "autoplay"]
    every = [score for scores in clusters.values() for score in scores]
    assert (row["seats"], row["clusters"]) == (len(every), len(clusters))
    assert float(row["mean"]) == pytest.approx(sum(every) / len(every), abs=1e-4)
    low, high = interval(clusters)
    assert float(row["low"]) == pytest.approx(low, abs=2e-3)
    assert float(row["high"]) == pytest.approx(high, abs=2e-3)


def test_orders_of_matches_agree_with_counting_pairs(found: Comparison, views: Connection) -> None:
    """Kendall's tau-b pair by pair, places that change, and who goes on only under one of the two."""
    rows = views.sql("SELECT rule_set, match_id, player, rank, last_place FROM standings").fetchall()
    ranks: dict[str, dict[str, dict[str, tuple[int, int]]]] = {}
    for name, match, player, rank, last in rows:
        ranks.setdefault(match, {}).setdefault(name, {})[player] = (rank, last)
    moved = 0
    for row in found.standings().to_pylist():
        base, other = (ranks[row["match_id"]][name] for name in SETS)
        pairs = [(base[a][0] - base[b][0], other[a][0] - other[b][0]) for a, b in combinations(base, 2)]
        signs = sum(np.sign(one) * np.sign(two) for one, two in pairs)
        apart = sum(one != 0 for one, _ in pairs) * sum(two != 0 for _, two in pairs)
        assert float(row["tau_b"]) == pytest.approx(signs / math.sqrt(apart), abs=1e-4)
        assert row["moved"] == sum(base[player][0] != other[player][0] for player in base)
        on = [{player for player, (_, last) in side.items() if last <= 3} for side in (base, other)]
        out = [{player for player, (rank, _) in side.items() if rank > 3} for side in (base, other)]
        assert (row["only_baseline"], row["only_other"]) == (len(on[0] & out[1]), len(out[0] & on[1]))
        moved += row["moved"]
    assert 0 < moved < len(rows)
    first, *_ = found.moves(3).to_pylist()
    assert first["advanced_baseline"] is not first["advanced_other"]
    assert first["moved"] == first["rank_baseline"] - first["rank_other"]


def test_amounts_that_can_be_negative_have_no_gini(tmp_path: Path) -> None:
    """A seat that owes something makes its rule set's balances say how many are negative instead."""
    tables = Drawn(1).tables()
    for row in tables["settlements"][0]:
        row |= {"balance_landlord": 1, "balance_down": 50, "balance_up": 50}
    with connect(write_store(tmp_path / "store", tables)) as connection:
        rows = compare(connection, "base", ["other"]).gini().to_pylist()
    shown = {(row["rule_set"], row["quantity"]): row for row in rows}
    assert shown["base", "balance_before"]["gini"] == Decimal("0.3234")  # a third has 1, two thirds 50 each
    assert (shown["base", "balance_after"]["gini"], shown["base", "balance_after"]["negative"] > 0) == (
        None,
        True,
    )
