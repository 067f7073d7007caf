"""Sentences about the sample games beside edited settings: the game, and its points by the present and the edited rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.core.formats import format_signed, translate_sentence
from scoring.play.texts import build_explanation
from scoring.rules import labels
from scoring.rules.constants import RAMSCH
from scoring.rules.parsing import GameFacts, ShortFacts
from scoring.rules.settings import RuleSettings
from scoring.rules.sheet import LineResult
from scoring.whatif.queries import Sample


def build_sample_context(samples: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **samples,
        "games": [
            {
                "title": _describe_title(sample),
                "differs": sample.differs,
                "before": _describe_side(sample, sample.before, sample.rules[0]),
                "after": _describe_side(sample, sample.after, sample.rules[1]),
            }
            for sample in samples["shown"]
        ],
        "changed": ngettext(
            "%(changed)s von %(games)s Spiel zählt anders als bisher.",
            "%(changed)s von %(games)s Spielen zählen anders als bisher.",
            samples["games"],
        )
        % {"changed": samples["changed"], "games": samples["games"]},
        "refused": [
            _("Spiel %(n)s lässt sich nicht werten: %(why)s")
            % {"n": number, "why": " ".join(translate_sentence(fault) for fault in faults)}
            for number, faults in samples["refused"]
        ],
    }


def _describe_title(sample: Sample) -> str:
    facts = sample.before.facts
    seats = facts.re if isinstance(facts, GameFacts) else facts.winners if isinstance(facts, ShortFacts) else ()
    one = ", ".join(sample.names[seat] for seat in seats)
    if not isinstance(facts, GameFacts):
        played = _("Kurzform") + f", {one}"
    elif facts.like == RAMSCH:
        end = _("%(name)s hat alles gemacht") if facts.winner == "re" else _("%(name)s hat verloren")
        played = f"{_(sample.kind)}, {end % {'name': one}}"
    else:
        side = _(labels.ALONE["re"] if facts.solo else labels.PARTIES["re"])
        played = f"{_(sample.kind)}, {side} {one}, {_describe_result(facts)}"
    return _("Spiel %(n)s") % {"n": sample.number} + f": {played}"


def _describe_result(facts: GameFacts) -> str:
    if facts.eyes is not None:
        return f"{facts.eyes} : {240 - facts.eyes}"
    if facts.band:
        return _(labels.BANDS[facts.band])
    party = _((labels.ALONE if facts.solo else labels.PARTIES)[facts.winner or ""])
    if facts.solo and facts.winner == "kontra":
        return _("%(party)s haben gewonnen") % {"party": party}
    return _("%(party)s hat gewonnen") % {"party": party}


def _describe_side(sample: Sample, played: LineResult, rules: RuleSettings) -> dict[str, Any]:
    steps = build_explanation(played, rules).steps
    return {
        "steps": ", ".join(map(str, steps)) or _("nichts"),
        "points": [(name, format_signed(got)) for name, got in zip(sample.names, played.outcome.points, strict=True)],
    }
