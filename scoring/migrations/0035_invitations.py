"""Store invitations of existing logins in a table of their own. An open one keeps the id of its log entry, which is in its address."""

import datetime

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.core.management.color import no_style
from django.db import migrations, models
from django.db.models import Exists, OuterRef

from scoring.core.migrations import Settled


def fill(apps, schema_editor):
    Change, Invitation, Membership = (apps.get_model("scoring", name) for name in ("Change", "Invitation", "Membership"))
    later = Change.objects.filter(
        club=OuterRef("club"), subject_id=OuterRef("subject_id"), verb__startswith="member.", pk__gt=OuterRef("pk")
    )
    by_admin = Membership.objects.filter(club=OuterRef("club"), user=OuterRef("actor"), admin=True, user__is_active=True)
    since = django.utils.timezone.now() - datetime.timedelta(days=7)
    logins = set(apps.get_model("auth", "User").objects.values_list("pk", flat=True))
    for change in Change.objects.filter(~Exists(later), Exists(by_admin), verb="member.invited", at__gt=since):
        if int(change.subject_id) in logins:
            Invitation.objects.create(
                pk=change.pk,
                club_id=change.club_id,
                user_id=int(change.subject_id),
                created_by_id=change.actor_id,
                created_at=change.at,
                **{role: change.after[role] for role in ("scorer", "treasurer", "admin")},
            )
    with schema_editor.connection.cursor() as cursor:
        for statement in schema_editor.connection.ops.sequence_reset_sql(no_style(), [Invitation]):
            cursor.execute(statement)


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('scoring', '0034_what_if_without_runs'),
    ]

    operations = [
        migrations.AlterField(
            model_name='membership',
            name='club',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='%(class)ss', to='scoring.club'),
        ),
        migrations.AlterField(
            model_name='membership',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scorer', models.BooleanField(default=False, verbose_name='Schreiber: gibt Abende ein und berichtigt sie')),
                ('treasurer', models.BooleanField(default=False, verbose_name='Kassenwart: führt die Kasse')),
                ('admin', models.BooleanField(default=False, verbose_name='Verwalter: Personen, Regeln, geschlossene Abende')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='%(class)ss', to='scoring.club')),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('club', 'user'), name='invitation_open_once')],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
        Settled(),
    ]
