"""A month and a season as the picture that is sent round, drawn as that of an evening is."""

from __future__ import annotations

from django.utils.formats import date_format

from scoring.core.formats import format_month
from scoring.evenings.charts import Picture, PictureStanding, picture_of
from scoring.league.queries.seasons import SeasonTable
from scoring.league.rules.content import Content
from scoring.league.words.share import evenings_said, month_lines, month_state, season_lines, season_state


def draw_month(content: Content) -> Picture:
    foot = f"{month_state(content)} · {evenings_said(content)}"
    standings = [PictureStanding(*line) for line in month_lines(content)]
    return picture_of(content["club"], format_month(content["month"]), content["season"], standings, foot)


def draw_season(table: SeasonTable) -> Picture:
    season = table.season
    days = " – ".join(date_format(day, "SHORT_DATE_FORMAT") for day in (season.first_day, season.last_day))
    standings = [PictureStanding(*line) for line in season_lines(table)]
    return picture_of(season.club.name, season.name, days, standings, season_state(table))
