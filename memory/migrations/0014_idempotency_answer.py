"""A key is stored with its answer or not at all: rows that waited for one belong to requests that died long ago."""

from django.db import migrations, models


def drop_unanswered(apps, schema_editor):
    apps.get_model("memory", "IdempotencyKey").objects.filter(response=None).delete()


class Migration(migrations.Migration):
    dependencies = [("memory", "0012_memory_labels")]

    operations = [
        migrations.RunPython(drop_unanswered, migrations.RunPython.noop),
        migrations.AlterField("idempotencykey", "response", models.JSONField()),
    ]
