"""What a workspace may set for itself: defaults, limits, and one validated object per workspace."""

from dataclasses import fields
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from memory.intake.screen import DEFAULT_ACTIONS
from memory.models import Workspace
from memory.models.episode import SourceClass
from memory.recall.scoring import RankingSettings

Unit = Annotated[float, Field(ge=0, le=1)]

SOURCE_WEIGHTS: dict[str, float] = {
    SourceClass.USER_INPUT: 1.0,
    SourceClass.TOOL_RETURN: 0.8,
    SourceClass.LLM_REASONING: 0.5,
    SourceClass.UNKNOWN: 0.4,
    SourceClass.LLM_SUMMARY: 0.3,
    SourceClass.EXTERNAL_CONTENT: 0.3,
}


class Policy(BaseModel):
    """A workspace's settings. Unknown names and values out of range are refused with their field."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    # working memory: the last turns of a session and how long they live
    working_turns: Annotated[int, Field(ge=2, le=100)] = 12
    working_ttl_hours: Annotated[float, Field(gt=0, le=24 * 30)] = 24

    # starting credibility by source class
    source_weights: dict[SourceClass, Unit] = Field(default_factory=dict, validate_default=True)

    # what a screen does with what it finds (memory/intake/screen.py), where it is not its default
    screens: dict[str, Literal["block", "hold", "label"]] = Field(default_factory=dict)

    # hours until a waiting conflict is due, by band
    due_hours_high: Annotated[float, Field(gt=0, le=1000)] = 4
    due_hours_medium: Annotated[float, Field(gt=0, le=1000)] = 24
    due_hours_low: Annotated[float, Field(gt=0, le=1000)] = 72
    undo_minutes: Annotated[int, Field(ge=1, le=24 * 60)] = 15
    # whether a decision waits for a second person: never, on conflicts of the high band, or always
    second_person: Literal["off", "high", "always"] = "off"
    # the share of decisions that a second reviewer looks at without seeing them (review/second_look.py)
    second_look_share: Unit = 0.05
    lesson_days: Annotated[int, Field(ge=1, le=3650)] = 180

    # days that the audit is kept, 0 for ever (memory/audit/remove.py)
    audit_days: Annotated[int, Field(ge=0, le=36_500)] = 0

    # days that events are kept in the database, 0 for ever; older ones go to files by month (memory/files)
    episode_days: Annotated[int, Field(ge=0, le=36_500)] = 0

    # days after which a recall's warmth has halved
    heat_half_life_days: Annotated[float, Field(gt=0, le=3650)] = 30

    # whether cold memories are archived at night, below which heat, after how many days without a recall or a change
    archive_on: bool = False
    archive_below: Annotated[float, Field(gt=0, le=1000)] = 0.1
    archive_days: Annotated[int, Field(ge=1, le=3650)] = 90

    # what a language model may read and write for this workspace in a day (UTC); 0 keeps its texts from the model
    llm_tokens_per_day: Annotated[int, Field(ge=0, le=10**10)] = 1_000_000

    # the share of searches whose recall is logged, and for how many days; what is not logged, nobody can look up later
    recall_log_share: Unit = 1
    recall_days: Annotated[int, Field(ge=1, le=3650)] = 365

    # overrides of memory/recall/scoring.py RankingSettings
    ranking: dict[str, float] = Field(default_factory=dict)

    @field_validator("episode_days")
    @classmethod
    def _leave_time(cls, given: int) -> int:
        # what counts a quarter of a year back reads them in the database (memory/upkeep/days.py)
        if 0 < given < 90:
            raise ValueError("use 0, or 90 days and more")
        return given

    @field_validator("source_weights")
    @classmethod
    def _fill_weights(cls, given: dict) -> dict:
        return SOURCE_WEIGHTS | given

    @field_validator("screens")
    @classmethod
    def _check_screens(cls, given: dict) -> dict:
        if unknown := set(given) - set(DEFAULT_ACTIONS):
            raise ValueError(f"there is no screen {', '.join(sorted(unknown))}")
        return given

    @field_validator("ranking")
    @classmethod
    def _check_ranking(cls, given: dict) -> dict:
        unknown = set(given) - {field.name for field in fields(RankingSettings)}
        if unknown:
            raise ValueError(f"there is no ranking setting {', '.join(sorted(unknown))}")
        RankingSettings(**given)
        return given

    def ranking_settings(self) -> RankingSettings:
        return RankingSettings(**self.ranking)

    def due_hours(self, band: int) -> float:
        return (self.due_hours_high, self.due_hours_medium, self.due_hours_low)[band - 1]


def policy_of(workspace: Workspace) -> Policy:
    """The workspace's policy. A stored value that no longer validates is an error, never a silent default."""
    try:
        return Policy(**workspace.settings)
    except ValidationError as error:
        raise ValueError(f"The settings of workspace {workspace.slug} are not valid: {error}") from error
