"""The sum of a table has as many lines as somebody enters: it is kept in 64 bits."""

from django.db import migrations, models

from scoring.core.migrations import Settled


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_start")]

    operations = [
        migrations.AlterField("tableresult", "points", models.BigIntegerField()),
        migrations.AlterField("tableresult", "solo_points", models.BigIntegerField()),
        Settled(),
    ]
