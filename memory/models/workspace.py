"""Who may do what with whose memory: workspaces, their members, their agents' keys, and the people remembered."""

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Workspace(models.Model):
    """The isolation boundary: one product's agents, their users, its settings and members."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    # Only what differs from the defaults; memory/policy.py validates it and fills in the rest.
    settings = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person's role in one workspace. The role is a group; its permissions count in this workspace only."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.ForeignKey(Group, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "person"], name="membership_once")]
        permissions = [
            ("view_console", _("Can read the console")),
            ("decide_conflict", _("Can decide conflicts")),
            ("change_memory_text", _("Can edit, restore and retract memories")),
            ("export_data", _("Can export decisions and audit")),
            ("manage_workspace", _("Can manage keys, members and settings")),
        ]

    def __str__(self) -> str:
        return f"{self.person} · {self.role} · {self.workspace}"


class EndUser(models.Model):
    """The person or entity an agent remembers things about; `external_id` is the API's `user_id`.

    `revision` grows by one with every change of the user's memories: it is the key of the per-process index
    cache and the guard that makes two writers who compared against the same state not both win.
    `intake_until` is the lease of the worker that judges this user's events in order.
    """

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="users")
    external_id = models.CharField(max_length=200)
    revision = models.PositiveBigIntegerField(default=0)
    intake_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "external_id"], name="user_once_per_workspace"),
            models.CheckConstraint(condition=~Q(external_id=""), name="user_id_not_blank"),
        ]

    def __str__(self) -> str:
        return self.external_id


class Session(models.Model):
    """One conversation or run of an agent with one user; `run_id` is the caller's name for it."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="sessions")
    run_id = models.CharField(max_length=200)
    agent_id = models.CharField(max_length=200, blank=True)
    task_state = models.JSONField(default=dict, blank=True)
    started_at = models.DateTimeField()
    last_event_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "run_id"], name="run_once_per_user"),
            models.CheckConstraint(condition=~Q(run_id=""), name="run_id_not_blank"),
        ]
        indexes = [
            # the feed of changes names a run, of whichever user
            models.Index(fields=["workspace", "run_id"], name="session_by_run"),
            models.Index(fields=["user", "-last_event_at"], name="session_user_recent"),
        ]

    def __str__(self) -> str:
        return self.run_id


class AgentKey(models.Model):
    """A bearer key of one workspace. Only the SHA-256 of the secret is kept; `prefix` finds the row."""

    READ, WRITE = "read", "write"

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="agent_keys")
    name = models.CharField(max_length=120)
    prefix = models.CharField(max_length=12, unique=True)
    digest = models.CharField(max_length=64)
    scopes = models.JSONField(default=list)
    # External ids of the users this key may name; empty means every user of the workspace, one at a time.
    only_users = models.JSONField(default=list, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    # DRF asks these of whatever authentication puts into request.user.
    @property
    def is_authenticated(self) -> bool:
        return True


class WorkerBeat(models.Model):
    """One row per worker host, touched by a schedule each minute: the console knows whether jobs are being done."""

    name = models.CharField(max_length=120, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at:%H:%M:%S}"
