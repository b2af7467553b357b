"""Signing in, slowed down for whoever guesses."""

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from memory.actor import client_address
from memory.counter import counter

TRIES, WINDOW = 8, 300  # per name and address, seconds


class ThrottledForm(AuthenticationForm):
    """Counts failures per (name, address): a colleague behind the same proxy is not locked out by a stranger."""

    def clean(self):
        name = str(self.cleaned_data.get("username", ""))[:150].lower()
        key = f"login:{name.encode().hex()}:{client_address(self.request)}"
        if counter.value(key) >= TRIES:
            raise ValidationError(_("Too many attempts. Wait five minutes and try again."), code="throttled")
        try:
            cleaned = super().clean()
        except ValidationError:
            counter.step(key, seconds=WINDOW)
            raise
        counter.drop(key)
        return cleaned


class ThrottledLogin(LoginView):
    form_class = ThrottledForm
    redirect_authenticated_user = True
