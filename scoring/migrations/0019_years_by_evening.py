from django.db import migrations, models
from django.db.models import F

from scoring.core.migrations import Settled
from scoring.migrations._careers import RESULT_FIELDS, sum_years

_ORDER = ("table__evening__held_on", "table__evening", "table__number")
_OF_EVENING = {"unit": F("table__rule_set__unit"), "evening": F("table__evening"), "day": F("table__evening__held_on")}


def fill(apps, schema_editor):
    """What the replay would write, from what is stored of every table."""
    Club, YearCareer, TableResult, TableCareer = (
        apps.get_model("scoring", name) for name in ("Club", "YearCareer", "TableResult", "TableCareer")
    )
    for club in list(Club.objects.values_list("pk", flat=True)):
        asked = {"table__evening__club": club, "table__evening__closed_at__isnull": False}
        results, careers = (model.objects.filter(**asked).order_by(*_ORDER) for model in (TableResult, TableCareer))
        results = results.values("player", *RESULT_FIELDS, **_OF_EVENING, without_games=F("table__without_games"))
        careers = careers.values("player", "told", "mates", **_OF_EVENING)
        found = sum_years(results.iterator(chunk_size=500), careers.iterator(chunk_size=500))
        YearCareer.objects.bulk_create(
            YearCareer(club_id=club, player_id=player, unit=unit, year=year, **fields)
            for (player, unit, year), fields in found.items()
        )


def empty(apps, schema_editor):
    """They follow from the tables, and are counted anew when they have all their fields."""
    apps.get_model("scoring", "YearCareer").objects.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0018_what_if_runs'),
    ]

    operations = [
        migrations.RunPython(empty, migrations.RunPython.noop, elidable=True),
        migrations.RemoveField(
            model_name='yearcareer',
            name='won',
        ),
        migrations.AddField(
            model_name='yearcareer',
            name='by_evening',
            field=models.JSONField(blank=True, default=list),
            preserve_default=False,
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
        migrations.AddIndex(
            model_name='evening',
            index=models.Index(condition=models.Q(('closed_at', None)), fields=['club'], name='evening_running'),
        ),
        Settled(),
    ]
