"""The stock admin with an audit: what a superuser does there is written down like everything else."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from memory.actor import from_request
from memory.audit import log
from memory.audit.denied import deny
from memory.models import Workspace


class Site(admin.AdminSite):
    """Every model that any app registers is audited; people sign in on the console's own page."""

    def register(self, model_or_iterable, admin_class=None, **options):
        super().register(model_or_iterable, audited(admin_class or admin.ModelAdmin), **options)

    def login(self, request, extra_context=None):
        if request.user.is_authenticated:
            deny(
                workspace=None, actor=from_request(request), action="denied.admin", now=timezone.now(),
                object_type="page", object_id=request.path, reason=request.method,
            )  # fmt: skip
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next", "/admin/"))


def audited(base: type[admin.ModelAdmin]) -> type[admin.ModelAdmin]:
    """The admin class with an audit row for every object that is added, changed or deleted."""

    class Audited(base):
        def save_model(self, request, obj, form, change):
            request.audit_values = _values(form) if change else {}
            super().save_model(request, obj, form, change)

        def log_addition(self, request, obj, message):
            _record(request, obj, "add", {"after": {"object": str(obj)}})
            return super().log_addition(request, obj, message)

        def log_change(self, request, obj, message):
            values = getattr(request, "audit_values", {})
            _record(request, obj, "change", values or {"after": {"changes": message}})
            return super().log_change(request, obj, message)

        def log_deletions(self, request, queryset):
            for obj in queryset:
                _record(request, obj, "delete", {"before": {"object": str(obj)}})
            return super().log_deletions(request, queryset)

    Audited.__name__ = base.__name__
    return Audited


def _values(form) -> dict[str, Any]:
    """Before and after of what a form changed. Passwords are never in it."""
    names = [name for name in form.changed_data if "password" not in name]
    if not names:
        return {}
    return {
        "before": {name: _plain(form.initial.get(name)) for name in names},
        "after": {name: _plain(form.cleaned_data.get(name)) for name in names},
    }


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    try:
        return [str(each) for each in value]
    except TypeError:
        return str(value)


def _record(request, obj: Any, verb: str, values: dict[str, Any]) -> None:
    log.record(
        workspace=obj if isinstance(obj, Workspace) else None, actor=from_request(request), now=timezone.now(),
        action=f"admin.{obj._meta.model_name}.{verb}", object_type=obj._meta.model_name, object_id=str(obj.pk)[:64],
        **values,
    )  # fmt: skip
