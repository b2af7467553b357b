"""The stock admin, with the console's own site in it."""

from django.contrib.admin.apps import AdminConfig


class Admin(AdminConfig):
    default_site = "hindsight_site.admin.Site"
