"""Settings that are numbers, tried before they are saved: read from a form, shown as texts, and those saved before."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from memory.models import AuditEvent, Workspace

EARLIER = 10


@dataclass(frozen=True, slots=True)
class Earlier:
    """Settings that were saved: by whom, and what they changed as (label, before, after). `query` fills the form with
    them; `is_now` says that they are in force."""

    event: AuditEvent
    changes: list[tuple[str, str, str]]
    query: str
    is_now: bool


def shown(value: float) -> str:
    """A number as the form shows it and reads it again, in every language."""
    return repr(float(value)).removesuffix(".0")


def read(given: Mapping[str, str], most: Mapping[str, float]) -> tuple[dict[str, float], dict[str, str]]:
    """The numbers that a form holds, each from 0 to its `most`, and by name what is wrong with those that are none."""
    values, errors = {}, {}
    for name, highest in most.items():
        try:
            value = float(given.get(name, ""))
        except ValueError:
            value = math.nan
        # not a number is in no range
        if 0 <= value <= highest:
            values[name] = value
        else:
            errors[name] = _("A number from 0 to %(most)s.") % {"most": shown(highest)}
    return values, errors


def earlier(
    workspace: Workspace, action: str, saved: Mapping[str, float], *, labels: Mapping[str, str],
    whole: Callable[[Mapping], Mapping[str, float]],
) -> list[Earlier]:  # fmt: skip
    """The last EARLIER that were saved by this action of the audit, latest first. `labels` has every setting by its
    name; `whole` makes all values of what an event keeps of one side."""
    events = AuditEvent.objects.filter(
        object_type="workspace", object_id=str(workspace.pk), workspace=workspace, action=action, denied=False
    )
    return [_earlier(event, saved, labels, whole) for event in events.order_by("-at", "-pk")[:EARLIER]]


def _earlier(event: AuditEvent, saved, labels: Mapping[str, str], whole) -> Earlier:
    before, after = ({name: whole(side)[name] for name in labels} for side in (event.before, event.after))
    changes = [
        (str(label), shown(before[name]), shown(after[name]))
        for name, label in labels.items()
        if before[name] != after[name]
    ]
    query = urlencode({name: shown(value) for name, value in after.items()})
    return Earlier(event, changes, query, after == dict(saved))
