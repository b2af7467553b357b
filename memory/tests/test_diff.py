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
