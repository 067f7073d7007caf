import django.db.models.deletion
from django.db import migrations, models

from scoring.core.migrating import Settled
from scoring.play.rules.years import Brought, Tells, count_years

_ORDER = ("table__evening__held_on", "table__evening", "table__number")
_WHO = ("player", "table__rule_set__unit")


def fill(apps, schema_editor):
    """What the replay would write, from what is stored of every table."""
    Club, YearCareer = (apps.get_model("scoring", name) for name in ("Club", "YearCareer"))
    for club in list(Club.objects.values_list("pk", flat=True)):
        asked = {"table__evening__club": club, "table__evening__closed_at__isnull": False}
        results, careers = (
            apps.get_model("scoring", name).objects.filter(**asked).order_by(*_ORDER) for name in ("TableResult", "TableCareer")
        )
        brought = results.values_list(
            *_WHO, "table__evening", "table__evening__held_on", "points", "games", "table__without_games"
        )
        told = careers.values_list(*_WHO, "table__evening__held_on", "told", "mates")
        found = count_years(
            (Brought(player, unit, evening, day, points, bool(games) or bare, bare)
             for player, unit, evening, day, points, games, bare in brought),
            map(Tells._make, told.iterator(chunk_size=500)),
        )
        YearCareer.objects.bulk_create(
            YearCareer(club_id=club, player_id=player, unit=unit, year=year, **fields)
            for (player, unit, year), fields in found.items()
        )


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0016_careers'),
    ]

    operations = [
        migrations.CreateModel(
            name='YearCareer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('games', models.PositiveIntegerField()),
                ('points', models.BigIntegerField()),
                ('wins', models.PositiveIntegerField()),
                ('solos', models.PositiveIntegerField()),
                ('solos_won', models.PositiveIntegerField()),
                ('solo_points', models.BigIntegerField()),
                ('re', models.PositiveIntegerField()),
                ('sided', models.PositiveIntegerField()),
                ('bock_points', models.BigIntegerField()),
                ('wins_first', models.PositiveIntegerField()),
                ('wins_longest', models.PositiveIntegerField()),
                ('wins_last', models.PositiveIntegerField()),
                ('unit', models.CharField(choices=[('points', 'Punkte'), ('cents', 'Cent')], max_length=6)),
                ('year', models.PositiveSmallIntegerField()),
                ('points_of_games', models.BigIntegerField()),
                ('evenings', models.PositiveIntegerField()),
                ('evenings_won', models.PositiveIntegerField()),
                ('best_evening', models.BigIntegerField(null=True)),
                ('worst_evening', models.BigIntegerField(null=True)),
                ('last_day', models.DateField()),
                ('last_evening', models.DateField(null=True)),
                ('won', models.JSONField(blank=True)),
                ('told', models.JSONField()),
                ('mates', models.JSONField(blank=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='years', to='scoring.club')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='years', to='scoring.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'player', 'unit', 'year'), name='year_career_once'), models.CheckConstraint(condition=models.Q(('unit__in', ['points', 'cents'])), name='year_career_unit_known')],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
        Settled(),
    ]
