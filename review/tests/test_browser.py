"""The console in a real browser: the main job by keyboard, by mouse without a script, and in Chinese."""

import pytest

from memory.models import Conflict, Memory

pytestmark = [pytest.mark.chromium, pytest.mark.django_db(transaction=True)]


def test_a_conflict_is_decided_and_taken_back_by_keyboard_alone(visit, make_conflict):
    make_conflict("I live in Leipzig", "I live in Graz")
    page = visit("ada")
    page.goto("/review/")
    page.keyboard.press("j")
    page.wait_for_url("**/review/*-*/")
    page.keyboard.press("a")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=status] >> text=I live in Graz")
    assert Memory.objects.get(status="active").text == "I live in Graz"
    page.keyboard.press("z")
    page.wait_for_selector("[role=status] >> text=open again")
    assert Conflict.objects.get().status == "open"
    assert Memory.objects.get(status="active").text == "I live in Leipzig"


def test_the_same_without_a_script(visit, make_conflict):
    make_conflict("I live in Leipzig", "I live in Graz")
    page = visit("ada", java_script_enabled=False)
    page.click("nav >> text=Review")
    page.click("text=I live in Graz")
    page.check("input[name=choice][value=keep]")
    page.check("input[name=reason_code][value=mistaken]")
    page.fill("#note", "she is only visiting")
    page.click("button:has-text('Decide')")
    page.click("button:has-text('Undo')")
    assert page.is_checked("input[name=choice][value=keep]") is False
    assert Conflict.objects.get().status == "open"


def test_a_key_typed_into_the_note_decides_nothing(visit, make_conflict):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    page = visit("ada")
    page.goto(f"/review/{conflict.pk}/")
    page.fill("#note", "")
    page.type("#note", "caj bex 12")
    assert page.input_value("#note") == "caj bex 12"
    assert page.query_selector("input[name=choice]:checked") is None


def test_who_comes_second_sees_who_was_faster_and_keeps_the_note(visit, make_conflict):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    ada, ben = visit("ada"), visit("ben")
    for page in (ada, ben):
        page.goto(f"/review/{conflict.pk}/")
        page.check("input[name=choice][value=accept]")
        page.check("input[name=reason_code][value=newer]")
    ada.click("button:has-text('Decide')")
    ada.wait_for_selector("[role=status] >> text=I live in Graz")
    ben.fill("#note", "I asked her myself")
    ben.click("button:has-text('Decide')")
    alert = ben.wait_for_selector("[role=alert]").inner_text()
    assert "ada was faster" in alert and "I asked her myself" in alert


def test_the_console_speaks_chinese_once_chosen(visit, make_conflict):
    make_conflict("我住在莱比锡", "我住在格拉茨")
    page = visit("ada", java_script_enabled=False)
    page.click("summary:has-text('English')")
    page.click("button:has-text('简体中文')")
    page.click("nav >> text=审核")
    assert page.get_attribute("html", "lang") == "zh-hans"
    assert "我住在格拉茨" in page.content()


def test_the_graph_is_walked_by_mouse_and_by_keys(visit, tell):
    for text in ("I live in Porto.", "My sister Ana lives in Leipzig.", "I use PostgreSQL."):
        episode = tell(text)
    page = visit("ada", viewport={"width": 360, "height": 800})
    page.goto(f"/people/{episode.user_id}/graph/")
    wide = page.eval_on_selector("svg.graph", "svg => svg.getBoundingClientRect().width")
    page.keyboard.press("+")
    assert page.eval_on_selector("svg.graph", "svg => svg.getBoundingClientRect().width") > wide
    page.keyboard.press("0")
    page.click("svg.graph a:has-text('Ana')")
    page.wait_for_selector("#card-title:focus >> text=Ana")
    assert page.url.rpartition("?entity=")[2] == page.get_attribute("svg.graph [aria-current]", "id")[2:]
    page.click(".entity >> text=Leipzig")
    page.wait_for_selector("#card-title:focus >> text=Leipzig")
    page.click("text=1 step")
    page.wait_for_selector("h2 >> text=Around Leipzig")
    assert page.locator("svg.graph a").count() == 2
    page.keyboard.press("Escape")
    page.wait_for_selector(".entity", state="detached")
    page.go_back()
    page.wait_for_selector("h2 >> text=Around Leipzig")


