"""What became of a webhook's event, in words."""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from review.models import Delivery

register = template.Library()

# the codes of review/notices/sending.py
FAILURES = {
    "private": gettext_lazy("the name leads into a private network"),
    "slow": gettext_lazy("no answer in time"),
    "name": gettext_lazy("the name is unknown"),
    "tls": gettext_lazy("its certificate is not trusted"),
    "unreachable": gettext_lazy("nothing answers there"),
    "broken": gettext_lazy("the connection broke"),
}


@register.filter
def outcome(delivery: Delivery) -> str:
    """Its last answer, and after how many attempts."""
    if delivery.status:
        last = f"HTTP {delivery.status}"
    else:
        last = str(FAILURES.get(delivery.error, "")) or _("no answer is known")
    tries = ngettext("%(n)d attempt", "%(n)d attempts", delivery.attempts) % {"n": delivery.attempts}
    return f"{last} · {tries}"
