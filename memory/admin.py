"""The stock admin, for superusers: accounts, workspaces and memberships. Memories are changed on the console's pages
only, where every change is a version with an actor and a reason."""

from django.contrib import admin

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

    def has_delete_permission(self, request, obj=None) -> bool:
        # Deleting a workspace would take its whole history along, without a trace.
        return False
