"""The WSGI entry for gunicorn."""

import os

from django.core.wsgi import get_wsgi_application

from hindsight_site import env

env.web_process = True
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hindsight_site.settings")
application = get_wsgi_application()
