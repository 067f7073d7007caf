"""A row of the history comes with every game as well, and is found by `change_of_club` and `change_of_table`: what 0021 did for
the other rows. Only the indexes go here, too."""

from django.db import migrations, models

from scoring.core.migrations import Settled


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0021_one_index_each'),
    ]

    operations = [
        migrations.RunSQL(
            "DROP INDEX IF EXISTS scoring_change_club_id_506da779",
            "CREATE INDEX scoring_change_club_id_506da779 ON scoring_change (club_id)",
            state_operations=[
                migrations.AlterField(
                    "change",
                    "club",
                    models.ForeignKey("scoring.club", on_delete=models.PROTECT, related_name="changes", db_index=False),
                )
            ],
        ),
        migrations.RunSQL(
            "DROP INDEX IF EXISTS scoring_change_table_id_e6a8159a",
            "CREATE INDEX scoring_change_table_id_e6a8159a ON scoring_change (table_id)",
            state_operations=[
                migrations.AlterField(
                    "change",
                    "table",
                    models.ForeignKey(
                        "scoring.table",
                        on_delete=models.PROTECT,
                        null=True,
                        blank=True,
                        related_name="changes",
                        db_index=False,
                    ),
                )
            ],
        ),
        Settled(),
    ]
