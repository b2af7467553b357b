"""The ASGI entry, for servers that speak it; everything works the same through WSGI."""

import os

from django.core.asgi import get_asgi_application

from hindsight_site import env

env.web_process = True
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hindsight_site.settings")
application = get_asgi_application()
