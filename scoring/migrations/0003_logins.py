# Sessions know their login from now on. Those that stand are taken over, so that nobody has to log in again.

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations, models
from django.utils import timezone

from scoring.core.migrations import Settled

AT_ONCE = 500


def take_over(apps, schema_editor):
    """Every session that has not expired, under its own key; the old rows go, they hold secrets and nobody would clear
    them away."""
    database = schema_editor.connection.alias
    old = apps.get_model("sessions", "Session").objects.using(database)
    known = set(apps.get_model("auth", "User").objects.using(database).values_list("pk", flat=True))
    new = apps.get_model("scoring", "Session")
    read = SessionStore().decode
    rows = []
    for session in old.filter(expire_date__gt=timezone.now()).iterator(AT_ONCE):
        login = int(read(session.session_data).get(SESSION_KEY, 0))
        rows.append(
            new(
                session_key=session.session_key,
                session_data=session.session_data,
                expire_date=session.expire_date,
                user_id=login if login in known else None,
            )
        )
    new.objects.using(database).bulk_create(rows, AT_ONCE)
    old.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('scoring', '0002_sums_of_any_table'),
        ('sessions', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='LoginWithoutClub',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='without_club', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('since', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.AlterField(
            model_name='change',
            name='actor',
            field=models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('seen_on', models.DateField(default=django.utils.timezone.localdate)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
                'abstract': False,
            },
        ),
        migrations.RunPython(take_over, migrations.RunPython.noop),
        Settled(),
    ]
