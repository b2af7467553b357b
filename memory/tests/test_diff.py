"""The word diff: whole words, Chinese too, and both texts can be read back from it."""

import pytest

from memory.history.diff import Segment, word_diff

PAIRS = [
    ("I live in Leipzig", "I live in Graz since May"),
    ("我在澄湖医院做护士", "我在东山医院做医生"),
    ("sync-eu7后的延迟是 12.5 秒", "sync-eu8后的延迟是 12.6 秒"),
    ("", "all new"),
    ("all gone", ""),
    ("same", "same"),
    ("line one\n  line two\t😀", "line one\n line 2\t😀\x00"),
    ("a b a b", "b a b a b"),
    ("  \n ", "\t　 "),
    ("他说：" + "！" * 900 + "完", "他说：" + "！？" * 450 + "完"),
]


@pytest.mark.parametrize("old, new", PAIRS)
def test_both_texts_can_be_read_back(old, new):
    segments = word_diff(old, new)
    assert "".join(part.text for part in segments if part.kind != "added") == old
    assert "".join(part.text for part in segments if part.kind != "removed") == new


def test_words_change_whole():
    assert word_diff("My best time is 52:40.", "My best time is 49:15.") == [
        Segment("same", "My best time is "), Segment("removed", "52:40"), Segment("added", "49:15"),
        Segment("same", "."),
    ]  # fmt: skip


def test_chinese_changes_by_word_and_not_by_sign():
    changed = [part for part in word_diff("我住在上海", "我住在上饶") if part.kind != "same"]
    assert changed == [Segment("removed", "上海"), Segment("added", "上饶")]


def test_equal_texts_have_nothing_changed():
    assert [part.kind for part in word_diff("同样的话", "同样的话")] == ["same"]


def test_a_text_that_repeats_one_sign_is_not_compared_sign_by_sign():
    """Ten thousand signs, which is what a memory may hold, would take minutes."""
    assert word_diff("Alarm " + "!" * 9_000 + " now", "Alarm " + "!?" * 4_500 + " now") == [
        Segment("same", "Alarm !"), Segment("removed", "!" * 8_999), Segment("added", "?" + "!?" * 4_499),
        Segment("same", " now"),
    ]  # fmt: skip


def test_a_long_text_is_still_compared_by_word():
    words = " ".join(f"word{n % 900} and" for n in range(1_000))
    changed = [part for part in word_diff(f"old {words} 12 end", f"new {words} 13 end") if part.kind != "same"]
    assert [part.text for part in changed] == ["old", "new", "12", "13"]


def test_white_space_alone_does_not_tear_a_changed_passage_apart():
    assert word_diff("we met in June", "we leave at noon") == [
        Segment("same", "we "), Segment("removed", "met in June"), Segment("added", "leave at noon"),
    ]  # fmt: skip
