import django.db.models.deletion
from django.db import migrations, models

from scoring.core.migrations import Settled
from scoring.migrations._careers import StoredLine, count_mates, summarize

PLAYED, SHORT = "played", "short"


def fill(apps, schema_editor):
    """What the replay would write, from what is stored of every line."""
    Score, TableResult, TableCareer = (apps.get_model("scoring", name) for name in ("Score", "TableResult", "TableCareer"))
    tables = apps.get_model("scoring", "Table").objects.filter(without_games=False).order_by("pk")
    for table in list(tables.values_list("pk", flat=True)):
        games = _lines(Score, table)
        own = {}
        for lines in games.values():
            for player, line in lines.items():
                own.setdefault(player, []).append(line)
        told = {player: summarize(lines) for player, lines in own.items()}
        mates = count_mates(games.values())
        TableCareer.objects.bulk_create(
            TableCareer(table_id=table, player_id=player, told=one, mates=mates.get(player, {})) for player, one in told.items()
        )
        for player, one in told.items():
            TableResult.objects.filter(table=table, player=player).update(**_sums(one))


def _lines(Score, table):
    found = {}
    rows = Score.objects.filter(game__round__table=table).order_by("game__round__position", "game__position", "game")
    for key, player, form, facts, winner, bock, points, party, played, won, solo in rows.values_list(
        *("game", "player", "game__form", "game__facts", "game__outcome__winner", "game__outcome__bock"),
        *("points", "party", "played", "won", "solo"),
    ):
        found.setdefault(key, {})[player] = StoredLine(
            key=str(key),
            facts=facts if form == PLAYED else None,
            points=points,
            party=party,
            played=played,
            won=won,
            solo=solo,
            decided=winner != "" or form == SHORT,
            bock=bock,
        )
    return found


def _sums(told):
    parties = {party: tally[0] for party, tally in told["parties"].items()}
    first, most, last = (run[1] if run and run[0] else 0 for run in (told["lead"], told["longest"][0], told["tail"]))
    return {
        "re": parties.get("re", 0),
        "sided": sum(parties.values()),
        "bock_points": told["bock_points"],
        "wins_first": first,
        "wins_longest": most,
        "wins_last": last,
    }


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0015_late_fines'),
    ]

    operations = [
        migrations.AddField(
            model_name='tableresult',
            name='bock_points',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='tableresult',
            name='re',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='tableresult',
            name='sided',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='tableresult',
            name='wins_first',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='tableresult',
            name='wins_last',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='tableresult',
            name='wins_longest',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.CreateModel(
            name='TableCareer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('told', models.JSONField()),
                ('mates', models.JSONField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='careers', to='scoring.player')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='careers', to='scoring.table')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('table', 'player'), name='table_career_once')],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
        Settled(),
    ]
