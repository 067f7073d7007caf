import django.db.models.deletion
from django.db import migrations, models

from scoring.core.migrations import Settled

class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0016_careers'),
    ]

    operations = [
        migrations.CreateModel(
            name='YearCareer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('games', models.PositiveIntegerField()),
                ('points', models.BigIntegerField()),
                ('wins', models.PositiveIntegerField()),
                ('solos', models.PositiveIntegerField()),
                ('solos_won', models.PositiveIntegerField()),
                ('solo_points', models.BigIntegerField()),
                ('re', models.PositiveIntegerField()),
                ('sided', models.PositiveIntegerField()),
                ('bock_points', models.BigIntegerField()),
                ('wins_first', models.PositiveIntegerField()),
                ('wins_longest', models.PositiveIntegerField()),
                ('wins_last', models.PositiveIntegerField()),
                ('unit', models.CharField(choices=[('points', 'Punkte'), ('cents', 'Cent')], max_length=6)),
                ('year', models.PositiveSmallIntegerField()),
                ('points_of_games', models.BigIntegerField()),
                ('evenings', models.PositiveIntegerField()),
                ('evenings_won', models.PositiveIntegerField()),
                ('best_evening', models.BigIntegerField(null=True)),
                ('worst_evening', models.BigIntegerField(null=True)),
                ('last_day', models.DateField()),
                ('last_evening', models.DateField(null=True)),
                ('won', models.JSONField(blank=True)),
                ('told', models.JSONField()),
                ('mates', models.JSONField(blank=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='years', to='scoring.club')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='years', to='scoring.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'player', 'unit', 'year'), name='year_career_once'), models.CheckConstraint(condition=models.Q(('unit__in', ['points', 'cents'])), name='year_career_unit_known')],
            },
        ),
        # Its rows are counted in 0019, when it has all its fields.
        Settled(),
    ]
