"""People's pages."""

from django.urls import path, re_path

from review.pages import (
    archive,
    asof,
    changes,
    conflict,
    dashboard,
    defence,
    intake,
    keys,
    lab,
    memory,
    people,
    preferences,
    queue,
    ranking,
    recalls,
    stale,
)

VERBS = "edit|restore|retract|confirm|pin|unpin"
UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

urlpatterns = [
    path("", dashboard.show, name="dashboard"),
    path("review/", queue.index, name="queue"),
    path("review/<uuid:pk>/", conflict.show, name="conflict"),
    path("review/<uuid:pk>/decide/", conflict.decide, name="decide"),
    path("review/<uuid:pk>/undo/", conflict.undo, name="undo"),
    path("people/", people.index, name="people"),
    path("people/<int:pk>/", people.show, name="person"),
    path("people/<int:pk>/as-of/", asof.show, name="as_of"),
    path("memories/<uuid:pk>/", memory.show, name="memory"),
    re_path(rf"^memories/(?P<pk>{UUID})/(?P<verb>{VERBS})/$", memory.act, name="memory_act"),
    re_path(rf"^memories/(?P<pk>{UUID})/recalls\.(?P<kind>csv|jsonl)$", memory.recalls, name="memory_recalls"),
    path("lab/", lab.show, name="lab"),
    path("recalls/", recalls.index, name="recalls"),
    path("recalls/<uuid:pk>/", recalls.show, name="recall"),
    path("stale/", stale.index, name="stale"),
    path("changes/", changes.index, name="changes"),
    path("changes/<int:pk>/", changes.show, name="change"),
    path("changes/rollback/", changes.preview, name="rollback"),
    path("changes/rollback/now/", changes.roll_back, name="rollback_now"),
    path("archive/", archive.index, name="archive"),
    path("archive/settings/", archive.save, name="archive_save"),
    path("archive/now/", archive.run, name="archive_run"),
    path("archive/<uuid:pk>/restore/", archive.restore, name="archive_restore"),
    path("intake/", intake.index, name="intake"),
    path("intake/<int:pk>/retry/", intake.retry, name="retry"),
    path("settings/defence/", defence.index, name="defence"),
    path("settings/defence/save/", defence.save, name="defence_save"),
    path("settings/ranking/", ranking.index, name="ranking"),
    path("settings/ranking/save/", ranking.save, name="ranking_save"),
    path("settings/ranking/log/", ranking.save_log, name="ranking_log"),
    path("settings/keys/", keys.index, name="keys"),
    path("settings/keys/new/", keys.create, name="key_create"),
    path("settings/keys/<int:pk>/revoke/", keys.revoke, name="key_revoke"),
    path("preferences/workspace/", preferences.workspace, name="choose_workspace"),
    path("preferences/theme/", preferences.theme, name="choose_theme"),
]
