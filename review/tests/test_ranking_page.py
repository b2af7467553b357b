"""/settings/ranking/: read by all, previewed on logged questions, saved by admins, and taken up again."""

import json
from dataclasses import fields
from datetime import timedelta
from urllib.parse import parse_qsl

import pytest
from django.utils import timezone

from memory.actions.configure import ranking_of, recall_log_of, set_ranking
from memory.actor import SYSTEM
from memory.models import AuditEvent, EndUser, Memory, Recall
from memory.recall.scoring import RankingSettings
from memory.recall.search import search
from review import ranking, replay
from review.ranking import DEFAULTS

PAGE = "/settings/ranking/"


@pytest.fixture
def save(desk, workspace):
    def save_(shown=None, **wanted):
        form = {name: str(value) for name, value in (DEFAULTS | wanted).items()}
        form["shown"] = json.dumps(ranking_of(workspace) if shown is None else shown)
        answer = desk("cara").post(f"{PAGE}save/", form)
        workspace.refresh_from_db()
        return answer

    return save_


@pytest.fixture
def asked(make_memory, workspace, now):
    """One logged question, whose answer is in two memories: one more trusted, one newer."""
    make_memory("The refund limit of the shop is 200 euros", run_id="r1")
    later = now + timedelta(minutes=1)
    make_memory("The refund limit of the shop is 2000 euros", source="external_content", run_id="r2", at=later)
    user = EndUser.objects.select_related("workspace").get(workspace=workspace, external_id="u1")
    search(user=user, query="refund rules of the shop", asked_by="a1", now=timezone.now())
    return user


def test_every_setting_has_a_name_a_sentence_a_range_and_its_default(desk):
    page = desk("cara").get(PAGE).content.decode()
    for field in fields(RankingSettings):
        name, sentence = ranking.ABOUT[field.name]
        assert str(name) in page and str(sentence).replace("'", "&#x27;") in page
        assert f'name="{field.name}"' in page and ranking.shown(field.default) in page


@pytest.mark.parametrize("name", ["ada", "eve"])
def test_reviewers_and_auditors_read_it_and_cannot_change_it(name, desk, asked):
    page = desk(name).get(PAGE, {"decay_rate": "5"})
    assert page.status_code == 200 and "<input" not in page.content.decode().split("<main")[1].split("</main")[0]
    assert page.context["preview"] is None
    for form in ("save/", "log/"):
        assert desk(name).post(PAGE + form, {}).status_code == 403
    assert AuditEvent.objects.filter(denied=True).count() == 2


def test_a_preview_asks_the_logged_questions_again_and_writes_nothing(desk, asked):
    before = Recall.objects.count(), AuditEvent.objects.count()
    found = desk("cara").get(PAGE, {"credibility_weight": "0"}).context["preview"]
    assert (found.known, found.asked) == (1, 1)
    assert (Recall.objects.count(), AuditEvent.objects.count()) == before
    assert Memory.objects.filter(hits__gt=0).count() == 0


def test_it_shows_what_leaves_and_what_moves(desk, asked):
    page = desk("cara").get(PAGE, {"min_relevance": "1"})
    found = page.context["preview"]
    assert (found.changed, found.entered, found.left, found.new_firsts) == (1, 0, 2, 1)
    assert [move.after for move in found.movers] == [None, None]
    assert found.movers[0].memory.text in page.content.decode() and "Save these settings" in page.content.decode()


def test_another_order_is_another_answer(desk, asked, workspace):
    workspace.settings = {"ranking": {"dense_weight": 0.0, "credibility_weight": 0.0, "decay_floor": 1.0}}
    workspace.save()
    found = desk("cara").get(PAGE, {"credibility_weight": "1"}).context["preview"]
    assert {(move.before, move.after) for move in found.movers} == {(1, 2), (2, 1)}
    assert (found.changed, found.entered, found.left) == (1, 0, 0)


def test_a_question_asked_often_counts_once_and_only_of_this_workspace(desk, asked, other_workspace):
    stranger = EndUser.objects.create(workspace=other_workspace, external_id="u1")
    for user in (asked, asked, stranger):
        search(user=user, query="refund rules of the shop", asked_by="a1", now=timezone.now())
    search(user=stranger, query="a stranger's question", asked_by="a1", now=timezone.now())
    page = desk("cara").get(PAGE, {"min_relevance": "1"})
    assert page.context["preview"].known == 1
    assert "stranger" not in page.content.decode()


def test_without_time_it_says_so(desk, asked, monkeypatch):
    monkeypatch.setattr("review.pages.ranking.REPLAY_SECONDS", -1)
    page = desk("cara").get(PAGE, {"min_relevance": "1"})
    assert "no time to ask" in page.content.decode()


def test_without_any_question_there_is_nothing_to_compare(desk):
    assert "No question was logged yet" in desk("cara").get(PAGE, {"min_relevance": "1"}).content.decode()


def test_the_last_fifty_questions_at_most(asked, workspace, monkeypatch):
    monkeypatch.setattr(replay, "QUESTIONS", 3)
    for number in range(5):
        search(user=asked, query=f"refund {number}", asked_by="a1", now=timezone.now())
    usual = RankingSettings()
    found = replay.replay(workspace, present=usual, wanted=usual, now=timezone.now(), until=float("inf"))
    assert (found.known, found.asked, found.changed) == (3, 3, 0)


