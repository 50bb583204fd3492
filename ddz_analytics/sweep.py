"""A sweep: what many rule sets make of the same hands in all, on distinct facts and without storing a score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.columns import Flags, Ints, ints
from ddz_analytics.distinct import Outcome, Read, distinct
from ddz_analytics.errors import StoreError
from ddz_analytics.hands import SCALE
from ddz_analytics.replay import REPLAY_VERSION
from ddz_analytics.rules import RuleSet
from ddz_analytics.store.manifest import load_manifest
from ddz_analytics.store.parts import read_part

_FITS = 2.0**62
_ON_AUTOPLAY = "on_autoplay"  # which peasant alone is, when the hand ends
_NOBODY, _DOWN, _UP = range(3)
_MEAN, _SUM = pa.decimal128(38, 2), pa.decimal128(38, 4)

# grain: one row per rule set; columns as in the overview of a comparison, two beside the baseline, and what a peasant on autoplay
# at the end of a hand and his partner get, where the two are not both on it
SWEPT = pa.schema(
    [
        ("rule_set", pa.string()), ("rule_hash", pa.string()),
        *((name, pa.int64()) for name in ("exact", "projected", "undefined", "changed_hands")),
        ("landlord_mean", _MEAN), ("landlord_change", _MEAN), ("peasant_mean", _MEAN), ("largest", pa.decimal128(18, 4)),
        ("capped_hands", pa.int64()), ("liability_moved", _SUM), ("autoplay_mean", _MEAN), ("partner_mean", _MEAN),
        ("house", _SUM),
    ]
)  # fmt: skip


def facts_of(store: Path, hands: pa.Array | None = None) -> Read:
    """A way to read some columns of a store's facts part by part, of all hands or of those whose ids are given.

    Raises what `load_manifest` and `read_part` raise, and StoreError `facts_outdated`.
    """
    manifest = load_manifest(store)
    if any(part.replay_version != REPLAY_VERSION for part in manifest.facts):
        what = "the hands were replayed by an older version"
        raise StoreError("facts_outdated", what, where=str(store), mend="run `ddz rescore` first")
    paths = manifest.files()["facts"]

    def read(columns: Sequence[str]) -> Iterator[pa.Table]:
        for path in paths:
            table = read_part(store / path, columns)
            yield table if hands is None else table.filter(pc.is_in(table["hand_id"], value_set=hands))

    return read


def sweep(read: Read, baseline: RuleSet, others: Sequence[RuleSet]) -> pa.Table:
    """One row for the baseline and one for each other rule set: schema SWEPT, amounts exact but for the two decimals of means.

    Hands that are undefined under the baseline or the other are left out of `changed_hands` and `landlord_change`.
    """
    facts = distinct(_telling_autoplay(read), (baseline, *others), [_ON_AUTOPLAY])
    hands, on_autoplay = facts.hands, ints(facts.table[_ON_AUTOPLAY])
    has_landlord = np.asarray(facts.table["landlord_seat"].is_valid(), dtype=bool)
    base = facts.outcome(baseline)
    rows = []
    for rules in (baseline, *others):
        found = base if rules is baseline else facts.outcome(rules)
        rows.append(
            {"rule_set": rules.id, "rule_hash": rules.rule_hash}
            | _alone(found, hands, has_landlord)
            | _beside(base, found, hands, has_landlord)
            | _autoplay(found, hands, np.where(has_landlord, on_autoplay, _NOBODY))
        )
    return pa.Table.from_pylist(rows, schema=SWEPT)


def _telling_autoplay(read: Read) -> Read:
    """Reads the same, and a column that says which peasant alone is on autoplay when the hand ends."""
    flags = ("down_autoplay", "up_autoplay")

    def reading(columns: Sequence[str]) -> Iterator[pa.Table]:
        wanted = sorted({*columns, *flags} - {_ON_AUTOPLAY})
        for table in read(wanted):
            down, up = (np.asarray(pc.fill_null(table[flag], fill_value=False), dtype=bool) for flag in flags)
            told = np.where(down & ~up, _DOWN, np.where(up & ~down, _UP, _NOBODY))
            yield table.append_column(_ON_AUTOPLAY, pa.array(told))

    return reading


def differs(one: Outcome, other: Outcome) -> Flags:
    """Rows that both score, and some seat or the house has another score."""
    found = one.scored & other.scored
    apart = np.zeros_like(found)
    for mine, theirs in zip(one.net, other.net, strict=True):
        apart |= mine != theirs
    return found & apart


def unlike(one: Outcome, other: Outcome) -> Flags:
    """Rows that both score, and differently, or that only one of them scores."""
    found: Flags = differs(one, other) | (one.scored != other.scored)
    return found


def weighted(values: Ints, hands: Ints) -> int:
    """The exact sum of a value of each row over the hands that it stands for."""
    if float(np.abs(values).max(initial=0)) * float(hands.sum()) < _FITS:
        return int(values @ hands)
    return sum(value * number for value, number in zip(values.tolist(), hands.tolist(), strict=True))


def _alone(found: Outcome, hands: Ints, has_landlord: Flags) -> dict[str, Any]:
    counted = np.where(has_landlord & found.scored, hands, 0)
    number = int(counted.sum())
    projected, undefined = int(hands[found.projected].sum()), int(hands[~found.scored].sum())
    return {
        "exact": int(hands.sum()) - projected - undefined,
        "projected": projected,
        "undefined": undefined,
        "landlord_mean": _mean(weighted(found.net.landlord, counted), number),
        "peasant_mean": _mean(
            weighted(found.net.down, counted) + weighted(found.net.up, counted), 2 * number
        ),
        "largest": points(int(np.max([np.abs(party) for party in found.net[:3]], initial=0))),
        "capped_hands": int(hands[found.capped].sum()),
        "liability_moved": points(weighted(found.liability, hands)),
        "house": points(weighted(found.net.house, hands)),
    }


def _beside(base: Outcome, found: Outcome, hands: Ints, has_landlord: Flags) -> dict[str, Any]:
    paired = np.where(has_landlord & base.scored & found.scored, hands, 0)
    gained = weighted(found.net.landlord, paired) - weighted(base.net.landlord, paired)
    return {
        "changed_hands": int(hands[differs(base, found)].sum()),
        "landlord_change": _mean(gained, int(paired.sum())),
    }


def _autoplay(found: Outcome, hands: Ints, on_autoplay: Ints) -> dict[str, Any]:
    down, up = (np.where(found.scored & (on_autoplay == seat), hands, 0) for seat in (_DOWN, _UP))
    number = int(down.sum() + up.sum())
    net = found.net
    return {
        "autoplay_mean": _mean(weighted(net.down, down) + weighted(net.up, up), number),
        "partner_mean": _mean(weighted(net.up, down) + weighted(net.down, up), number),
    }


def points(value: int) -> Decimal:
    """Points from counts of 1/10,000."""
    return Decimal(value).scaleb(-4)


def _mean(total: int, number: int) -> Decimal | None:
    if number == 0:
        return None
    return (Decimal(total) / (SCALE * number)).quantize(Decimal("0.01"), ROUND_HALF_UP)
