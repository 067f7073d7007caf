"""Remarks about saved games that are odd but possible, and the facts of a line rewritten for another seating order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scoring.rules import labels
from scoring.rules.constants import KONTRA_NO_EYES, KONTRA_NO_TRICK, RE_NO_EYES, RE_NO_TRICK, SPECIAL_PREFIX
from scoring.rules.deal import get_sitters
from scoring.rules.outcome import Worth
from scoring.rules.parsing import GameFacts, LineFacts, OtherFacts, ShortFacts
from scoring.rules.settings import RuleSettings
from scoring.rules.sheet import LineResult
from scoring.rules.validation import Sentence, _


def list_remarks(played: LineResult, rules: RuleSettings) -> list[Sentence]:
    """Return a sentence for each thing about a saved line that deserves a second look. Most lines have none."""
    facts, outcome = played.facts, played.outcome
    if isinstance(facts, OtherFacts):
        return []
    rules = rules.at(facts.table)
    bocks = _remark_on_bocks(facts, played.bock_started, rules)
    if isinstance(facts, ShortFacts):
        return [*bocks]
    remarks = [*_remark_on_result(facts), *_remark_on_specials(facts, outcome, rules)]
    if outcome.winner is not None and (outcome.value < 0 if outcome.winner == "re" else outcome.value > 0):
        remarks.append(Sentence(_("Der Verlierer gewinnt Punkte, weil er mehr Sonderpunkte hat.")))
    if facts.dealer is not None and rules.sitters and facts.out != rules.out_by_dealer.get(facts.dealer, facts.out):
        remarks.append(Sentence(_("Es setzt aus, wer bei diesem Geber sonst mitspielt.")))
    return [*remarks, *bocks]


def _remark_on_result(facts: GameFacts) -> Iterator[Sentence]:
    party = "re" if facts.zone in (RE_NO_TRICK, RE_NO_EYES) else "kontra"
    named = {"party": (labels.ALONE if facts.solo else labels.PARTIES)[party]}
    several = facts.solo and party == "kontra"
    if facts.zone in (RE_NO_TRICK, KONTRA_NO_TRICK):
        text = _("%(party)s hat keine Augen und damit keinen Stich gemacht.")
        yield Sentence(_("%(party)s haben keine Augen und damit keinen Stich gemacht.") if several else text, named)
    elif facts.zone in (RE_NO_EYES, KONTRA_NO_EYES):
        text = _("%(party)s hat einen Stich ohne Augen gemacht und ist nicht ohne Stich.")
        yield Sentence(_("%(party)s haben einen Stich ohne Augen gemacht und sind nicht ohne Stich.") if several else text, named)


def _remark_on_specials(facts: GameFacts, outcome: Worth, rules: RuleSettings) -> Iterator[Sentence]:
    entered = {*facts.re_specials, *facts.kontra_specials, *facts.game_specials}
    counted = {step.code.removeprefix(SPECIAL_PREFIX) for step in outcome.steps}
    for special in sorted(entered - counted):
        row = rules.specials[special]
        if row.times == 1 and not any(row.points):
            continue
        name = labels.special_name(special, rules.special_names)
        if not rules.special_counts(special, facts.kind, facts.duty):
            text = _("Der Sonderpunkt „%(special)s“ zählt in diesem Spiel nicht.")
            if facts.solo:
                text = _("Der Sonderpunkt „%(special)s“ zählt in diesem Solo nicht.")
            yield Sentence(text, {"special": name})
        else:
            yield Sentence(_("Niemand hat gewonnen; der Sonderpunkt „%(special)s“ zählt deshalb nicht."), {"special": name})


def _remark_on_bocks(facts: GameFacts | ShortFacts, games: int, rules: RuleSettings) -> Iterator[Sentence]:
    """Remark that fewer Bocks started than were entered: the rules take one of several, or none while others are open."""
    if facts.starts_bock * rules.bock_games <= games:
        return
    if games:
        yield Sentence(
            _("Selbst eingetragen sind %(typed)s Böcke; nach diesen Regeln hat nur einer begonnen."), {"typed": facts.starts_bock}
        )
    else:
        yield Sentence(_("Der selbst eingetragene Bock hat nicht begonnen: Nach diesen Regeln laufen erst die übrigen zu "
                         "Ende."))


def list_needed_seats(facts: LineFacts, dealer: int | None) -> set[int]:
    """Return the seats without which the line makes no sense: dealer, players, a named seat, and seats with points by hand."""
    seats = set() if dealer is None else {dealer}
    if isinstance(facts, (GameFacts, ShortFacts)):
        return seats | set(_list_players(facts))
    seats |= {seat for seat, points in enumerate(facts.points) if points}
    return seats if facts.seat is None else seats | {facts.seat}


def reseat_facts(
    data: Mapping[str, Any], facts: LineFacts, dealer: int | None, seats: Mapping[int, int], rules: RuleSettings
) -> dict[str, Any]:
    """Return the facts of a line for the same players in other seats; `seats` maps old seats to new ones.

    `facts` is `data` parsed, `rules` are those of the new table, and `dealer` deals there. `out` is set only if it does not
    follow from the dealer. The caller checks the result against the rules."""
    if isinstance(facts, (GameFacts, ShortFacts)):
        playing = {seats[seat] for seat in _list_players(facts)}
        out = tuple(seat for seat in range(rules.table) if seat not in playing)
        moved = {field: sorted(seats[seat] for seat in data[field]) for field in ("re", "winners") if field in data}
        sitters = {} if dealer is not None and out == get_sitters(rules, dealer) else {"out": list(out)}
        return {**{field: value for field, value in data.items() if field != "out"}, **moved, **sitters}
    if facts.points:
        brought = {seats[seat]: points for seat, points in enumerate(facts.points) if points}
        return {**data, "points": [brought.get(seat, 0) for seat in range(rules.table)]}
    return dict(data) if facts.seat is None else {**data, "seat": seats[facts.seat]}


def _list_players(facts: GameFacts | ShortFacts) -> Iterable[int]:
    return facts.re + facts.kontra if isinstance(facts, GameFacts) else facts.winners + facts.losers