@pytest.mark.parametrize("wrong", ["", "-0.1", "1.01", "much", "nan", "inf", "1e400", "0,5", "9" * 400])
def test_a_value_that_is_none_is_marked_at_its_field_and_nothing_is_saved(save, desk, workspace, wrong):
    assert save(min_relevance=wrong).status_code == 422
    page = desk("cara").get(PAGE, {"min_relevance": wrong or " "})
    assert page.status_code == 422
    assert [row.name for row in page.context["rows"] if row.error] == ["min_relevance"]
    assert 'aria-invalid="true"' in page.content.decode()
    assert workspace.settings.get("ranking") is None


def test_settings_that_do_not_go_together_are_marked(save):
    page = save(dense_weight=0, lexical_weight=0)
    assert page.status_code == 422
    assert [row.name for row in page.context["rows"] if row.error] == ["dense_weight", "lexical_weight"]


def test_what_is_saved_counts_and_is_audited_and_only_what_differs_is_kept(save, workspace):
    assert save(decay_rate=0.5).status_code == 302
    assert workspace.settings["ranking"] == {"decay_rate": 0.5}
    event = AuditEvent.objects.get(action="workspace.ranking")
    assert (event.before, event.after) == ({"ranking": {}}, {"ranking": {"decay_rate": 0.5}})
    assert save(decay_rate=0.5).status_code == 302
    assert AuditEvent.objects.filter(action="workspace.ranking").count() == 1


def test_the_slower_of_two_admins_is_told(save, workspace):
    stale = ranking_of(workspace)
    save(decay_rate=0.5)
    assert save(shown=stale, decay_rate=0.9).status_code == 409
    assert ranking_of(workspace)["decay_rate"] == 0.5


@pytest.mark.parametrize("form", [{"shown": "[]"}, {"shown": "{"}, {}])
def test_a_form_that_is_not_this_pages_is_refused(form, desk, workspace):
    sent = {name: str(value) for name, value in DEFAULTS.items()} | {"decay_rate": "0.5"} | form
    assert desk("cara").post(f"{PAGE}save/", sent).status_code == 422
    assert desk("cara").post(f"{PAGE}log/", {"recall_log_share": "0.5", "recall_days": "9"} | form).status_code == 422
    workspace.refresh_from_db()
    assert workspace.settings == {}


def test_one_setting_or_all_go_back_to_their_defaults(desk, save):
    save(decay_rate=0.5, session_bonus=0.9)
    one = desk("cara").get(PAGE, {"decay_rate": "0.5", "session_bonus": "0.9", "reset": "decay_rate"})
    assert {row.name: row.typed for row in one.context["rows"]}["session_bonus"] == "0.9"
    assert {row.name: row.typed for row in one.context["rows"]}["decay_rate"] == "0.1"
    rows = desk("cara").get(PAGE, {"reset": "all"}).context["rows"]
    assert all(row.is_usual for row in rows)


def test_earlier_settings_are_listed_and_can_be_taken_up_again(desk, save, workspace):
    save(decay_rate=0.5)
    save(decay_rate=0.7, session_bonus=0.1)
    latest, first = desk("eve").get(PAGE).context["earlier"]
    assert (latest.is_now, first.is_now) == (True, False)
    assert latest.changes == [("Pace of ageing", "0.5", "0.7"), ("Bonus of the session", "0.2", "0.1")]
    again = {row.name: row.typed for row in desk("cara").get(f"{PAGE}?{first.query}").context["rows"]}
    assert (again["decay_rate"], again["session_bonus"]) == ("0.5", "0.2")
    assert save(**dict(parse_qsl(first.query))).status_code == 302
    assert workspace.settings["ranking"] == {"decay_rate": 0.5}


def test_another_workspaces_settings_are_not_listed(desk, save, other_workspace):
    wanted = DEFAULTS | {"decay_rate": 0.9}
    set_ranking(workspace=other_workspace, shown=DEFAULTS, wanted=wanted, actor=SYSTEM, now=timezone.now())
    assert desk("cara").get(PAGE).context["earlier"] == []


def test_the_log_of_recalls_is_set_and_audited(desk, workspace):
    form = {"recall_log_share": "0.25", "recall_days": "30", "shown": json.dumps(recall_log_of(workspace))}
    assert desk("cara").post(f"{PAGE}log/", form).status_code == 302
    workspace.refresh_from_db()
    assert recall_log_of(workspace) == {"recall_log_share": 0.25, "recall_days": 30}
    assert AuditEvent.objects.get(action="workspace.recall_log").before == {"recall_log_share": 1, "recall_days": 365}
    assert desk("cara").post(f"{PAGE}log/", form).status_code == 409
    assert "Has gaps" in desk("eve").get(PAGE).content.decode()


@pytest.mark.parametrize(
    "wrong",
    [
        {"recall_log_share": "1.5"},
        {"recall_log_share": "nan"},
        {"recall_days": "0"},
        {"recall_days": "2.5"},
        {"recall_days": ""},
    ],
)
def test_a_log_that_cannot_be_is_refused(desk, workspace, wrong):
    form = {"recall_log_share": "1", "recall_days": "365", "shown": json.dumps(recall_log_of(workspace))}
    assert desk("cara").post(f"{PAGE}log/", form | wrong).status_code == 422
    workspace.refresh_from_db()
    assert workspace.settings == {}


def test_who_was_told_says_what_share_is_logged(desk, make_memory, workspace):
    memory = make_memory("I live in Bergen")
    assert "of the searches are logged" not in desk("eve").get(f"/memories/{memory.pk}/").content.decode()
    workspace.settings = {"recall_log_share": 0.5}
    workspace.save()
    for page in (f"/memories/{memory.pk}/", "/stale/"):
        assert "Only 50" in desk("eve").get(page).content.decode()
