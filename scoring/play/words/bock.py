"""Where the Bock of a game comes from, in words: the page, the paper and the Excel file say it alike."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.core.formats import format_day
from scoring.play.queries.sheet import Carry, Next, Source
from scoring.rules.settings import RuleSettings
from scoring.rules.steps import get_bock_factor


def bock_sign(rules: RuleSettings, level: int) -> str:
    """What a Bock game of this level counts: ×4, or +2 where it brings points."""
    return f"+{level * rules.bock_add}" if rules.effect == "add" else f"×{get_bock_factor(rules, level)}"


def bock_from(sources: Sequence[Source]) -> str:
    """The games that started a Bock, by number; those of an earlier evening with its day."""
    return ", ".join(map(_from, sources))


def open_from(following: Next) -> str:
    """The games that started the Bock games to come: where they follow one another, each with how many it brings."""
    runs = following.bock_runs
    if len(runs) > 1 and sum(left for _source, left in runs) == len(following.levels):
        return ", ".join(f"{left} {_from(source)}" for source, left in runs)
    return bock_from(following.bock_from)


def _from(source: Source) -> str:
    told = {"games": ", ".join(str(number) for number in source.numbers)}
    if source.day is None:
        return ngettext("aus Spiel %(games)s", "aus den Spielen %(games)s", len(source.numbers)) % told
    told["day"] = format_day(source.day)
    return (
        ngettext(
            "aus dem Abend vom %(day)s, Spiel %(games)s",
            "aus dem Abend vom %(day)s, Spiele %(games)s",
            len(source.numbers),
        )
        % told
    )


def carried(carry: Carry) -> str:
    """What was open when the evening began, as a sentence."""
    levels = ngettext("noch %(n)s Bockspiel", "noch %(n)s Bockspiele", len(carry.levels)) % {"n": len(carry.levels)}
    told = {"day": format_day(carry.day), "left": levels, "source": bock_from(carry.bock_from)}
    return _("Übrige Böcke vom %(day)s gingen hier weiter: %(left)s, %(source)s.") % told
