from django.db import migrations, models

from scoring.core.migrations import Settled


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0019_years_by_evening'),
    ]

    operations = [
        migrations.AddField(
            model_name='season',
            name='waits',
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
        Settled(),
    ]
