from django.db import migrations, models

from scoring.core.migrations import Settled


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0023_corrected_evenings'),
    ]

    operations = [
        migrations.AddField(
            model_name='fine',
            name='by_link',
            field=models.PositiveBigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='lateentry',
            name='by_link',
            field=models.PositiveBigIntegerField(blank=True, null=True),
        ),
        Settled(),
    ]
