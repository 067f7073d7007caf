"""Labels and sentences: the records of a club, and an opening balance that belongs to no import."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.standings.models import OpeningStanding


class RecordLabel(NamedTuple):
    label: Promise
    meaning: Promise


RECORDS: Final[Mapping[str, RecordLabel]] = {
    "best_evening": RecordLabel(_("Bester Abend"), _("Was einer Person ein Abend brachte.")),
    "worst_evening": RecordLabel(_("Schlechtester Abend"), _("Was einer Person ein Abend brachte.")),
    "best_game": RecordLabel(_("Bestes Spiel"), _("Was einer Person ein Spiel brachte.")),
    "dearest_game": RecordLabel(_("Teuerstes Spiel"), _("Was einer Person ein Spiel brachte.")),
    "solos": RecordLabel(_("Meiste Soli an einem Abend"), _("Eigene Soli, auch stille und verlorene.")),
    "games_won": RecordLabel(_("Meiste Siege in Folge"), _("Spiele nacheinander, auch über mehrere Abende.")),
    "games_lost": RecordLabel(_("Meiste Niederlagen in Folge"), _("Spiele nacheinander, auch über mehrere Abende.")),
    "evenings_won": RecordLabel(_("Meiste Abendsiege in Folge"), _("Von den Abenden, an denen die Person mitspielte.")),
    "evenings_up": RecordLabel(_("Meiste Abende im Plus in Folge"), _("Von den Abenden, an denen die Person mitspielte.")),
    "evenings_there": RecordLabel(_("Meiste Abende in Folge dabei"), _("Von allen Abenden, die hier gezählt sind.")),
}


def describe_stray_opening(row: OpeningStanding) -> str:
    """Return the finding of `verify` about an opening balance that belongs to no import."""
    where = gettext("%(club)s, Anfangsstand von %(person)s: Keine mitgebrachte Datei gehört zu ihm.")
    return where % {"club": row.player.club.slug, "person": row.player}
