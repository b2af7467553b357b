"""Pages of a list that may have a million rows."""

from functools import cached_property

from django.core.paginator import Page, Paginator

MOST = 5000


class Pages(Paginator):
    """The first MOST rows of a query, which is as far as anybody reads on: filters lead further.

    Neither counting nor the last page costs more than these. Rows are placed by their key alone and then fetched, so
    that what stands on earlier pages is not joined with anything.
    """

    @cached_property
    def count(self) -> int:
        return self.object_list[:MOST].count()

    @property
    def more(self) -> bool:
        """Whether there may be rows that no page shows."""
        return self.count == MOST

    def page(self, number: int | str) -> Page:
        number = self.validate_number(number)
        start = (number - 1) * self.per_page
        keys = self.object_list.prefetch_related(None).values_list("pk", flat=True)
        wanted = list(keys[start : min(start + self.per_page, self.count)])
        return self._get_page(self.object_list.filter(pk__in=wanted), number, self)
