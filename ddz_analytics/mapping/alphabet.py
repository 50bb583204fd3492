"""Cards in the words of an operator's log, turned into card text of `ddz/1`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import UNSET

from ddz_analytics.errors import BadRecord, UsageError
from ddz_analytics.mapping.spec import Cards, Numbers

RANKS, JOKERS = "3456789TJQKA2", "BR"
_REMEMBERED = 200_000  # texts; a play of few cards comes again and again


class Alphabet:
    """Every word that stands for a card; raises UsageError `mapping_value` where two cards have one word, or none has."""

    def __init__(self, spec: Cards) -> None:
        self._strip, self._separator, self._hex = spec.strip, spec.separator, spec.hex
        self._words: dict[str, str] = {}
        for word, card in _numbered(spec.numbers) if spec.numbers is not UNSET else _spelt(spec):
            if self._words.setdefault(word, card) != card:
                raise _refused(f"the word {word!r} stands for {self._words[word]} and for {card}")
        by_suit = spec.numbers is not UNSET or bool(spec.suits)
        if missing := _without_word(set(self._words.values()), "SHCD" if by_suit else ""):
            raise _refused(f"no word stands for {missing}: every card needs one")
        self._between = " " if by_suit else ""
        longest_first = sorted(map(re.escape, self._words), key=len, reverse=True)
        self._word = re.compile("|".join(longest_first) + "|.", re.DOTALL)
        self._seen: dict[str, str] = {}

    def cards(self, text: str) -> str:
        """The cards of a text, empty if it has none; raises BadRecord `bad_cards` for a word that is no card."""
        found = self._seen.get(text)
        if found is None:
            found = self._read(self._cut(text))
            if len(self._seen) < _REMEMBERED:
                self._seen[text] = found
        return found

    def listed(self, cards: list[object]) -> str:
        """The cards of a JSON list of texts or numbers; raises BadRecord `bad_cards`."""
        return self._read([self._word_of(card) for card in cards])

    def without(self, hand: str, bottom: str) -> str:
        """A hand without the bottom cards, every one of which is in it; raises BadRecord `bad_cards`."""
        left = hand.split() if self._between else list(hand)
        for card in bottom.split() if self._between else bottom:
            if card not in left:
                raise BadRecord("bad_cards", f"the bottom card {card} is not in the landlord's hand")
            left.remove(card)
        return self._between.join(left)

    def _word_of(self, card: object) -> str:
        if isinstance(card, int) and not isinstance(card, bool):
            return f"0x{card:02x}" if self._hex else str(card)
        return card.strip(self._strip) if isinstance(card, str) else repr(card)

    def _cut(self, text: str) -> list[str]:
        text = text.strip(self._strip)
        if not text:
            return []
        if self._separator:
            return [word.strip(self._strip) for word in text.split(self._separator)]
        return self._word.findall(text)

    def _read(self, words: list[str]) -> str:
        try:
            return self._between.join([self._words[word] for word in words])
        except KeyError as error:
            raise BadRecord("bad_cards", f"{error.args[0][:20]!r} is no card") from None


def _without_word(cards: set[str], suits: str) -> str:
    """The suits, ranks, jokers and cards that no word stands for, empty if there are none."""
    spelt = {suit + rank: (suit, rank) for suit in suits or [""] for rank in RANKS}
    missing = [card for card in spelt if card not in cards]
    gone = [
        (
            name,
            [letter for letter in letters if all(card in missing for card in spelt if letter in spelt[card])],
        )
        for name, letters in (("the suits", suits), ("the ranks", RANKS))
    ]
    gone += [("the jokers", [joker for joker in JOKERS if joker not in cards])]
    told = {letter for _, letters in gone for letter in letters}
    gone += [("the cards", [card for card in missing if told.isdisjoint(spelt[card])])]
    return ", ".join(f"{name} {' '.join(letters)}" for name, letters in gone if letters)


def _spelt(spec: Cards) -> Iterator[tuple[str, str]]:
    for word, rank in spec.ranks.items():
        if rank not in RANKS or len(rank) > 1:
            raise _refused(f"the rank {rank!r} is none of {RANKS}")
        if not spec.suits:
            yield word, rank
        for before, suit in spec.suits.items():
            yield (before + word if spec.order == "suit-rank" else word + before), suit + rank
    yield from spec.jokers.items()


def _numbered(numbers: Numbers) -> Iterator[tuple[str, str]]:
    if sorted(numbers.ranks) != sorted(RANKS) or sorted(numbers.suits) != sorted("SHCD"):
        raise _refused(f"`ranks` are not the letters {RANKS}, or `suits` not those of SHCD, each once")
    for rank_at, rank in enumerate(numbers.ranks):
        for suit_at, suit in enumerate(numbers.suits):
            place = 4 * rank_at + suit_at if numbers.within == "rank" else 13 * suit_at + rank_at
            yield str(numbers.first + place), suit + rank
    yield str(numbers.small_joker), "B"
    yield str(numbers.big_joker), "R"


def _refused(what: str) -> UsageError:
    return UsageError("mapping_value", what, where="[cards]")