@pytest.mark.parametrize("width", [360, 1440])
def test_no_page_is_wider_than_the_screen(visit, make_conflict, width):
    conflict = make_conflict("https://example.test/" + "long" * 60, "我住在" + "格拉茨" * 80)
    page = visit("cara", viewport={"width": width, "height": 800})
    for path in ("/", "/review/", f"/review/{conflict.pk}/", "/people/", f"/people/{conflict.user_id}/",
                 f"/people/{conflict.user_id}/graph/",
                 f"/memories/{conflict.memory_id}/", "/intake/", "/settings/keys/"):  # fmt: skip
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), path


def test_ten_are_decided_together_and_all_undone_after_a_409_and_in_chinese(visit, make_conflict):
    conflicts = [make_conflict(f"I own {n} bikes", f"I own {n} cars") for n in range(11)]
    ada, ben = visit("ada"), visit("ben")
    ada.goto("/review/?kind=contradiction&order=oldest")
    ada.click("text=I own 10 cars")
    ada.wait_for_selector("h1:focus")
    ada.keyboard.press("m")
    ada.keyboard.type("@ben which one, caj1?")
    ada.keyboard.press("Control+Enter")
    ada.wait_for_selector("[role=status] >> text=ben will see it")
    ben.goto("/")
    ben.click("text=@ben which one")
    ben.wait_for_url("**/review/*-*/**")
    for page in (ada, ben):
        page.keyboard.press("a")
        page.keyboard.press("1")
    ben.click("button:has-text('Decide')")
    ben.wait_for_selector("[role=status] >> text=I own 10 cars")
    ada.keyboard.press("Enter")
    assert "ben was faster" in ada.wait_for_selector("[role=alert]").inner_text()

    ada.goto("/review/")
    for box in ada.query_selector_all("input[name=pick]"):
        box.check()
    ada.click("text=Decide the marked ones")
    ada.click("button:has-text('Reject both')")
    assert ada.locator("text=The held one is no longer told to agents.").count() == 10
    ada.click("button:has-text('Decide all 10')")
    ada.wait_for_selector("text=10 of 10 in force")
    assert Conflict.objects.filter(status="open").count() == 0
    ada.click("button:has-text('Undo all')")
    ada.wait_for_selector("[role=status] >> text=All undone")
    assert Conflict.objects.filter(status="open").count() == 10

    ada.keyboard.press("?")
    with ada.expect_response("**/preferences/keys/"):
        ada.uncheck("#keys-on")
    ada.keyboard.press("Escape")
    ada.goto(f"/review/{conflicts[0].pk}/")
    ada.keyboard.press("a")
    assert ada.query_selector("input[name=choice]:checked") is None, "single keys are off for her"
    ada.click("summary:has-text('English')")
    ada.click("button:has-text('简体中文')")
    assert ada.get_attribute("html", "lang") == "zh-hans"
    assert "I own 0 cars" in ada.content()


def test_the_lab_runs_without_a_script_by_an_address_that_can_be_kept(visit, make_memory):
    make_memory("I live in Lyon near the old river port, as everybody in my family always has")
    page = visit("eve", java_script_enabled=False, viewport={"width": 360, "height": 800})
    page.goto("/lab/")
    page.fill("#q", "where do I live")
    page.fill("#user", "u1")
    page.click("form.ask summary")
    page.fill("#b_decay_floor", "0.5")
    page.click("form.ask button.primary")
    page.wait_for_selector("h2 >> text=Beside other settings")
    kept = page.url
    page.goto("/")
    page.goto(kept)
    assert page.locator(".scores a.title").first.inner_text().startswith("I live in Lyon")
    assert page.locator("#b_decay_floor").input_value() == "0.5"
    assert page.locator(".table.scores").first.bounding_box()["width"] <= 360
