"""The judgement benchmark's --check: a promise that is missed, or was not measured, is named."""

from benchmarks import judgement


def kept() -> dict[str, dict[str, float]]:
    figures: dict[str, dict[str, float]] = {}
    for name, figure, bound in judgement.PROMISED:
        figures.setdefault(name, {})[figure] = bound
    return figures


def test_figures_at_their_bounds_keep_every_promise():
    assert judgement.broken_promises(kept()) == []


def test_a_missed_figure_is_named_whichever_way_it_is_bounded():
    figures = kept()
    figures["mquake_hard_en duplicate"]["f1"] = 0.79
    figures["turn"]["ms at most"] = 5.2
    assert [line.split(":")[0] for line in judgement.broken_promises(figures)] == ["mquake_hard_en duplicate", "turn"]


def test_what_was_not_measured_is_no_kept_promise():
    figures = kept()
    del figures["demo"]
    assert judgement.broken_promises(figures) == ["demo: share at most was not measured"]


def test_a_score_counts_hits_alarms_and_misses():
    score = judgement.Score()
    for wanted, given in ((True, True), (True, False), (False, True), (False, False)):
        score.add(wanted, given)
    assert score.figures == {"precision": 0.5, "recall": 0.5, "f1": 0.5, "alarms at most": 1}
