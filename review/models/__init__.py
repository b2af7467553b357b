from review.models.notices import Delivery, Webhook
from review.models.quality import BacklogDay, Handling, SecondLook
from review.models.rules import AutoRule, RuleAct
from review.models.work import (
    Assignment,
    BulkRun,
    Claim,
    Decision,
    Deferral,
    Erasing,
    Mention,
    Note,
    Proposal,
    ReviewerSettings,
    SavedView,
    Skip,
    Viewing,
)

__all__ = [
    "Assignment",
    "AutoRule",
    "BacklogDay",
    "BulkRun",
    "Claim",
    "Decision",
    "Deferral",
    "Delivery",
    "Erasing",
    "Handling",
    "Mention",
    "Note",
    "Proposal",
    "ReviewerSettings",
    "RuleAct",
    "SavedView",
    "SecondLook",
    "Skip",
    "Viewing",
    "Webhook",
]
