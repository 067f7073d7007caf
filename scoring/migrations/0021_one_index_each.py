"""Rows that come with every game, every seat and every booking are found by what their unique constraint, or an index of their
own, begins with: the index that Django gives each foreign key stored the same once more, and every writer paid for it.

Only the indexes go: SQLite would write a whole table anew to say of its column that it has none, and with it would lose the
triggers that keep the books."""

from django.db import migrations, models

from scoring.core.migrations import Settled

# Model, field, what it names, how that names it, and the index, which has the same name on both databases.
TWICE = [
    ("table", "evening", "scoring.evening", "tables", "scoring_table_evening_id_f1ee9437"),
    ("round", "table", "scoring.table", "rounds", "scoring_round_table_id_ecd87078"),
    ("seat", "round", "scoring.round", "seats", "scoring_seat_round_id_f10e645d"),
    ("game", "round", "scoring.round", "games", "scoring_game_round_id_de8a1999"),
    ("score", "game", "scoring.game", "scores", "scoring_score_game_id_58df699a"),
    ("tableresult", "table", "scoring.table", "results", "scoring_tableresult_table_id_8db0c649"),
    ("tablecareer", "table", "scoring.table", "careers", "scoring_tablecareer_table_id_1920a745"),
    ("entry", "club", "scoring.club", "entries", "scoring_entry_club_id_e5b2c8a4"),
    ("leg", "entry", "scoring.entry", "legs", "scoring_leg_entry_id_fdfc6b6d"),
    ("attendance", "evening", "scoring.evening", "attendance", "scoring_attendance_evening_id_bbb4f1b7"),
]


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0020_what_waits_in_a_season'),
    ]

    operations = [
        *(
            migrations.RunSQL(
                f"DROP INDEX IF EXISTS {index}",
                f"CREATE INDEX {index} ON scoring_{model_name} ({name}_id)",
                state_operations=[
                    migrations.AlterField(
                        model_name,
                        name,
                        models.ForeignKey(to, on_delete=models.PROTECT, related_name=related, db_index=False),
                    )
                ],
            )
            for model_name, name, to, related, index in TWICE
        ),
        Settled(),
    ]
