"""Upsert of rows."""

from __future__ import annotations

import pytest

from scoring.core.database import upsert
from scoring.models import Score
from tests.factories import add_game, make_club, make_table

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_upsert_updates_stored_rows_and_inserts_missing_ones() -> None:
    table = make_table(make_club())
    first, second = (add_game(table).game for _ in range(2))
    kept = Score.objects.filter(game=second).latest("player")
    names = ("points", "party", "played", "won", "solo")
    rows = [(score.game_id, score.player_id, 7, "re", True, True, False) for score in Score.objects.filter(game=first)]
    rows += [(second.key, kept.player_id, -7, "kontra", True, False, False)]
    Score.objects.filter(game=first).earliest("player").delete()
    upsert(Score, ("game", "player"), names, rows)
    now = Score.objects.filter(game=first) | Score.objects.filter(pk=kept.pk)
    assert sorted(now.values_list("game", "player", *names)) == sorted(rows)
    assert Score.objects.count() == 8
