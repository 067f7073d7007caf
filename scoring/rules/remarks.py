"""What is odd about a game that was taken all the same: facts that are possible but rare, or that count for nothing.
The page says so after the entry, so that a slip of the finger is seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from scoring.rules import labels
from scoring.rules.facts import KONTRA_NO_EYES, KONTRA_NO_TRICK, RE_NO_EYES, RE_NO_TRICK, GameFacts, Sentence
from scoring.rules.outcome import Outcome, prepared
from scoring.rules.settings import RuleSettings


def _(text: str) -> str:
    """Marks a German sentence for translation; the page that shows it translates."""
    return text


def remarks(facts: GameFacts, outcome: Outcome, rules: RuleSettings) -> list[Sentence]:
    """A sentence for each thing worth a second look; most games have none."""
    rules = rules.at(facts.table)
    return [*_result(facts), *_specials(facts, outcome, rules), *_value(outcome), *_dealer(facts, rules)]


def _result(facts: GameFacts) -> Iterator[Sentence]:
    if facts.zone in (RE_NO_TRICK, KONTRA_NO_TRICK):
        party = "Re" if facts.zone == RE_NO_TRICK else "Kontra"
        yield Sentence(_("%(party)s hat keine Augen und damit keinen Stich gemacht."), {"party": party})
    elif facts.zone in (RE_NO_EYES, KONTRA_NO_EYES):
        party = "Re" if facts.zone == RE_NO_EYES else "Kontra"
        yield Sentence(_("%(party)s hat einen Stich ohne Augen gemacht und ist nicht ohne Stich."), {"party": party})


def _specials(facts: GameFacts, outcome: Outcome, rules: RuleSettings) -> Iterator[Sentence]:
    entered = {*facts.re_specials, *facts.kontra_specials}
    steps_of = prepared(rules, facts.kind).re_specials
    counted = {step.code for step in outcome.steps}
    for special in sorted(entered - counted):
        if rules.specials[special] == 0:
            continue
        name = labels.SPECIALS[special].name
        if steps_of[special][1] is None:
            yield Sentence(_("Der Sonderpunkt „%(special)s“ zählt in diesem Solo nicht."), {"special": name})
        else:
            yield Sentence(
                _("Niemand hat gewonnen; der Sonderpunkt „%(special)s“ zählt deshalb nicht."), {"special": name}
            )


def _value(outcome: Outcome) -> Iterator[Sentence]:
    if outcome.winner is not None and (outcome.value < 0 if outcome.winner == "re" else outcome.value > 0):
        yield Sentence(_("Der Verlierer gewinnt Punkte, weil er mehr Sonderpunkte hat."))


def _dealer(facts: GameFacts, rules: RuleSettings) -> Iterator[Sentence]:
    if facts.dealer is not None and rules.sitters and facts.out != rules.out_by_dealer.get(facts.dealer, facts.out):
        yield Sentence(_("Es setzt aus, wer bei diesem Geber sonst mitspielt."))
