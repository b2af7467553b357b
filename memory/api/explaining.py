"""What `explain` adds to the answer of a search: the parts of every score, and how the question was read."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from rest_framework import serializers

from memory import reasons
from memory.api.fields import Moment
from memory.credibility import Addend
from memory.history.evidence import credibility_of_memories
from memory.index.text import stop_words
from memory.models import EndUser
from memory.recall.answer import Answer, Found
from memory.recall.dates import Period


class AddendOut(serializers.Serializer):
    """One addend of a memory's credibility; all of them sum to it as decisions stand now."""

    id = serializers.CharField()
    amount = serializers.FloatField()
    reason = serializers.CharField(help_text="In the language of Accept-Language.")


class ScoresOut(serializers.DictField):
    """The parts of a score by name; null is what cannot be given, such as the meaning of what has no vector."""

    def __init__(self, **options: Any):
        super().__init__(**{"child": serializers.FloatField(allow_null=True), "required": False} | options)


class PeriodOut(serializers.Serializer):
    """A time the question names."""

    since = Moment()
    until = Moment(help_text="The first moment after it.")


class DegradedOut(serializers.Serializer):
    code = serializers.CharField()
    reason = serializers.CharField(help_text="In the language of Accept-Language.")


class ExplainedOut(serializers.Serializer):
    """How the question was read, and by which settings what was found was weighed."""

    terms = serializers.IntegerField(help_text="Distinct terms that were looked up.")
    dropped = serializers.ListField(
        child=serializers.CharField(), help_text="Words that say too little to be looked up."
    )
    periods = PeriodOut(many=True)
    candidates = serializers.IntegerField(help_text="Memories that were weighed.")
    settings = serializers.DictField(
        child=serializers.FloatField(), help_text="The workspace's ranking, with threshold."
    )
    minimum = serializers.DictField(
        child=serializers.FloatField(),
        help_text="An answer reaches dense, lexical or graph; or else carried, and in_context with the rest.",
    )
    degraded = DegradedOut(many=True)
    stages = serializers.DictField(child=serializers.FloatField(), help_text="Milliseconds of each stage, in order.")


def explained(shown: dict, answer: Answer, user: EndUser, query: str, *, at: datetime | None) -> dict:
    """The answer with its explanation; each credibility is the sum of the evidence there was at `at`, None: now."""
    found = [*answer.results, *answer.withheld]
    trust = credibility_of_memories(user.workspace, [each.memory for each in found], until=at)
    for told, each in zip([*shown["results"], *shown["withheld"]], found, strict=True):
        told["score"], told["scores"] = each.score, each.scores
        told["credibility_addends"] = [_addend(addend) for addend in trust[each.memory.pk].addends]
    return shown | {"explained": ExplainedOut(_reading(answer.found, query)).data}


def _reading(found: Found, query: str) -> dict:
    return {
        # their number and not the words: an answer repeats nothing of what was asked
        "terms": len(set(found.plan.terms)),
        "dropped": stop_words(query),
        "periods": [_period(each) for each in found.plan.periods],
        "candidates": len(found.weighed.index),
        "settings": asdict(found.settings),
        "minimum": {name: least for name, least in asdict(found.weighed.line).items() if least is not None},
        "degraded": [{"code": code, "reason": reasons.render(code)} for code in found.degraded],
        "stages": {stage: round(took, 3) for stage, took in found.times},
    }


def _period(period: Period) -> dict:
    return {"since": datetime.fromtimestamp(period.start, UTC), "until": datetime.fromtimestamp(period.end, UTC)}


def _addend(addend: Addend) -> dict:
    return {
        "id": addend.reason.code,
        "amount": round(addend.amount, 4),
        "reason": reasons.render(addend.reason.code, addend.reason.params),
    }
