"""Label the roles of an invitation link as those of a login. No column changes."""

from django.db import migrations, models

from scoring.core.migrations import Settled

LABELS = {
    "scorer": "Schreiber: gibt Abende ein und berichtigt sie",
    "treasurer": "Kassenwart: führt die Kasse",
    "admin": "Verwalter: Personen, Regeln, geschlossene Abende",
}


class Migration(migrations.Migration):
    dependencies = [("scoring", "0035_invitations")]
    operations = [
        *(
            migrations.AlterField("joinlink", name, models.BooleanField(label, default=False))
            for name, label in LABELS.items()
        ),
        Settled(),
    ]
