"""Pseudonyms (去标识化) for the ids of players: a keyed hash, the same for the same player in every file and store.

A pseudonym is `p` and the first 24 hex digits of the HMAC-SHA-256 of the id in UTF-8 under the bytes of the key file. Whoever has
the key can tell whose it is by trying ids, so the result is personal data still: pseudonymous, not anonymous.

Where a hand's table, match, id, kinds or sent texts name one of its players, the pseudonym stands there too. Fields of the log's
own (`_…`) can hold anything, and are left out. A rejected record is kept without its bytes and detail, which cannot be searched
reliably for ids because the record is broken; a keyed digest of the bytes lets the owner of the log and key find it again.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from pathlib import Path

from msgspec import UNSET, structs

from ddz_analytics.errors import UsageError
from ddz_analytics.hands import Hand, Rejected
from ddz_analytics.names import pattern_of, replacing
from ddz_analytics.settings import read_settings

DIGITS = 24  # 96 bits: no two of a billion players meet by chance
SHORTEST_KEY = 16  # bytes
SHORTEST_NAME = (
    3  # bytes of an id that is looked for in other texts: what is shorter is too often something else
)
_COST = 1 << 14


@dataclass(frozen=True)
class Pseudonyms:
    """The pseudonyms under one key."""

    key: bytes

    def of(self, player: str) -> str:
        """The pseudonym of a player; who has no name gets none."""
        return "p" + self._digest(player.encode("utf-8", "surrogatepass"))[:DIGITS] if player else ""

    def mask(self, hand: Hand) -> Hand:
        """The hand with pseudonyms for its players, wherever it names them, and without fields of the log's own."""
        names = {player: self.of(player) for player in hand.players}
        first, second, third = (names[player] for player in hand.players)
        masked = structs.replace(hand, players=(first, second, third), extra=UNSET)
        long = {player: name for player, name in names.items() if len(player.encode()) >= SHORTEST_NAME}
        if _names_any(hand, long):
            _replace_texts(masked, long)
        return masked

    def mask_rejected(self, record: Rejected) -> Rejected:
        """The rejected record without what it says, and with a digest in the place of it."""
        digest = self._digest(record.raw)[:32]
        detail = f"{len(record.raw)} bytes, not kept because players are under pseudonyms; digest {digest}"
        return Rejected(record.line, record.code, detail, b"")

    def check_value(self) -> str:
        """What tells, with another salt each time, whether a key is this one; slow to try keys against."""
        return _check_value(self.key, secrets.token_hex(16))

    def is_checked_by(self, value: str) -> bool:
        """Whether a check value was made with this key."""
        return hmac.compare_digest(_check_value(self.key, value.split(":")[1]), value)

    def _digest(self, content: bytes) -> str:
        return hmac.new(self.key, content, hashlib.sha256).hexdigest()


def read_key(path: Path) -> Pseudonyms:
    """The pseudonyms under the key in a file (its bytes without the line end); raises UsageError `path_missing`, `key_short`, `settings_file`."""
    try:
        key = read_settings(path).rstrip(b"\r\n")
    except OSError as error:
        what = f"the key file cannot be read: {error.strerror}"
        raise UsageError("path_missing", what, where=str(path)) from error
    if len(key) < SHORTEST_KEY:
        mend = f"give at least {SHORTEST_KEY} random bytes: head -c 32 /dev/urandom | base64 > KEYFILE"
        raise UsageError("key_short", f"a key of {len(key)} bytes can be guessed", where=str(path), mend=mend)
    return Pseudonyms(key)


def is_open_to_others(path: Path) -> bool:
    """Whether anybody but its owner may read or write a key file."""
    return path.is_file() and bool(path.stat().st_mode & 0o077)


def _check_value(key: bytes, salt: str) -> str:
    made = hashlib.scrypt(key, salt=bytes.fromhex(salt), n=_COST, r=8, p=1, dklen=16)
    return f"scrypt:{salt}:{made.hex()}"


def _names_any(hand: Hand, names: dict[str, str]) -> bool:
    """Whether any text of a hand could name one of its players."""
    texts = [hand.id, hand.table, hand.match, *(() if hand.kinds is UNSET else hand.kinds)]
    texts += [act.sent for act in hand.actions if act.sent is not UNSET]
    return any(name in text for text in texts if isinstance(text, str) for name in names)


def _replace_texts(hand: Hand, names: dict[str, str]) -> None:
    replace = replacing(names)
    hand.id = replace(hand.id)
    hand.table = hand.table if hand.table is UNSET else replace(hand.table)
    hand.match = hand.match if hand.match is UNSET else replace(hand.match)
    if hand.kinds is not UNSET:
        first, second, third = map(replace, hand.kinds)
        hand.kinds = (first, second, third)
    pattern = pattern_of(names)
    hand.actions = [
        structs.replace(act, sent=replace(act.sent))
        if act.sent is not UNSET and pattern.search(act.sent)
        else act
        for act in hand.actions
    ]
