"""A model's quote is found in the text or not; its names for attributes are the rules' own."""

import pytest

from memory.intake.attributes import is_known, stable
from memory.intake.quotes import find, literal


@pytest.mark.parametrize(
    "text, words, found",
    [
        ("I live in Bergen.", "i LIVE in bergen", "I live in Bergen"),
        ("I live\n  in Bergen.", "I live in Bergen", "I live\n  in Bergen"),
        ("She said “it’s fine” — twice", '"it\'s fine" - twice', "it’s fine” — twice"),
        ("我住在卑尔根。", "我住在 卑尔根", "我住在卑尔根"),
        ("用 ＶＵＥ３ 写", "VUE3", "ＶＵＥ３"),
        ("His name is 林", "林", "林"),
        ("I am 7 years old", "7", "7"),
        (r"Logs are in C:\new\table now", "C:\new\table", r"C:\new\table"),
        ("I live in Bergen.", "I live in Oslo", ""),
        ("I live in Bergen.", "I … Bergen", ""),
        ("I live in Bergen.", "in", ""),
        ("I live in Bergen.", "Ber", ""),
        ("I live in Bergen.", "", ""),
        ("Bergenhus, then Bergen", "Bergen", "Bergen"),
    ],
)
def test_words_are_found_as_the_text_has_them(text, words, found):
    assert literal(text, words) == found


def test_a_word_inside_another_is_passed_over():
    assert find("Bergenhus, then Bergen", "Bergen") == (16, 22)


@pytest.mark.parametrize(
    "named, key",
    [
        ("Lives in", "residence"),
        ("user_residence", "residence"),
        ("current-employer", "employer"),
        ("居住地", "residence"),
        ("过敏", "allergy"),
        ("allergy", "allergy"),
        ("shoe size", "shoe_size"),
        ("最喜欢的颜色的名字", ""),
        ("a whole sentence about what the user might want one day", ""),
        ("", ""),
    ],
)
def test_a_name_for_an_attribute_becomes_a_stable_key(named, key):
    assert stable(named) == key


def test_only_keys_of_the_rules_are_known():
    assert is_known("residence") and not is_known("shoe_size") and not is_known("tool_outcome")
