from typing import Any

from django.db import migrations

from scoring.core.migrations import Settled


def forget_waits(apps: Any, schema_editor: Any) -> None:
    """Details that differ after a supplement wait no more: the waiting months of such seasons are computed anew."""
    apps.get_model("scoring", "Season").objects.filter(supplements__isnull=False).update(waits=None)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0031_demo_clubs")]
    operations = [migrations.RunPython(forget_waits, migrations.RunPython.noop, elidable=True), Settled()]
