"""Many rows written at once are the rows that the model would have written, and the database refuses the same."""

from __future__ import annotations

import datetime

import pytest
from django.db import IntegrityError, transaction
from django.forms.models import model_to_dict

from scoring.core.rows import insert
from scoring.models import Game, Score
from tests.factories import add_game, make_club, make_table

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_rows_written_at_once_are_those_of_the_model() -> None:
    game = add_game(make_table(make_club())).game
    scores = list(Score.objects.filter(game=game).order_by("player"))
    names = ("game", "player", "points", "party", "played", "won", "solo")
    rows = [tuple(model_to_dict(score)[name] for name in names) for score in scores]
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(Score, names, rows)
    Score.objects.filter(game=game).delete()
    insert(Score, names, iter(rows))
    again = Score.objects.filter(game=game).order_by("player")
    assert len(rows) == 4
    assert [tuple(model_to_dict(score)[name] for name in names) for score in again] == rows


def test_keys_times_and_facts_are_kept_as_the_model_keeps_them() -> None:
    game = add_game(make_table(make_club())).game
    names = [field.attname for field in Game._meta.concrete_fields if field.attname != "key"]
    row = [getattr(game, name) for name in names]
    later = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)
    row[names.index("entered_at")], row[names.index("position")] = later, game.position + 1
    key = type(game.key)(int=1)
    insert(Game, ["key", *names], [(key, *row)])
    kept = Game.objects.get(key=key)
    assert [getattr(kept, name) for name in names] == row
