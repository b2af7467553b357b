"""The language model that reads events where one is configured. It says what a text means; rules decide the rest."""

from django.conf import settings


def is_set_up() -> bool:
    return bool(settings.LLM_MODEL)
