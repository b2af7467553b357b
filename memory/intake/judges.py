"""Which judge reads an event: rules always, and where they are not sure the model, if there is one and it answers.

A model is asked about the next few waiting events of the user together, so that one call serves them all.
"""

from dataclasses import replace

from memory import llm
from memory.intake import judge_llm, judge_rules, surroundings
from memory.intake.distil import distil
from memory.intake.types import Claim, Event, ScreenContext, Verdict
from memory.llm import judge, usage
from memory.llm.answers import Judged
from memory.llm.prompts import Asked
from memory.models import Episode
from memory.policy import policy_of


class Judges:
    """For one run over one user's waiting episodes: keeps the model's answers to those that are still to come."""

    def __init__(self, *, ask_model: bool = True) -> None:
        self._ask_model = ask_model and llm.is_set_up()
        self._answers: dict[int, Judged | str] = {}

    def judge(self, episode: Episode, event: Event, around: ScreenContext) -> tuple[Verdict, list[Claim]]:
        """The verdict on an event, and the claims made from it. Asks the model at most once, outside of any
        transaction; a model that is away or unreadable is no error but a `fallback` of the verdict."""
        by_rules = _rules(event, around)
        if not self._wanted(episode, event, around, by_rules):
            return by_rules, distil(event, by_rules)
        if episode.pk not in self._answers:
            self._ask(episode, event)
        answer = self._answers.pop(episode.pk)
        if isinstance(answer, str):
            return replace(by_rules, fallback=answer), distil(event, by_rules)
        reading = judge_llm.read(
            event, answer, by_rules, judge=judge.name(event.lang), recalled=around.recalled_texts,
            boot_texts=around.boot_texts,
        )  # fmt: skip
        usage.count(episode.workspace, invented=reading.invented)
        return reading.verdict, reading.claims

    def _wanted(self, episode: Episode, event: Event, around: ScreenContext, by_rules: Verdict) -> bool:
        return (
            self._ask_model
            and policy_of(episode.workspace).llm_tokens_per_day > 0
            and not judge_llm.rules_suffice(
                event, by_rules, recalled=around.recalled_texts, boot_texts=around.boot_texts
            )
        )

    def _ask(self, episode: Episode, event: Event) -> None:
        """Asks about the episode and as many of those behind it as the model takes at once; a text that is too long
        on its own is cut."""
        room = judge.room(event.lang, judge.TOGETHER)
        asked: dict[int, Asked] = {}
        for pk, one in ({episode.pk: event} | self._company(episode, event)).items():
            text = one.text if asked else judge.cut(one.text, room)
            room -= judge.tokens_of(text)
            if asked and room < 0:
                break
            asked[pk] = Asked(number=len(asked) + 1, role=one.role, name=one.name, text=text)
        answers = judge.judge(episode.workspace, event.lang, list(asked.values()))
        self._answers |= {pk: answers[one.number] for pk, one in asked.items()}

    def _company(self, episode: Episode, event: Event) -> dict[int, Event]:
        """The user's next waiting events that the model would be asked about as well, in the same language."""
        waiting = Episode.objects.filter(
            user_id=episode.user_id, judging=Episode.Judging.PENDING, infer=True, pk__gt=episode.pk
        ).exclude(pk__in=self._answers)
        company: dict[int, Event] = {}
        for later in waiting.select_related("user__workspace", "session").order_by("pk")[: judge.TOGETHER - 1]:
            other = surroundings.event_of(later)
            around = surroundings.gather(later, later.recorded_at)
            if other.lang == event.lang and self._wanted(later, other, around, _rules(other, around)):
                company[later.pk] = other
        return company


def _rules(event: Event, around: ScreenContext) -> Verdict:
    return judge_rules.judge(event, recalled=around.recalled_texts, boot_texts=around.boot_texts)
