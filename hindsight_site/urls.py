"""Where everything is: agents under /api/v1, people everywhere else."""

from django.contrib import admin
from django.urls import include, path

from hindsight_site import errors, health, metrics
from hindsight_site.login import Logout, ThrottledLogin

urlpatterns = [
    path("health/live", health.live, name="live"),
    path("health/ready", health.ready, name="ready"),
    path("metrics", metrics.show, name="metrics"),
    path("api/v1/", include("memory.api.urls")),
    path("login/", ThrottledLogin.as_view(), name="login"),
    path("logout/", Logout.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("", include("review.urls")),
]

handler400, handler403 = errors.bad_request, errors.permission_denied
handler404, handler500 = errors.not_found, errors.server_error
