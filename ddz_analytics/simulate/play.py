"""The play of one hand, from the landlord's first lead until a seat is out."""

from __future__ import annotations

from ddz_analytics.simulate.acts import PLAY, Acts
from ddz_analytics.simulate.autoplay import Episode
from ddz_analytics.simulate.parts import NO_PART, Part, as_meant, as_read
from ddz_analytics.simulate.seats import Player, System

NO_LIMIT = 1_000  # turns; no hand is as long
_NEXT = (1, 2, 0)


def play_out(
    seats: list[Player | System], landlord: int, acts: Acts, episodes: list[Episode], turns: int
) -> bool:
    """Says the plays and passes of at most so many turns; whether a seat went out.

    A play that has two readings and was led may be followed under the second, which the log then shows to have been meant.
    """
    out = acts.out
    seat = top_seat = landlord
    top, led = NO_PART, False
    for _ in range(turns):
        player = seats[seat]
        if episodes:
            player = seats[seat] = _who_acts(episodes, seat, player, acts)
        if top_seat == seat:
            chosen: Part | None = player.lead()
            led = True
        else:
            chosen = player.follow(top, seats[top_seat])
            if chosen is None and led and top.other:
                chosen = player.follow(as_meant(top), seats[top_seat])
            elif chosen is not None:
                chosen = as_read(chosen, top)
            led = led and chosen is None
        if chosen is None:
            out.append(player.passes())
        else:
            out.append(f'{PLAY[seat]}{chosen.text}"{player.end()}')
            if not player.left:
                return True
            top, top_seat = chosen, seat
        seat = _NEXT[seat]
    return False


def _who_acts(episodes: list[Episode], seat: int, player: Player | System, acts: Acts) -> Player | System:
    for episode in episodes:
        if episode.seat == seat:
            player = episode.turn(player, acts)
    return player
