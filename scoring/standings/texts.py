"""What the figures of a list and the records of a club are called and mean, by their keys, and what is said of an opening
standing that nobody brought."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.standings.metrics import Metric
from scoring.standings.models import OpeningStanding


class Called(NamedTuple):
    """A heading, and the sentence that explains it."""

    label: Promise
    sentence: Promise


_METRICS: Final[Mapping[str, Called]] = {
    "points": Called(_("Punkte"), _("Summe aller Punkte, auch aus Strafpunkten und Berichtigungen.")),
    "evenings": Called(
        _("Abende"),
        _("Abende mit mindestens einem Spiel, auch ohne Einzelspiele übernommene und die eines Anfangsstands."),
    ),
    "games": Called(_("Spiele"), _("Gespielte Spiele. Aussetzen zählt nicht.")),
    "average": Called(
        _("Ø/Spiel"),
        _(
            "Punkte geteilt durch Spiele; was ohne Einzelspiele übernommen ist, zählt nicht mit, ein Anfangsstand nur, wo er "
            "seine Spiele nennt."
        ),
    ),
    "wins": Called(_("Siege"), _("Spiele, die die eigene Partei gewonnen hat, gleich was sie brachten.")),
    "win_rate": Called(
        _("Siegquote"), _("Siege geteilt durch Spiele; ein Anfangsstand zählt nur mit, wo er beides nennt.")
    ),
    "solos_won": Called(_("Soli gewonnen"), _("Gewonnene eigene Soli, auch stille.")),
    "solos": Called(_("Soli gespielt"), _("Alle eigenen Soli, auch stille.")),
    "solo_points": Called(_("Solopunkte"), _("Punkte aus eigenen Soli.")),
    "evening_average": Called(
        _("Ø/Abend"),
        _(
            "Punkte geteilt durch Abende, auch ohne Einzelspiele übernommene; wie viele Spiele es waren, ist gleich. Ein "
            "Anfangsstand zählt nur mit, wo er seine Abende nennt."
        ),
    ),
    "evening_wins": Called(
        _("Abendsiege"),
        _("Abende mit den meisten Punkten von allen. Auch ein geteilter erster Platz ist gewonnen."),
    ),
    "re_rate": Called(
        _("Re-Quote"),
        _("Spiele als Re, auch eigene Soli, geteilt durch alle Spiele, deren Parteien bekannt sind: ohne die Kurzform."),
    ),
    "bock_points": Called(_("Bockpunkte"), _("Punkte aus Spielen, in denen Bock galt.")),
    "best_evening": Called(_("Bester Abend"), _("Die meisten Punkte an einem Abend.")),
    "worst_evening": Called(_("Schlechtester Abend"), _("Die wenigsten Punkte an einem Abend.")),
    "streak": Called(_("Längste Serie"), _("Die meisten Siege in Folge, auch über mehrere Abende.")),
    "this_month": Called(_("Dieser Monat"), _("Punkte seit dem Ersten dieses Monats.")),
    "last_evening": Called(_("Letzter Abend"), _("Wann zuletzt mitgespielt wurde.")),
}
# What is called differently where a rule set counts in cents.
_IN_CENTS: Final[Mapping[str, Called]] = {
    "points": Called(_("Cent"), _("Summe aller Beträge, auch aus Strafpunkten und Berichtigungen.")),
    "average": Called(
        _("Ø Cent/Spiel"),
        _(
            "Cent geteilt durch Spiele; was ohne Einzelspiele übernommen ist, zählt nicht mit, ein Anfangsstand nur, wo er "
            "seine Spiele nennt."
        ),
    ),
    "solo_points": Called(_("Solo-Cent"), _("Beträge aus eigenen Soli.")),
    "bock_points": Called(_("Bock-Cent"), _("Beträge aus Spielen, in denen Bock galt.")),
    "evening_average": Called(
        _("Ø Cent/Abend"),
        _("Cent geteilt durch Abende, auch ohne Einzelspiele übernommene; wie viele Spiele es waren, ist gleich."),
    ),
    "evening_wins": _METRICS["evening_wins"]._replace(
        sentence=_("Abende mit den meisten Cent von allen. Auch ein geteilter erster Platz ist gewonnen.")
    ),
    "best_evening": _METRICS["best_evening"]._replace(sentence=_("Der höchste Betrag an einem Abend.")),
    "worst_evening": _METRICS["worst_evening"]._replace(sentence=_("Der niedrigste Betrag an einem Abend.")),
    "this_month": _METRICS["this_month"]._replace(sentence=_("Beträge seit dem Ersten dieses Monats.")),
}
RECORDS: Final[Mapping[str, Called]] = {
    "best_evening": Called(_("Bester Abend"), _("Was einer Person ein Abend brachte.")),
    "worst_evening": Called(_("Schlechtester Abend"), _("Was einer Person ein Abend brachte.")),
    "best_game": Called(_("Bestes Spiel"), _("Was einer Person ein Spiel brachte.")),
    "dearest_game": Called(_("Teuerstes Spiel"), _("Was einer Person ein Spiel brachte.")),
    "solos": Called(_("Meiste Soli an einem Abend"), _("Eigene Soli, auch stille und verlorene.")),
    "games_won": Called(_("Meiste Siege in Folge"), _("Spiele nacheinander, auch über mehrere Abende.")),
    "games_lost": Called(_("Meiste Niederlagen in Folge"), _("Spiele nacheinander, auch über mehrere Abende.")),
    "evenings_won": Called(_("Meiste Abendsiege in Folge"), _("Von den Abenden, an denen die Person mitspielte.")),
    "evenings_up": Called(_("Meiste Abende im Plus in Folge"), _("Von den Abenden, an denen die Person mitspielte.")),
    "evenings_there": Called(_("Meiste Abende in Folge dabei"), _("Von allen Abenden, die hier gezählt sind.")),
}


def called(metric: Metric) -> Called:
    """What a figure is called and means in the unit of its list."""
    return _IN_CENTS.get(metric.key, _METRICS[metric.key]) if metric.cents else _METRICS[metric.key]


def odd_opening(row: OpeningStanding) -> str:
    """What is said of a row that no list that was brought along accounts for."""
    where = gettext("%(club)s, Anfangsstand von %(person)s: Keine mitgebrachte Datei gehört zu ihm.")
    return where % {"club": row.player.club.slug, "person": row.player}
