"""Signing in, slowed down for whoever guesses, and in the audit like signing out."""

from django.contrib.auth import get_user_model
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from memory.actor import Actor, client_address, from_request, stranger
from memory.audit import log
from memory.audit.denied import deny
from memory.counter import counter

TRIES, WINDOW = 8, 300  # per name and address, seconds


class ThrottledForm(AuthenticationForm):
    """Counts failures per (name, address): a colleague behind the same proxy is not locked out by a stranger."""

    def clean(self):
        name = str(self.cleaned_data.get("username", ""))[:150]
        key = f"login:{name.lower().encode().hex()}:{client_address(self.request)}"
        if counter.value(key) >= TRIES:
            _refused(self.request, name, "signin.throttled")
            raise ValidationError(_("Too many attempts. Wait five minutes and try again."), code="throttled")
        try:
            cleaned = super().clean()
        except ValidationError:
            counter.step(key, seconds=WINDOW)
            _refused(self.request, name, "signin.failed")
            raise
        counter.drop(key)
        return cleaned


class ThrottledLogin(LoginView):
    form_class = ThrottledForm
    redirect_authenticated_user = True

    def form_valid(self, form):
        response = super().form_valid(form)
        _record(from_request(self.request), "signin")
        return response


class Logout(LogoutView):
    def post(self, request: HttpRequest, *args, **kwargs):
        if request.user.is_authenticated:
            _record(from_request(request), "signout")
        return super().post(request, *args, **kwargs)


def _record(actor: Actor, action: str) -> None:
    log.record(
        workspace=None, actor=actor, action=action, now=timezone.now(), object_type="account", object_id=actor.id
    )


def _refused(request: HttpRequest, name: str, action: str) -> None:
    """Of a name that nobody has, nothing is kept: people type passwords into the wrong field."""
    User = get_user_model()
    known = User.objects.filter(**{User.USERNAME_FIELD: name}).first() if name else None
    id, label = (str(known.pk), known.get_username()) if known else ("", "unknown name")
    deny(
        workspace=None, actor=stranger(request, kind="person", label=label, id=id), action=action, now=timezone.now(),
        object_type="account", object_id=id,
    )  # fmt: skip
