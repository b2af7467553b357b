"""Which memories stay although nobody asks: seasons, clocks and the arithmetic of heat."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from memory.recall.heat import cooled
from memory.recall.keeping import Limits, Spared, Warmth, is_seasonal, spared, visits

LIMITS = Limits(below=0.1, days=90, half_life_days=30)


def warmth(now, **fields):
    old = {"pinned": False, "contested": False, "heat": 0.0, "heat_at": None, "last_hit_at": None}
    return Warmth(**(old | {"changed_at": now - timedelta(days=400)} | fields))


def test_what_is_cold_and_old_goes(now):
    assert spared(warmth(now), limits=LIMITS, now=now) is None


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"pinned": True}, Spared.PINNED),
        ({"contested": True}, Spared.CONTESTED),
        ({"hit_days": [date(2025, 1, 2), date(2026, 1, 4)]}, Spared.SEASONAL),
    ],
)
def test_what_is_kept_says_why(now, fields, why):
    assert spared(warmth(now, **fields), limits=LIMITS, now=now) == why


@pytest.mark.parametrize(("days", "why"), [(90, None), (89.99, Spared.RECENT)])
def test_a_memory_never_recalled_counts_from_its_last_change(now, days, why):
    assert spared(warmth(now, changed_at=now - timedelta(days=days)), limits=LIMITS, now=now) == why


def test_a_hit_within_the_days_keeps_it_however_cold(now):
    hit = now - timedelta(days=10)
    assert spared(warmth(now, heat=1e-9, heat_at=hit, last_hit_at=hit), limits=LIMITS, now=now) == Spared.RECENT


def test_a_memory_much_used_once_is_warm_until_it_cools(now):
    hit = now - timedelta(days=120)  # four half-lives
    assert spared(warmth(now, heat=1.7, heat_at=hit, last_hit_at=hit), limits=LIMITS, now=now) == Spared.WARM
    assert spared(warmth(now, heat=1.5, heat_at=hit, last_hit_at=hit), limits=LIMITS, now=now) is None


def test_a_hit_in_the_future_of_a_skewed_clock_keeps_it(now):
    hit = now + timedelta(days=3)
    assert spared(warmth(now, heat=0.01, heat_at=hit, last_hit_at=hit), limits=LIMITS, now=now) == Spared.RECENT


def test_the_moment_counts_not_the_zone_it_is_written_in(now):
    shanghai = (now - timedelta(days=89, hours=23)).astimezone(timezone(timedelta(hours=8)))
    assert spared(warmth(now, changed_at=shanghai), limits=LIMITS, now=now) == Spared.RECENT


@pytest.mark.parametrize(
    "days",
    [
        [date(2024, 2, 29), date(2025, 2, 28)],  # a leap day
        [date(2023, 12, 31), date(2025, 1, 1)],  # the same night of the year, by two zones
        [date(2024, 12, 1), date(2024, 12, 10), date(2024, 12, 20), date(2025, 12, 18)],  # a season, not a day
    ],
)
def test_what_is_asked_each_year_is_seasonal(days):
    assert is_seasonal(days, today=days[-1] + timedelta(days=364))


def test_what_is_asked_each_quarter_is_seasonal_whatever_the_months_lengths():
    days = [date(2024, 11, 30), date(2025, 2, 28), date(2025, 5, 31), date(2025, 8, 31)]
    assert is_seasonal(days, today=date(2025, 11, 30))


def test_two_hits_a_quarter_apart_are_chance():
    assert not is_seasonal([date(2025, 1, 10), date(2025, 4, 10)], today=date(2025, 7, 1))


def test_a_season_that_was_missed_is_over():
    days = [date(2023, 3, 1), date(2024, 3, 1)]
    assert is_seasonal(days, today=date(2025, 3, 20))
    assert not is_seasonal(days, today=date(2025, 5, 1))


def test_what_was_used_daily_for_two_years_is_no_season():
    days = [date(2024, 1, 1) + timedelta(days=n) for n in range(730)]
    assert visits(days) == [date(2024, 1, 1)]
    assert not is_seasonal(days, today=date(2026, 2, 1))


def test_one_hit_and_none_are_no_season():
    assert not is_seasonal([], today=date(2026, 1, 1))
    assert not is_seasonal([date(2025, 1, 1)], today=date(2026, 1, 1))


def test_heat_of_huge_counts_and_ages_stays_a_number(now):
    long_ago = datetime(1, 1, 2, tzinfo=UTC)
    assert cooled(1e300, since=long_ago, now=now, half_life_days=0.001) == 0
    assert cooled(1e308, since=now, now=now, half_life_days=30) == 1e308
    assert 0 < cooled(1e9, since=now - timedelta(days=300), now=now, half_life_days=30) < 1e6
