"""What a club shows to strangers, each by itself: a club that was public shows what it showed, its list and its league. A
person can be an initial to strangers."""

from django.db import migrations, models
from django.db.models import F

from scoring.core.migrations import Settled


def league_as_well(apps, schema_editor):
    apps.get_model("scoring", "Club").objects.update(shows_months=F("shows_list"))


class Migration(migrations.Migration):
    dependencies = [("scoring", "0003_logins")]

    operations = [
        migrations.RenameField(model_name="club", old_name="public", new_name="shows_list"),
        migrations.AlterField(
            model_name="club",
            name="shows_list",
            field=models.BooleanField(default=False, verbose_name="die ewige Liste"),
        ),
        migrations.AddField(
            model_name="club",
            name="shows_months",
            field=models.BooleanField(default=False, verbose_name="die abgeschlossenen Monate der Liga"),
        ),
        migrations.AddField(
            model_name="club",
            name="shows_evenings",
            field=models.BooleanField(default=False, verbose_name="die Ergebnisse der abgeschlossenen Abende"),
        ),
        migrations.AddField(
            model_name="club",
            name="findable",
            field=models.BooleanField(default=False, verbose_name="Suchmaschinen dürfen diese Seiten finden"),
        ),
        migrations.RunPython(league_as_well, migrations.RunPython.noop, elidable=True),
        migrations.AddField(
            model_name="player",
            name="by_initial",
            field=models.BooleanField(default=False, verbose_name="Fremde sehen nur den Anfangsbuchstaben"),
        ),
        migrations.RemoveConstraint(model_name="change", name="change_known_verb"),
        migrations.AlterField(
            model_name="change",
            name="verb",
            field=models.CharField(
                choices=[
                    ("evening.opened", "Abend begonnen"),
                    ("evening.closed", "Abend abgeschlossen"),
                    ("evening.reopened", "Abend wieder geöffnet"),
                    ("table.added", "Tisch dazugestellt"),
                    ("table.seated", "Sitzordnung geändert"),
                    ("table.planned", "Geplante Spiele geändert"),
                    ("table.carries_on", "Offene Böcke eines früheren Abends"),
                    ("table.revalued", "Durch einen früheren Abend neu gewertet"),
                    ("evening.discarded", "Leerer Abend entfernt"),
                    ("game.added", "Spiel eingetragen"),
                    ("game.inserted", "Spiel eingefügt"),
                    ("game.moved", "Spiel verschoben"),
                    ("game.corrected", "Spiel berichtigt"),
                    ("game.deleted", "Spiel gestrichen"),
                    ("game.restored", "Spiel wiederhergestellt"),
                    ("game.came_late", "Nachzügler angekommen"),
                    ("game.not_taken", "Nachzügler verworfen"),
                    ("player.added", "Person aufgenommen"),
                    ("player.changed", "Person geändert"),
                    ("member.invited", "In den Club eingeladen"),
                    ("member.uninvited", "Einladung zurückgenommen"),
                    ("member.changed", "Rechte geändert"),
                    ("player.merged", "Zwei Personen zusammengeführt"),
                    ("player.parted", "Zusammenführung zurückgenommen"),
                    ("rules.added", "Regelwerk angelegt"),
                    ("rules.changed", "Regelwerk geändert"),
                    ("rules.renamed", "Regelwerk umbenannt"),
                    ("rules.moved", "Tisch nach anderen Regeln gewertet"),
                    ("season.added", "Saison angelegt"),
                    ("season.changed", "Saison geändert"),
                    ("month.closed", "Monat abgeschlossen"),
                    ("month.supplemented", "Nachtrag zu einem Monat"),
                    ("import.taken", "Liste übernommen"),
                    ("import.undone", "Übernahme zurückgenommen"),
                    ("club.shown", "Geändert, was Fremde sehen"),
                    ("archive.taken", "Archiv eingelesen"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="change",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "verb__in",
                        [
                            "evening.opened",
                            "evening.closed",
                            "evening.reopened",
                            "table.added",
                            "table.seated",
                            "table.planned",
                            "table.carries_on",
                            "table.revalued",
                            "evening.discarded",
                            "game.added",
                            "game.inserted",
                            "game.moved",
                            "game.corrected",
                            "game.deleted",
                            "game.restored",
                            "game.came_late",
                            "game.not_taken",
                            "player.added",
                            "player.changed",
                            "member.invited",
                            "member.uninvited",
                            "member.changed",
                            "player.merged",
                            "player.parted",
                            "rules.added",
                            "rules.changed",
                            "rules.renamed",
                            "rules.moved",
                            "season.added",
                            "season.changed",
                            "month.closed",
                            "month.supplemented",
                            "import.taken",
                            "import.undone",
                            "club.shown",
                            "archive.taken",
                        ],
                    )
                ),
                name="change_known_verb",
            ),
        ),
        Settled(),
    ]
