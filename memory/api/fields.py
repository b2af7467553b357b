"""Single values of the API: ids, texts, moments, objects. Nothing is coerced: a number is not a text."""

import json
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty

from memory.api.errors import hinted

ID_LENGTH = 200
CONTENT_LENGTH = 200_000
OBJECT_LENGTH = 20_000
CLOCK_SKEW = timedelta(minutes=5)
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_SERVERS_OWN = frozenset({"credibility", "status", "source_class", "confirmed_at", "pinned", "heat", "version"})


class Fields(serializers.Serializer):
    """A set of fields that refuses every other field by its name."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            raise serializers.ValidationError("An object is expected here.")
        unknown = [name for name in data if name not in self.fields]
        if unknown:
            raise serializers.ValidationError({name[:80]: [self._unknown(name)] for name in unknown})
        return super().to_internal_value(data)

    def _unknown(self, name: str) -> serializers.ErrorDetail:
        close = get_close_matches(name[:80], list(self.fields), n=1, cutoff=0.6)
        hint = f'Did you mean "{close[0]}"?' if close else f"Known here: {', '.join(self.fields)}."
        if name in _SERVERS_OWN:
            hint = "The server decides this; a caller cannot set it."
        return hinted("This field is not known.", hint).detail[0]


class Text(serializers.CharField):
    """A string, kept exactly as it came."""

    def __init__(self, **options: Any):
        super().__init__(**{"trim_whitespace": False, "max_length": CONTENT_LENGTH} | options)

    def run_validation(self, data: Any = empty) -> Any:
        if not isinstance(data, str) and data is not None and data is not empty:
            raise hinted("This must be a string.")
        if isinstance(data, str) and not self.allow_blank and not data.strip():
            raise hinted("This must not be blank.")
        return super().run_validation(data)

    def to_internal_value(self, data: str) -> str:
        return data


class Id(Text):
    """A caller's name for a user, a run or an agent: 1 to 200 characters, visible, never a wildcard."""

    def __init__(self, **options: Any):
        super().__init__(**{"max_length": ID_LENGTH} | options)

    def run_validation(self, data: Any = empty) -> Any:
        if isinstance(data, str):
            if all(unicodedata.category(sign)[0] in "ZC" for sign in data):
                raise hinted("This must not be blank.", "Name one user or run; there is no way to name all.")
            if data == "*":
                raise hinted('"*" is not an id.', "Name one user or run; there is no way to name all.")
            if any(unicodedata.category(sign) == "Cc" for sign in data):
                raise hinted("This must not contain control characters.")
            if "\ufffd" in data:
                # what stands for bytes that could not be read: two broken ids would become one user
                raise hinted("This contains a character that could not be read.", "Send it as UTF-8.")
            if data != data.strip():
                raise hinted("This must not begin or end with a space.")
        return super().run_validation(data)


@extend_schema_field(OpenApiTypes.DATETIME)
class Moment(serializers.Field):
    """ISO 8601 with an offset in, UTC with `Z` out: the same moment is the same string everywhere."""

    def to_internal_value(self, data: Any) -> datetime:
        try:
            moment = parse_datetime(data) if isinstance(data, str) else None
        except ValueError:
            moment = None
        if moment is None:
            raise hinted("This is not an ISO 8601 time.", "For example 2026-05-04T09:30:00Z; in a URL write + as %2B.")
        if timezone.is_naive(moment):
            raise hinted("This time has no offset.", f"Write {moment.isoformat()}Z for UTC, or end it with +08:00.")
        try:
            return moment.astimezone(UTC)
        except OverflowError as error:
            raise hinted("This time is out of range.") from error

    def to_representation(self, value: datetime) -> str:
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


class EventTime(Moment):
    """When something was said or done. A clock that runs up to five minutes ahead is forgiven: the time becomes now."""

    def to_internal_value(self, data: Any) -> datetime:
        moment, now = super().to_internal_value(data), timezone.now()
        if moment > now + CLOCK_SKEW:
            raise hinted("This time is in the future.", "Events are what has happened; check the sender's clock.")
        if moment < EARLIEST:
            raise hinted("This time is before 1970.")
        return min(moment, now)


class PastMoment(Moment):
    """A time that has come: what was known later than now, nobody can say."""

    def to_internal_value(self, data: Any) -> datetime:
        moment = super().to_internal_value(data)
        if moment > timezone.now():
            raise hinted("This time is in the future.", "Leave it out for what is known now.")
        return moment


@extend_schema_field(OpenApiTypes.OBJECT)
class Object(serializers.Field):
    """A JSON object of the caller's own, given back as it came."""

    def __init__(self, *, max_length: int = OBJECT_LENGTH, **options: Any):
        super().__init__(**options)
        self.max_length = max_length

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise hinted("This must be an object.")
        length = len(json.dumps(data, ensure_ascii=False))
        if length > self.max_length:
            raise hinted(f"This has {length} characters as JSON; {self.max_length} are allowed.")
        return data

    def to_representation(self, value: dict[str, Any]) -> dict[str, Any]:
        return value


@extend_schema_field(OpenApiTypes.ANY)
class ToolOutput(serializers.Field):
    """What a tool gave back, in any of the shapes that memory/mcp/sanitize.py takes. It is cleaned, never refused."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict | list | str):
            raise hinted(
                "This is no tool result.", "Send the CallToolResult, the JSON-RPC answer around it, or the tool's text."
            )
        return data

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field(OpenApiTypes.BOOL)
class Flag(serializers.Field):
    """true or false; not 1, not "yes"."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            raise hinted("This must be true or false.")
        return data

    def to_representation(self, value: bool) -> bool:
        return value


@extend_schema_field(OpenApiTypes.BOOL)
class QueryFlag(serializers.Field):
    """The word true or false in an address, where every value is a text."""

    def to_internal_value(self, data: Any) -> bool:
        if data not in ("true", "false"):
            raise hinted("This must be true or false.")
        return data == "true"

    def to_representation(self, value: bool) -> bool:
        return value


class Whole(serializers.IntegerField):
    """A whole number; not a text of digits and not a boolean."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            raise hinted("This must be a whole number.")
        return data


class Share(serializers.FloatField):
    """A number from 0 to 1."""

    def __init__(self, **options: Any):
        super().__init__(min_value=0, max_value=1, **options)

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            raise hinted("This must be a number.")
        return float(data)


class Word(serializers.ChoiceField):
    """One of a few words."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            raise hinted("This value is not known.", f"Use one of: {', '.join(self.choices)}.")
        return data
