"""Labels and sentences: figures of the list, its remarks and arrows, the records of a club, and stray opening balances."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext, ngettext

from scoring.league.texts import format_move
from scoring.rules.ranking import Figure
from scoring.standings.metrics import Metric
from scoring.standings.models import OpeningStanding
from scoring.standings.queries.selection import Selection, filter_openings
from scoring.standings.queries.standings import Choices, Standing, count_evenings_without_games

NOTHING = "–"


def describe_stray_opening(row: OpeningStanding) -> str:
    """Return the finding of `verify` about an opening balance that belongs to no import."""
    where = gettext("%(club)s, Anfangsstand von %(person)s: Keine mitgebrachte Datei gehört zu ihm.")
    return where % {"club": row.player.club.slug, "person": row.player}


def format_figure(metric: Metric, figure: Figure) -> str:
    """Format a figure in the language of the reader, with a real minus sign; "–" if there is none."""
    rounded = metric.round(figure)
    if rounded is None:
        return NOTHING
    if isinstance(rounded, datetime.date):
        return date_format(rounded, "SHORT_DATE_FORMAT")
    number = number_format(100 * rounded if metric.percent else rounded, metric.digits)
    return f"{number}\u00a0%" if metric.percent else number.replace("-", "−")


def describe_evenings_without_games(evenings: int) -> str:
    if not evenings:
        return ""
    sentence = ngettext(
        "Die Liste enthält %(evenings)s Abend ohne Einzelspiele. Seine Punkte zählen mit, in den Quoten fehlt er.",
        "Die Liste enthält %(evenings)s Abende ohne Einzelspiele. Ihre Punkte zählen mit, in den Quoten fehlen sie.",
        evenings,
    )
    return sentence % {"evenings": evenings}


def format_movement(row: Standing, last_day: datetime.date | None) -> tuple[str, str]:
    """Return the arrow against the rank before the last evening, and its meaning; empty texts if there is nothing to compare."""
    if last_day is None or row.before == row.rank:
        return "", ""
    return format_move(row.before - row.rank) if row.before else ("●", gettext("neu"))


def explain_arrows(rows: Sequence[Standing], last_day: datetime.date | None) -> str:
    signs = {format_movement(row, last_day)[0][:1] for row in rows} - {""}
    if last_day is None or not signs:
        return ""
    sentences = []
    if signs - {"●"}:
        sentences.append(gettext("Die Pfeile vergleichen mit den Plätzen vor dem Abend am %(day)s."))
    if "●" in signs:
        sentences.append(gettext("● steht seit dem Abend am %(day)s auf der Liste."))
    return " ".join(sentences) % {"day": date_format(last_day, "SHORT_DATE_FORMAT")}


def describe_openings(openings: Sequence[OpeningStanding], selection: Selection) -> str:
    """Return the remark about opening balances: their days, or why they are not counted; "" if there are none."""
    of_unit = [one for one in openings if selection.unit in (None, one.unit)]
    if not of_unit:
        return ""
    counted = filter_openings(of_unit, selection)
    if not counted:
        return gettext("Der Anfangsstand hat keine Tage und zählt in dieser Auswahl nicht.")
    days = ", ".join(date_format(day, "SHORT_DATE_FORMAT") for day in sorted({one.until for one in counted}))
    people = len({one.player_id for one in counted})
    sentence = ngettext(
        "Mit Anfangsstand vom %(days)s: Was %(people)s Person bis dahin hatte, zählt mit, in den Quoten nur, wo beide Teile "
        "bekannt sind.",
        "Mit Anfangsstand vom %(days)s: Was %(people)s Personen bis dahin hatten, zählt mit, in den Quoten nur, wo beide "
        "Teile bekannt sind.",
        people,
    )
    return sentence % {"days": days, "people": people}


def list_remarks(offered: Choices, selection: Selection) -> list[str]:
    without_games = describe_evenings_without_games(count_evenings_without_games(offered, selection))
    return [remark for remark in (without_games, describe_openings(offered.openings, selection)) if remark]
