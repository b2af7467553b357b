"""The three roles as groups, and a first workspace, so that a fresh database can be used at once."""

from django.db import migrations

READS = ["view_console"]
ROLES = {
    "Reviewer": READS + ["decide_conflict", "change_memory_text"],
    "Auditor": READS + ["export_data"],
    "Admin": READS + ["decide_conflict", "change_memory_text", "export_data", "manage_workspace"],
}
NAMES = {
    "view_console": "Can read the console",
    "decide_conflict": "Can decide conflicts",
    "change_memory_text": "Can edit, restore and retract memories",
    "export_data": "Can export decisions and audit",
    "manage_workspace": "Can manage keys, members and settings",
}


def make_roles(apps, schema_editor):
    # Permission rows normally appear only after all migrations have run; the groups need them now.
    content_type, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
        app_label="memory", model="membership"
    )
    Permission = apps.get_model("auth", "Permission")
    Group = apps.get_model("auth", "Group")
    for role, codenames in ROLES.items():
        group, _ = Group.objects.get_or_create(name=role)
        for codename in codenames:
            permission, _ = Permission.objects.get_or_create(
                content_type=content_type, codename=codename, defaults={"name": NAMES[codename]}
            )
            group.permissions.add(permission)
    apps.get_model("memory", "Workspace").objects.get_or_create(slug="default", defaults={"name": "Default"})


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0001_tables"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [migrations.RunPython(make_roles, migrations.RunPython.noop)]
