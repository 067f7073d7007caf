"""Score the sheet of a table line by line, with its Bock; say what is possible but odd about a game. Propose who deals, plays and
leads, and who owes a Pflichtsolo; the dealer of a game is a fact."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from .bock import Chain, Origin
from .constants import ABSAGE_EYES, ALL_EYES, ANNOUNCED_SOLOS, LAST_TRICK
from .outcome import MAX_VALUE, Worth, kind_stays, score, score_points
from .parsing import GameFacts, LineFacts, ShortFacts, parse_line
from .settings import RuleSettings
from .validation import Refused, Sentence, _

# A number up to this is exact in JavaScript too.
MAX_INTERMEDIATE: Final = 10**15


class Proposal(NamedTuple):
    """The next game. `out` and `leader` are None if it must be entered who sits out; `cycle` counts from 1; `owing` are the seats
    that owe a Pflichtsolo, in seating order; `soloist` has to play one now."""

    dealer: int
    out: tuple[int, ...] | None
    leader: int | None
    cycle: int
    owing: tuple[int, ...]
    soloist: int | None


class Progress(NamedTuple):
    """The deals so far: the next dealer, the complete cycles, the seats that dealt in the running one, and who had a
    Pflichtsolo."""

    dealer: int = 0
    cycles: int = 0
    dealt: frozenset[int] = frozenset()
    fulfilled: frozenset[int] = frozenset()

    def add_line(self, form: str, facts: LineFacts, dealer: int | None, rules: RuleSettings) -> Progress:
        """Return the progress after a line. One without a dealer used up no deal; after some the same seat deals again, and they
        count in no cycle."""
        if dealer is None:
            return self
        fulfilled, stays = self.fulfilled, False
        if isinstance(facts, GameFacts):
            stays = kind_stays(rules, facts.like, facts.duty)
            if facts.duty and facts.soloist is not None:
                fulfilled |= {facts.soloist}
        elif not isinstance(facts, ShortFacts):
            # A short form has no kind of solo, so the deal moves on.
            stays = form in rules.deal_stays
        if stays:
            return Progress(dealer, self.cycles, self.dealt, fulfilled)
        return _count_cycle((dealer + 1) % rules.table, self.cycles, self.dealt | {dealer}, fulfilled, rules.table)

    def move(self, before: Sequence[object], now: Sequence[object]) -> Progress:
        """Return the progress for another line-up: the next of the old order who still sits here deals next. New people owe a
        Pflichtsolo."""
        if before == now:
            return self
        places = {person: place for place, person in enumerate(now)}
        seats = {seat: places[person] for seat, person in enumerate(before) if person in places}
        order = ((self.dealer + step) % len(before) for step in range(len(before)))
        dealer = next((seats[seat] for seat in order if seat in seats), 0)
        dealt = frozenset(seats[seat] for seat in self.dealt if seat in seats)
        fulfilled = frozenset(seats[seat] for seat in self.fulfilled if seat in seats)
        return _count_cycle(dealer, self.cycles, dealt, fulfilled, len(now))

    def list_owing(self, rules: RuleSettings) -> tuple[int, ...]:
        """Return the seats that owe a Pflichtsolo, from the left neighbour of the next dealer on."""
        if rules.duty_rounds is None:
            return ()
        order = ((self.dealer + step) % rules.table for step in range(1, rules.table + 1))
        return tuple(seat for seat in order if seat not in self.fulfilled)

    def propose(self, rules: RuleSettings) -> Proposal:
        dealer, soloist = self.get_turn(rules)
        out = get_sitters(rules, dealer)
        owing = tuple(sorted(self.list_owing(rules)))
        return Proposal(dealer, out, get_leader(rules, dealer, out, soloist), self.cycles + 1, owing, soloist)

    def get_turn(self, rules: RuleSettings) -> tuple[int, int | None]:
        """Return the next dealer, and the seat that has to play a Pflichtsolo (Vorführung) or None."""
        if rules.duty_rounds is None or self.cycles < rules.duty_rounds:
            return self.dealer, None
        soloist = next(iter(self.list_owing(rules)), None)
        return (self.dealer if soloist is None else (soloist - 1) % rules.table), soloist


def _count_cycle(dealer: int, cycles: int, dealt: frozenset[int], fulfilled: frozenset[int], table: int) -> Progress:
    if len(dealt) == table:
        return Progress(dealer, cycles + 1, frozenset(), fulfilled)
    return Progress(dealer, cycles, dealt, fulfilled)


def get_sitters(rules: RuleSettings, dealer: int) -> tuple[int, ...] | None:
    """Return who sits out when this seat deals; None if it does not follow from the dealer."""
    return rules.out_by_dealer.get(dealer) if rules.sitters else ()


def get_leader(rules: RuleSettings, dealer: int, out: tuple[int, ...] | None, duty_soloist: int | None = None) -> int | None:
    """Return who plays the first card: at a Pflichtsolo the soloist, else the next player left of the dealer."""
    if duty_soloist is not None:
        return duty_soloist
    if out is None:
        return None
    return next(seat for step in range(1, 9) if (seat := (dealer + step) % rules.table) not in out)


def count_list_games(rules: RuleSettings) -> int | None:
    """Return the games of a list: the deals of all rounds, and a Pflichtsolo of each player. None without Pflichtsolo."""
    return None if rules.duty_rounds is None else rules.table * (rules.duty_rounds + 1)


class Line(NamedTuple):
    """One stored line: its form (FORMS), the people in seating order, the dealer (None: not dealt), and its facts as entered."""

    form: str
    people: Sequence[object]
    dealer: int | None
    facts: Mapping[str, Any]


class LineResult(NamedTuple):
    """The result of one line. `bock_started` is the number of Bock games it added, `started_by` the games whose Bock it used (one
    for each level, more if the level is capped), `chain` the Bock that is open after it. `exempt`: an open Bock did not raise this
    kind of game. `before` and `progress` are the deals without it and with it."""

    facts: LineFacts
    outcome: Worth
    level: int
    bock_started: int
    started_by: tuple[Origin, ...]
    chain: Chain
    exempt: bool = False
    before: Progress = Progress()
    progress: Progress = Progress()


def play_game(facts: GameFacts | ShortFacts, rules: RuleSettings, chain: Chain, line: int = 0) -> tuple[Worth, int, int, Chain]:
    """Return the worth, the level, the number of Bock games added, and the new chain. A level set by hand changes only this
    game."""
    if not rules.has_bock:
        return score(facts, rules), 0, 0, chain
    level = chain.get_level(facts, rules) if facts.bock is None else facts.bock
    outcome = score(facts, rules, level)
    chain, started = chain.add_game(facts, outcome, level, rules, line)
    return outcome, level, started, chain


def fold(
    lines: Iterable[Line], rules: RuleSettings, chain: Chain | None = None, people: Sequence[object] = ()
) -> list[LineResult]:
    """Score all lines of a table, beginning with an open Bock (`chain`), and count their deals, beginning with the `people` who sat
    there first (none: those of the first line). Raise Refused with the number of the faulty `line`."""
    chain, progress = chain or Chain(), Progress()
    sheet: list[LineResult] = []
    for number, line in enumerate(lines):
        at_table = rules.at(len(line.people))
        try:
            facts = parse_line(line.form, line.facts, at_table, line.dealer)
        except Refused as refused:
            raise Refused(refused.fields, number) from None
        before = progress.move(people or line.people, line.people)
        people, progress = line.people, before.add_line(line.form, facts, line.dealer, at_table)
        started_by: tuple[Origin, ...] = ()
        level, exempt = 0, False
        if isinstance(facts, (GameFacts, ShortFacts)):
            earlier = chain
            outcome, level, started, chain = play_game(facts, at_table, earlier, number)
            if level and facts.bock is None:
                started_by = earlier.list_origins()
            exempt = earlier.exempts(facts, at_table)
        else:
            outcome, started = score_points(facts, at_table.table), 0
            if line.form == "redeal":
                chain, started = chain.add_redeal(at_table, number)
        sheet.append(LineResult(facts, outcome, level, started, started_by, chain, exempt, before, progress))
    return sheet


def refuse_too_much(facts: LineFacts, outcome: Worth) -> None:
    """Raise Refused for more than MAX_VALUE, or MAX_INTERMEDIATE on the way. `fold` accepts such games. The field is `base` in the
    short form, `kind` if a value on the way is too high, else `line`."""
    too_much = abs(outcome.value) > MAX_VALUE
    if not too_much and not (outcome.steps and outcome.steps[-1].code in ("highest", "negative")):
        return
    most = max(abs(value) for value in accumulate(outcome.steps, lambda value, step: value * step.times + step.plus, initial=0))
    if too_much or most > MAX_INTERMEDIATE:
        fault = Sentence(
            _("So käme ein Spiel auf mehr als %(most)s. Bitte die Angaben, den Bock und die Regeln prüfen."),
            {"most": MAX_VALUE},
        )
        field = "base" if isinstance(facts, ShortFacts) else "kind" if most > MAX_INTERMEDIATE else "line"
        raise Refused({field: fault})


# Sums of eyes that no cards give, by whether there are nines.
_NO_EYES: Final = {True: frozenset({1, 239}), False: frozenset((*range(1, 8), *range(233, 240)))}


def find_oddities(facts: GameFacts | ShortFacts, rules: RuleSettings, owing: Container[int] | None = None) -> list[str]:
    """Return codes of what is odd and only confirmed (section 14 of the house rules). `owing`: seats that owed a Pflichtsolo, or
    None."""
    if isinstance(facts, ShortFacts):
        return []
    codes: set[str] = _find_odd_specials(facts) if facts.re_specials or facts.kontra_specials else set()
    if owing is not None and rules.duty_rounds is not None and facts.like in ANNOUNCED_SOLOS:
        if facts.duty and facts.soloist not in owing:
            codes.add("second_duty")
        # Tournament rules: only a Pflichtsolo leaves the deal where it is, and it comes first.
        elif not facts.duty and facts.soloist in owing and "duty_solo" in rules.deal_stays:
            codes.add("free_solo")
    eyes = facts.eyes
    if eyes is not None:
        if eyes in _NO_EYES[rules.nines]:
            codes.add("eyes")
        alone = facts.re_said in ABSAGE_EYES
        if alone is not (facts.kontra_said in ABSAGE_EYES):
            own, limit = (eyes, facts.re_said) if alone else (ALL_EYES - eyes, facts.kontra_said)
            if own < ABSAGE_EYES[limit] or own == ABSAGE_EYES[limit] == 0:
                codes.add("sides")
    return sorted(codes) if codes else []


# Two special points of which a game has at most two together, for both parties.
_TWO_AT_MOST: Final = (
    ("foxes", "fuchs", "fuchs_am_ende"),
    ("foxes", "fuchs_am_ende", "fuchs_am_ende_gefangen"),
    ("karlchen", "karlchen", "karlchen_gefangen"),
)


def _find_odd_specials(facts: GameFacts) -> set[str]:
    re, kontra = facts.re_specials, facts.kontra_specials
    codes = set()
    if sum(re.values()) + sum(kontra.values()) > 2:
        for code, one, other in _TWO_AT_MOST:
            if re.get(one, 0) + re.get(other, 0) + kontra.get(one, 0) + kontra.get(other, 0) > 2:
                codes.add(code)
    if re and kontra and not (LAST_TRICK.isdisjoint(re) or LAST_TRICK.isdisjoint(kontra)):
        codes.add("last_trick")
    if "doppelkopf" in re or "doppelkopf" in kontra:
        for side, most in zip((re, kontra), _get_max_eyes(facts), strict=True):
            if most is not None and most < 40 * side.get("doppelkopf", 0):
                codes.add("doppelkopf")
    return codes


def _get_max_eyes(facts: GameFacts) -> tuple[int | None, int | None]:
    """Return the most eyes that Re and Kontra can have; None if unknown."""
    if facts.eyes is not None:
        return facts.eyes, ALL_EYES - facts.eyes
    if facts.band is None:
        return None, None
    lowest, _dash, highest = facts.band.partition("-")
    return int(highest or lowest), ALL_EYES - int(lowest)
