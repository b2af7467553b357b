"""How pages write a moment: as a reader says it, and beside it as programs read it."""

from datetime import UTC, date, datetime

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter(expects_localtime=True, is_safe=True)
def moment(value: datetime | date | None, style: str = "DATETIME_FORMAT") -> SafeString | str:
    """`<time>` with the moment in the reader's zone and language, of a format Django names or spells; "" of None.

    Its `datetime` is of UTC, or a day where no more is known. It fits into a sentence of {% blocktranslate %} too.
    """
    if value is None:
        return ""
    exact = value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value.isoformat()
    return format_html('<time datetime="{}">{}</time>', exact, date_format(value, style))
