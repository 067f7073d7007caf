"""The tables of one player, and of two side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.core.formats import format_mean, format_percent, format_points, format_signed, get_announcement_label
from scoring.core.tables import FiguresTable, NumberColumn
from scoring.play.rules import Tally
from scoring.players.queries import Companion, EveningSum, Life, Stretch
from scoring.players.texts import compare_lives
from scoring.rulesets.models import RuleSet

# The bar below the name of a row: the share of the games that were won.
_NAME_WITH_SHARE: Final = (
    '{} <svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
    '<rect class="of" width="100" height="6"/><rect width="{}" height="6"/></svg>'
)


class FigureColumn(NumberColumn):
    def __init__(self, header: Any, accessor: str, format_value: Callable[[int], str]) -> None:
        super().__init__(header, accessor=accessor, default="")
        self._format_value = format_value

    def render(self, value: int) -> str:
        return self._format_value(value)


class PlayerEveningsTable(tables.Table):
    held_on = tables.TemplateColumn(
        template_name="scoring/players/_evening.html",
        context_object_name="row",
        verbose_name=_("Abend"),
        attrs={"td": {"scope": "row"}},
    )

    class Meta:
        template_name = "scoring/tables/table.html"
        orderable = False
        attrs = {"class": "list tallies figures", "aria-label": _("Als Zahlen")}

    def __init__(self, evenings: Sequence[EveningSum], lives: Sequence[Life]) -> None:
        columns = []
        for place, life in enumerate(lives):
            name = format_html('<bdi translate="no">{}</bdi>', life.player.name)
            header = name if len(lives) > 1 else RuleSet.Unit(life.unit).label
            columns += [
                (f"points_{place}", FigureColumn(header, f"results__{place}__points", format_signed)),
                (f"total_{place}", FigureColumn(gettext("Summe"), f"results__{place}__total", format_points)),
            ]
        super().__init__(evenings, extra_columns=columns)


def build_tallies_table(head: str, tallies: Iterable[tuple[str, Tally]], unit: str) -> FiguresTable:
    headers = [head, gettext("Spiele"), gettext("Siege"), gettext("Quote"), RuleSet.Unit(unit).label]
    rows = [
        (format_html(_NAME_WITH_SHARE, name, round(100 * (one.win_rate or 0))), one.games, one.wins, *_format_rate_and_points(one))
        for name, one in tallies
    ]
    return FiguresTable(head, headers, rows)


def _format_rate_and_points(tally: Tally) -> tuple[str, str]:
    return format_percent(tally.win_rate), format_points(tally.points)


def build_specials_table(specials: Sequence[tuple[str, int, int]]) -> FiguresTable:
    return FiguresTable(gettext("Sonderpunkte"), [gettext("Sonderpunkt"), gettext("Anzahl"), gettext("in Spielen")], specials)


def build_announced_table(announced: Mapping[str, Sequence[int]]) -> FiguresTable:
    headers = [gettext("Höchstens angesagt"), gettext("gehalten"), gettext("verfehlt")]
    rows = [(get_announcement_label(level), *counts) for level, counts in announced.items() if any(counts)]
    return FiguresTable(gettext("Ansagen der eigenen Partei"), headers, rows)


def build_companions_table(companions: Iterable[Companion], slug: str, unit: str) -> FiguresTable:
    """Build the table of the games together with and against each other player."""
    figures = [gettext("Siegquote"), RuleSet.Unit(unit).label]
    headers = [gettext("Name"), gettext("Spiele zusammen"), *figures, gettext("Spiele gegeneinander"), *figures]
    rows = []
    for player, together, against in companions:
        name = format_html('<a href="{}" translate="no">{}</a>', reverse("player", args=[slug, player.pk]), player.name)
        tallies = [(tally.games, *_format_rate_and_points(tally)) for tally in (together, against)]
        rows.append((name, *tallies[0], *tallies[1]))
    stacked = [gettext("zusammen"), *figures, gettext("gegen"), *figures]
    return FiguresTable(gettext("Mit wem und gegen wen"), headers, rows, look="mates", stacked=stacked)


def build_stretches_table(stretches: Iterable[Stretch], slug: str, unit: str) -> FiguresTable:
    """Build the table of seasons and years; a year leads to its list."""
    headers = [
        RuleSet.Unit(unit).label,
        gettext("Abende"),
        gettext("Ø/Abend"),
        gettext("Abendsiege"),
        gettext("Spiele"),
        gettext("Ø/Spiel"),
        gettext("Siegquote"),
    ]
    address = reverse("standings", args=[slug])
    rows = [
        (
            format_html('<a href="{}?year={}">{}</a>', address, one.year, one.name) if one.year else one.name,
            format_points(one.points),
            one.evenings,
            format_mean(one.evening_average),
            one.evenings_won,
            one.games,
            format_mean(one.average),
            format_percent(one.win_rate),
        )
        for one in stretches
    ]
    return FiguresTable(gettext("Nach Saison und Jahr"), [gettext("Zeit"), *headers], rows, stacked=headers)


def build_compare_table(lives: Sequence[Life]) -> FiguresTable:
    """Build the table of the figures of two players side by side."""
    head = format_html('<span class="visually-hidden">{}</span>', gettext("Was"))
    names = [format_html('<bdi translate="no">{}</bdi>', life.player.name) for life in lives]
    return FiguresTable(gettext("Zwei nebeneinander"), [head, *names], compare_lives(lives))
