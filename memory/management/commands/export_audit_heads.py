"""`manage.py export_audit_heads`: the heads of the audit's chains, to be kept elsewhere."""

import json
import time

from django.core.management.base import BaseCommand
from django.utils import timezone

from memory.audit import heads, seal

SECONDS = 60


class Command(BaseCommand):
    help = (
        "Seals what is final and prints the last seal of every workspace's chain, one JSON object a line. Append them "
        "to a file on another machine; `verify_audit --heads FILE` holds the audit against it."
    )

    def handle(self, **options):
        seal.seal(now=timezone.now(), until=time.monotonic() + SECONDS)
        for head in heads.heads():
            self.stdout.write(json.dumps(head))
