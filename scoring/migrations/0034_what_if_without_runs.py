from django.db import migrations

from scoring.core.migrations import Settled


class Migration(migrations.Migration):
    dependencies = [("scoring", "0033_fields_of_a_person")]
    operations = [migrations.DeleteModel(name="WhatIfRun"), Settled()]
