"""`manage.py prepare`: everything `make run` needs before the servers start."""

import secrets

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection

from hindsight_site.env import env_int
from memory.audit import guard
from memory.models import Episode


class Command(BaseCommand):
    help = "Migrates, collects static files, makes a first login, and loads the demo into an empty database."

    def add_arguments(self, parser):
        parser.add_argument("--no-demo", action="store_true", help="leave an empty database empty")
        parser.add_argument("--no-static", action="store_true", help="collect no static files: an image has them")

    def handle(self, *, no_demo: bool, no_static: bool, **options):
        call_command("migrate", verbosity=0)
        if guard.missing():
            guard.install(connection)
        if not no_static:
            call_command("collectstatic", interactive=False, verbosity=0)
        self._first_login()
        if not no_demo and not Episode.objects.exists():
            call_command("demo", stdout=self.stdout)
        port = env_int("CONSOLE_PORT", 8080, low=1, high=65535)
        self.stdout.write(self.style.SUCCESS(f"The console will be at http://127.0.0.1:{port}"))

    def _first_login(self) -> None:
        User = get_user_model()
        note = settings.DATA_DIR / "first-login.txt"
        if not User.objects.filter(is_superuser=True).exists():
            password = secrets.token_urlsafe(12)
            User.objects.create_superuser("admin", password=password)
            note.touch(mode=0o600)
            note.write_text(f"name: admin\npassword: {password}\n")
            self.stdout.write(self.style.SUCCESS(f"First login: admin / {password}   (kept in {note})"))
        elif note.exists():
            self.stdout.write(f"The first login is in {note}")
