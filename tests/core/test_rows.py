"""Many rows written at once are the rows that the model would have written, and the database refuses the same."""

from __future__ import annotations

import datetime

import pytest
from django.db import IntegrityError, transaction
from django.forms.models import model_to_dict

from scoring.core.rows import insert, upsert
from scoring.models import Game, Player, Score, TableCareer
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


def test_rows_that_are_there_take_the_new_values_and_others_are_added() -> None:
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


def test_as_many_as_the_database_takes_are_written_at_once() -> None:
    table = make_table(make_club())
    people = Player.objects.bulk_create(
        Player(club=table.evening.club, name=f"Nr. {number}", name_key=str(number)) for number in range(300)
    )
    for said in ({"n": 1}, {"n": 2}):
        upsert(TableCareer, ("table", "player"), ("told", "mates"), [(table.pk, one.pk, said, {}) for one in people])
        assert list(TableCareer.objects.values_list("told", flat=True)) == [said] * 300
    upsert(TableCareer, ("table", "player"), ("told", "mates"), [])
    assert TableCareer.objects.count() == 300
