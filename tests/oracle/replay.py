"""Replay one ddz/1 hand: what was played, what followed from it, and every rule that was broken."""

from __future__ import annotations

from .auction import SPEAKING, Auction, auction_kind, is_decline
from .autoplay import Autoplay, deviates, is_timeout
from .before_play import Setup, offers
from .cards import is_suited, parse_cards, ranks_of
from .facts import result_of
from .names import Act, Document, Issue, Row, Rules
from .play import Table
from .rulesets import DEFAULTS, complete

STATE_ACTS = ("autoplay", "disconnect", "reconnect", "escape")


def replay(doc: Document, rules: Rules | None) -> Row:
    """The facts, plays, episodes and issues of one hand; `rules` is the recorded rule set (flat) or None."""
    return Replay(doc, rules).run()


class Replay:
    """One hand, act by act."""

    def __init__(self, doc: Document, rules: Rules | None) -> None:
        self.doc = doc
        self.acts: list[Act] = doc["actions"]
        self.known = rules is not None
        self.rules = dict(DEFAULTS) if rules is None else complete(rules)
        self.landlord: int | None = doc["landlord"]
        self.issues: list[Issue] = []
        self.kind = auction_kind(doc, rules)
        self.auction = Auction(doc, self.kind, self.rules)
        self.setup = Setup(self.landlord, self.rules, known=self.known)
        self.table = Table(doc, self.rules, suited=is_suited(doc))
        self.autoplay = [Autoplay(seat, self.rules) for seat in range(3)]
        self.phase = 0
        self.end_index: int | None = None
        self.escape: Row | None = None
        self.last_before_bottom = max(
            (i for i, act in enumerate(self.acts) if self._precedes_bottom(act)), default=-1
        )

    @staticmethod
    def _precedes_bottom(act: Act) -> bool:
        return act["act"] in SPEAKING or (act["act"] == "open" and act["stage"] != "bottom")

    def note(self, code: str, index: int | None = None, seat: int | None = None) -> None:
        """Record a note."""
        self.issues.append((code, "note", index, seat))

    def error(self, code: str, index: int | None = None, seat: int | None = None) -> None:
        """Record an error."""
        self.issues.append((code, "error", index, seat))

    def auction_fault(self, code: str, index: int | None = None, seat: int | None = None) -> None:
        """An auction fault is an error where the recorded rules are known, else a note."""
        self.issues.append((code, "error" if self.known else "note", index, seat))

    def run(self) -> Row:
        """Replay the whole hand."""
        if self.doc.get("rules") is not None and not self.known:
            self.note("unknown_rules")
        for index, act in enumerate(self.acts):
            if index > self.last_before_bottom or act["act"] in ("play", "pass"):
                self.table.take_bottom()
            self.one_act(index, act)
        self.table.take_bottom()
        self.finish_autoplay()
        self.check_kicks()
        self.check_auction_result()
        self.check_outcome()
        self.issues += self.setup.issues + self.table.issues
        self.issues += self.auction_issues()
        return result_of(self)

    def auction_issues(self) -> list[Issue]:
        """The auction's faults with their severity."""
        severity = "error" if self.known else "note"
        return [(code, severity, index, seat) for code, index, seat in self.auction.issues]

    # One act.

    def one_act(self, index: int, act: Act) -> None:
        """Dispatch one act."""
        name, seat = act["act"], act["seat"]
        if self.ended():
            if name in STATE_ACTS:
                self.note("state_after_end", index, seat)
            else:
                self.error("after_end", index, seat)
        elif name in STATE_ACTS:
            self.state_act(index, act)
        elif name in ("play", "pass"):
            self.card_act(index, act)
        elif self.table.begun:
            self.error("act_during_play", index, seat)
        else:
            self.setup_act(index, act)

    def ended(self) -> bool:
        """Somebody went out, or the escape of an escaped hand has happened."""
        return self.table.winner is not None or self.escape is not None

    def state_act(self, index: int, act: Act) -> None:
        """Autoplay, disconnection, reconnection, escape."""
        seat = act["seat"]
        if act["act"] != "escape" or self.doc["outcome"] == "complete":
            self.autoplay[seat].state_act(index, act, self.table.cards_left(seat))
        elif self.doc["outcome"] == "escaped":
            self.escape = {"seat": seat, "stage": self.escape_stage()}
            self.end_index = index

    def escape_stage(self) -> str:
        """Where in the hand an escape happens now."""
        auction, nobody = self.auction, self.auction.winning() is None
        if nobody and self.landlord is None and not self.table.begun:
            return "before_any_bid"  # also when all have declined and the auction is over (qq Q22)
        # Somebody is landlord: the auction is over, though without the room's high bid nothing else shows it.
        by_log = self.landlord is not None and not nobody and auction.kind == "room" and auction.high is None
        if self.table.begun or not auction.acts or auction.over or by_log:
            return "play"
        return "before_any_bid" if nobody else "auction"

    def own_act(self, index: int, act: Act) -> None:
        """The autoplay side of an act of the game."""
        seat = act["seat"]
        for code in self.autoplay[seat].own_act(index, act, self.table.cards_left(seat)):
            self.note(code, index, seat)

    def setup_act(self, index: int, act: Act) -> None:
        """An act of the auction, an opening, a double or a kick."""
        name, seat = act["act"], act["seat"]
        self.own_act(index, act)
        after = 0 if name == "open" and act["stage"] != "bottom" else 2
        phase = 1 if name in SPEAKING else after
        if phase < self.phase:
            self.auction_fault("act_order", index, seat)
        self.phase = max(self.phase, phase)
        if name not in SPEAKING:
            self.setup.take(index, act, calling_begun=bool(self.auction.acts))
            return
        if self.known and self.rules["auction.kind"] == "none":  # the act counts all the same
            self.note("act_not_in_rules", index, seat)
        opener = self.setup.first_opener
        if not self.auction.acts and self.kind == "rob" and opener not in (None, seat):
            self.auction_fault("first_not_opener", index, seat)
        if is_timeout(act, self.rules) and not is_decline(act):
            self.note("autoplay_conduct", index, seat)
        self.auction.speak(index, act)

    def card_act(self, index: int, act: Act) -> None:
        """A play or a pass."""
        seat, table = act["seat"], self.table
        self.own_act(index, act)
        is_lead = table.on_lead(seat) or (act["act"] == "play" and table.to_beat(seat) is None)
        if not (act["act"] == "pass" and is_lead):
            played = ranks_of(parse_cards(act["cards"], suited=table.suited)) if act["act"] == "play" else ()
            could_beat = table.cards_left(seat) == 1 and table.could_beat(seat)
            held = table.hand_ranks(seat)
            if deviates(act, played, held, self.rules, is_lead=is_lead, could_beat=could_beat):
                self.note("autoplay_conduct", index, seat)
        table.check_turn(index, seat)
        if act["act"] == "pass":
            table.pass_turn(index, seat)
            return
        table.play(index, act)
        if table.winner is not None:
            self.end_index = index

    # The whole hand.

    def finish_autoplay(self) -> None:
        """Running episodes end at the hand's end."""
        end = self.end_index if self.end_index is not None else len(self.acts) - 1
        for seat in range(3):
            self.autoplay[seat].finish(end, self.table.cards_left(seat))

    def kick_offered(self) -> bool:
        """Kicks are offered by the rules, or by the log where the rules are unknown or silent."""
        return (self.known and offers(self.rules, "kick")) or self.setup.seen["kick"] > 0

    def may_kick(self, seat: int) -> bool:
        """Whether a kick of this seat counts."""
        if self.landlord is None or seat == self.landlord:
            return False
        return self.kick_offered() and seat in self.auction.eligible_kickers()

    def check_kicks(self) -> None:
        """A kick of a seat that may not kick counts as none."""
        seen = set()
        for index, act in enumerate(self.acts):
            if act["act"] != "kick" or act["seat"] in seen or self.setup.kicked[act["seat"]] is None:
                continue
            seen.add(act["seat"])
            if act["value"] == 1 and not self.may_kick(act["seat"]):
                self.note("kick_not_allowed", index, act["seat"])

    def nobody_bid(self) -> bool:
        """There was an auction and nobody bid, or the deal was thrown in without a recorded act."""
        if self.doc["outcome"] == "redeal":
            return True
        return self.landlord is not None and bool(self.auction.acts) and self.auction.winning() is None

    def check_auction_result(self) -> None:
        """Whether the auction was over, and made the landlord that the log names."""
        auction = self.auction
        if not auction.acts:
            return
        if not auction.over and not self.may_be_over():
            if self.landlord is not None or self.doc["outcome"] in ("complete", "redeal"):
                self.auction_fault("auction_incomplete")
            return
        winner = auction.winning()
        if winner is not None:
            expected = winner[1]["seat"]
        elif self.known:
            expected = self.forced_by_rules()
        else:
            return
        if expected != self.landlord:
            self.auction_fault("landlord_mismatch")

    def may_be_over(self) -> bool:
        """A bid in a room whose high amount is unknown may have been it, unless the hand was broken off there."""
        ended_so = self.landlord is None and self.doc["outcome"] in ("escaped", "unfinished", "void")
        if self.kind != "room" or self.auction.high is not None or (ended_so and not self.table.begun):
            return False
        return self.auction.winning() is not None

    def forced_by_rules(self) -> int | None:
        """Who becomes landlord under the recorded rules when nobody bids; None: thrown in."""
        nobody = self.rules["auction.nobody"]
        if nobody == "starter":
            return self.auction.first_speaker()
        if nobody == "first_opener_or_redeal":
            return self.setup.first_opener
        return None

    def auction_forced(self) -> str | None:
        """How a landlord whom nobody's bid made came to be it; None otherwise."""
        if self.landlord is None or not self.auction.acts or self.auction.winning() is not None:
            return None
        if self.known:
            nobody = self.rules["auction.nobody"]
            return {"starter": "starter", "first_opener_or_redeal": "first_opener"}.get(str(nobody))
        if self.landlord == self.auction.first_speaker():
            return "starter"
        return "first_opener" if self.landlord == self.setup.first_opener else None

    def check_outcome(self) -> None:
        """Whether the outcome that the log states can be."""
        outcome, out = self.doc["outcome"], self.table.winner is not None
        if outcome == "escaped" and not any(act["act"] == "escape" for act in self.acts):
            self.error("escape_missing")
        wrong = {
            "complete": not out or self.landlord is None,
            "redeal": self.landlord is not None or self.table.begun,
            "escaped": out,
            "unfinished": out,
            "void": False,
        }[outcome]
        if wrong:
            self.error("outcome_mismatch")

    def role(self, seat: int) -> str | None:
        """The role of a seat; None without a landlord."""
        if self.landlord is None:
            return None
        return ("landlord", "landlord_down", "landlord_up")[(seat - self.landlord) % 3]

    def spring(self) -> str:
        """spring, anti_spring or none."""
        winner = self.table.winner
        if winner is None or self.landlord is None:
            return "none"
        plays = [sum(play["seat"] == seat for play in self.table.plays) for seat in range(3)]
        if winner == self.landlord:
            others = sum(plays) - plays[self.landlord]
            return "spring" if others == 0 else "none"
        return "anti_spring" if plays[self.landlord] == 1 else "none"

    def status(self) -> str:
        """faulty, no_play, unfinished or ok."""
        if any(severity == "error" for _, severity, _, _ in self.issues):
            return "faulty"
        if not self.table.plays:
            return "no_play"
        return "ok" if self.table.winner is not None else "unfinished"

    def count(self, category: str, seat: int | None = None) -> int:
        """How many plays of a category, of "bomb" every kind, were made, by a seat or by all."""
        return sum(
            play["reading"] is not None
            and play["reading"][0].startswith(category)
            and seat in (None, play["seat"])
            for play in self.table.plays
        )
