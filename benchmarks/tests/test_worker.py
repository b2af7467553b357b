"""The worker benchmark's events: talk and statements in equal parts, and users who contradict themselves."""

from benchmarks import worker


def test_every_user_says_things_worth_keeping_talks_and_changes_his_mind():
    rows = [worker._event(number) for number in range(20 * worker.USERS)]
    mine = [row["content"] for row in rows if row["user_id"] == "user-07"]
    assert len(mine) == 20
    assert sum("not in the cellar" in text for text in mine) == 2
    talk = {text.split("{")[0] for text in worker.TALK}
    assert sum(any(text.startswith(start) for start in talk if start) for text in mine) >= 4
