"""`manage.py worker_alive`: a worker's health check. Exit code 1 when this host's worker gives no sign of life."""

import socket

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django_q.status import Stat

from memory.models import WorkerBeat
from memory.schedules import WORKER_SILENT


class Command(BaseCommand):
    help = "Answers 0 when a worker runs on this host, whatever other hosts do."

    def handle(self, **options):
        host = socket.gethostname()
        if not _alive(host):
            raise CommandError(f"No worker of {host} gives a sign of life.")
        self.stdout.write(f"The worker of {host} is alive.")


def _alive(host: str) -> bool:
    """By what the cluster says each second where a cache is shared, else by the last heartbeat job done here.

    Of several hosts only one does that job each minute, so it proves little about the others.
    """
    if settings.REDIS_URL:
        try:
            return any(cluster.host == host for cluster in Stat.get_all())
        except Exception:
            pass  # Redis is away, and the worker goes on without it
    return WorkerBeat.objects.filter(name=host, at__gt=timezone.now() - WORKER_SILENT).exists()
