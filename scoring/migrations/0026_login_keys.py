"""A login has a key that no other can have: its name in small letters, look-alike ones of other alphabets as Latin ones. Where two
logins differ by nothing else, both stay: the newer one has its id behind the key, and its exact name finds it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from scoring.core.migrations import Settled
from scoring.core.names import login_key


def fill(apps, schema_editor):
    LoginKey = apps.get_model("scoring", "LoginKey")
    User = apps.get_model("auth", "User")
    users = {}
    for pk, name in User.objects.order_by("pk").values_list("pk", "username"):
        key = login_key(name)
        users[f"{key} {pk}" if key in users else key] = pk
    LoginKey.objects.bulk_create([LoginKey(user_id=pk, key=key) for key, pk in users.items()], batch_size=500)


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('scoring', '0025_keys_of_names'),
    ]

    operations = [
        migrations.CreateModel(
            name='LoginKey',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='login_key', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('key', models.CharField(max_length=620, unique=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('key__length__lte', 620)), name='login_key_length')],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
        Settled(),
    ]
