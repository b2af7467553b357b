"""The ASGI entry, for servers that speak it; everything works the same through WSGI."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hindsight_site.settings")
application = get_asgi_application()
