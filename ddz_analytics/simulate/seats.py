"""Who plays a seat: its player, from the split of the hand, or the system, as autoplay does."""

from __future__ import annotations

from dataclasses import dataclass

from ddz_analytics.cards import RANKS
from ddz_analytics.simulate.acts import BY_SYSTEM, PASS, Text
from ddz_analytics.simulate.parts import BOMB, BOMBS, SINGLE, Part, held_in, part
from ddz_analytics.simulate.split import Draw, Split, split
from ddz_analytics.simulate.wilds import Wild, split_with_wilds

_HIGH = RANKS.index("Q")  # a partner's play from here on, or of so many cards, is left to stand
_LONG = 5
_NEAR_END = 7  # cards of the one to beat, or of one's own; then bombs are played
_BOMBS_EARLY = 0.12  # how often a bomb is played before that
_SIZE_MATTERS = (1.0, 1.5, 2.5)  # how many ranks one more card is worth in the order of leads, by taste
_LAST = -100.0  # where bombs stand in that order


@dataclass(frozen=True, slots=True)
class Chair:
    """What a seat brings to who plays it: its number, its side, how its acts by hand end and its passes read, luck, wild cards."""

    seat: int
    peasant: bool
    end: Text
    passes: Text
    draw: Draw
    wild: Wild | None = None

    def split(self, hand: str) -> Split:
        """Splits a hand into the combinations that its player means to play."""
        if self.wild is None:
            return split(held_in(hand), self.draw)
        return split_with_wilds(hand, self.wild, self.draw)


class Player:
    """A seat played by hand: the parts of its split that are still held, by form and from low to high; `left` cards in all.

    A gift is the part of a stacked deal; it is led as soon as the seat leads.
    """

    __slots__ = ("_armed", "_forms", "_gift", "_weight", "chair", "end", "left", "passes", "peasant")

    def __init__(self, forms: Split, left: int, chair: Chair, gift: Part | None = None) -> None:
        """A gift must be among the forms."""
        self._forms, self.left, self.chair, self._gift = forms, left, chair, gift
        self._armed = not forms.keys().isdisjoint(BOMBS)
        self._weight = _SIZE_MATTERS[int(chair.draw() * len(_SIZE_MATTERS))]
        self.peasant, self.end, self.passes = chair.peasant, chair.end, chair.passes

    def hand(self) -> str:
        """The cards held, from low to high."""
        letters = "".join(each.text for parts in self._forms.values() for each in parts)
        return "".join(sorted(letters, key=RANKS.index))

    def lead(self) -> Part:
        """Plays a low part of many cards before a high one of few, bombs at the end."""
        if self._gift is not None:
            return self._play(self._gift)
        weight = self._weight
        best: Part | None = None
        highest = 2 * _LAST
        for same in self._forms.values():
            first = same[0]
            value = weight * first.size - first.main if first.form < BOMB else _LAST
            if value > highest:
                best, highest = first, value
        assert best is not None, "who is out does not lead"
        return self._play(best)

    def follow(self, top: Part, by: Player | System) -> Part | None:
        """Plays the smallest part that beats the play on top, made by another seat; None passes."""
        same = self._forms.get(top.form)
        if same and same[-1].main > top.main:
            for chosen in same:
                if chosen.main > top.main:
                    break
            if (
                by.peasant
                and self.peasant
                and (top.main >= _HIGH or top.size >= _LONG)
                and chosen.size < self.left
            ):
                return None
            return self._play(chosen)
        if self._armed and not (by.peasant and self.peasant):
            return self._bomb(top, by.left)
        return None

    def _bomb(self, top: Part, foe_left: int) -> Part | None:
        bombs = next((self._forms[form] for form in BOMBS if form > top.form and form in self._forms), None)
        if bombs is None:
            return None
        if foe_left <= _NEAR_END or self.left <= _NEAR_END or self.chair.draw() < _BOMBS_EARLY:
            return self._play(bombs[0])
        return None

    def _play(self, chosen: Part) -> Part:
        same = self._forms[chosen.form]
        same.remove(chosen)
        if not same:
            del self._forms[chosen.form]
        if chosen is self._gift:
            self._gift = None
        self.left -= chosen.size
        return chosen


class System:
    """A seat on autoplay: it leads the smallest single, and follows only with its last card, if that beats."""

    __slots__ = ("_end", "_follows", "_hand", "chair", "left", "peasant")

    def __init__(self, hand: str, end: str, chair: Chair, *, follows_with_last: bool) -> None:
        """`hand` from low to high; `end` is how the text of the first act ends."""
        self._hand, self._end, self._follows = hand, end, follows_with_last
        self.left, self.chair, self.peasant = len(hand), chair, chair.peasant

    def hand(self) -> str:
        """The cards held, from low to high."""
        return self._hand

    def end(self) -> str:
        """How the text of this seat's act ends; only the act that began the autoplay can be a timeout."""
        end, self._end = self._end, BY_SYSTEM
        return end

    def passes(self) -> str:
        """The text of a pass."""
        return PASS[self.chair.seat] + self.end()

    def lead(self) -> Part:
        """Plays the smallest card."""
        chosen = part(1 << RANKS.index(self._hand[0]), 1)
        self._hand = self._hand[1:]
        self.left -= 1
        return chosen

    def follow(self, top: Part, by: Player | System) -> Part | None:
        """Plays the last card, if it is the last, beats, and the time for it did not just run out; partner or foe alike."""
        del by
        able = self._follows and self.left == 1 and self._end is BY_SYSTEM
        if able and top.form == SINGLE and RANKS.index(self._hand) > top.main:
            return self.lead()
        return None
