"""A name has a key that says how it is spelled: Müller and Muller are two people, O'Neill and O’Neill one. Where a club has both of
these already, each keeps a key of its own."""

from django.db import migrations, models

from scoring.core.migrations import Settled
from scoring.core.names import name_key

# In the place of the first sign of a key that is taken.
OTHER_SIGNS = {"'": "’‘´`", "-": "‐‑‒–—―"}


def fill(apps, schema_editor):
    Player = apps.get_model("scoring", "Player")
    taken = set(Player.objects.values_list("club", "name_key"))
    changed = []
    for player in Player.objects.order_by("pk").only("club", "name", "name_key").iterator():
        key = name_key(player.name)
        if key == player.name_key:
            continue
        others = (key.replace(sign, other, 1) for sign, signs in OTHER_SIGNS.items() if sign in key for other in signs)
        free = next((one for one in (key, *others) if (player.club_id, one) not in taken), player.name_key)
        taken.add((player.club_id, free))
        player.name_key = free
        changed.append(player)
    Player.objects.bulk_update(changed, ["name_key"], batch_size=500)


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0024_late_by_link'),
    ]

    operations = [
        migrations.AlterField(
            model_name='player',
            name='name_key',
            field=models.CharField(editable=False, max_length=160),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
        Settled(),
    ]
