from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = _("Review")

    def ready(self) -> None:
        from memory.erasure import places
        from review.erasure import EXTENSION

        places.register(EXTENSION)
