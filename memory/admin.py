"""The stock admin, for superusers: accounts, workspaces and memberships. Memories are changed on the console's pages
only, where every change is a version with an actor and a reason."""

from django.contrib import admin
from django.utils import timezone

from memory.actor import from_request
from memory.audit import log
from memory.models import Membership, Workspace


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 1
    autocomplete_fields = ["person"]


@admin.register(Workspace)
class WorkspaceAdmin(admin.ModelAdmin):
    list_display = ["name", "slug", "created_at"]
    prepopulated_fields = {"slug": ["name"]}
    exclude = ["settings"]
    inlines = [MembershipInline]

    def save_formset(self, request, form, formset, change):
        """Who sits in the workspace, and as what, is told member by member."""
        before = _roles(form.instance)
        super().save_formset(request, form, formset, change)
        after = _roles(form.instance)
        for person in sorted(set(before) | set(after)):
            if before.get(person) != after.get(person):
                log.record(
                    workspace=form.instance, actor=from_request(request), action="membership.change",
                    now=timezone.now(), object_type="account", object_id=person[0],
                    before={"person": person[1], "role": before.get(person)},
                    after={"person": person[1], "role": after.get(person)},
                )  # fmt: skip

    def has_delete_permission(self, request, obj=None) -> bool:
        # Deleting a workspace would take its whole history along, without a trace.
        return False


def _roles(workspace: Workspace) -> dict[tuple[int, str], str]:
    """The members, by key and name, and the role of each."""
    members = Membership.objects.filter(workspace=workspace).select_related("person", "role")
    return {(member.person_id, member.person.get_username()): member.role.name for member in members}
