import threading

import pytest

from memory.index.stemming import stem
from memory.index.text import LONGEST, counts, stop_words, terms


def shared(one: str, other: str) -> set[str]:
    return set(terms(one)) & set(terms(other))


def test_an_identifier_glued_to_chinese_is_kept_whole_and_in_parts():
    assert {"sync-eu7", "sync", "eu7"} <= set(terms("sync-eu7后重启失败"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see tools/fx", {"tools/fx", "fx"}),
        ("call getUserName()", {"getusername", "user", "nam"}),
        ("set MAX_RETRY_COUNT", {"max_retry_count", "max", "retri", "count"}),
        ("write to ops@example.org", {"ops@example.org", "ops", "org"} - {"ops"}),
        ("upgrade to v1.2.3", {"v1.2.3"}),
    ],
)
def test_identifiers_come_whole_and_in_parts(text, expected):
    assert expected <= set(terms(text))


@pytest.mark.parametrize("word", ["汇率", "脚本", "率换", "目录"])
def test_any_two_neighbouring_characters_are_a_term(word):
    assert shared("外币汇率换算脚本放在 tools/fx 目录", word)


@pytest.mark.parametrize("query", ["青霉素", "澄湖", "沈知夏", "护士"])
def test_chinese_names_and_words_are_found(query):
    assert shared("我叫沈知夏，在澄湖医院做护士，对青霉素过敏", query)


def test_a_single_chinese_character_standing_alone_is_found():
    assert shared("我养了一只猫", "猫")


def test_full_width_case_and_accents_are_folded():
    assert terms("ＡＢＣ１２３ Café") == terms("abc123 cafe")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("studies", "studying"),
        ("running", "run"),
        ("hopes", "hoping"),
        ("classes", "class"),
        ("boxes", "box"),
        ("happily", "happy"),
        ("cities", "city"),
        ("tried", "tries"),
        ("stopped", "stops"),
    ],
)
def test_forms_of_an_english_word_share_their_stem(one, other):
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("bus", "bu"), ("king", "k"), ("business", "bus"), ("sing", "s")])
def test_words_that_only_look_alike_keep_apart(one, other):
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["eu7", "naïve", "ops@x", "12", "", "目录"])
def test_what_is_no_plain_english_word_is_not_stemmed(word):
    assert stem(word) == word


def test_numbers_lose_their_separators_only():
    assert "4471.50" in terms("it cost 4,471.50 in all")
    assert "3.14" in terms("pi is 3.14")
    assert {"8000", "8080"} <= set(terms("ports 8000 8080"))


@pytest.mark.parametrize(
    "text", ["2024-05-03", "2024/5/3", "May 3, 2024", "3rd of May 2024", "2024年5月3日", "２０２４年５月３日"]
)
def test_a_day_is_the_same_term_however_it_is_written(text):
    assert {"05-03", "2024-05-03"} <= set(terms(text))


def test_a_day_without_a_year_meets_one_with_a_year():
    assert "05-03" in shared("the lease ends on 2024-05-03", "what ends on 3 May?")
    assert "05-03" in shared("五月三号交房租", "May 3rd")


def test_stop_words_of_both_languages_are_dropped():
    assert terms("What do you have with the") == []
    assert "我们" not in terms("我们喜欢什么")
    assert terms("I don't, it's, we'll") == []


def test_a_possessive_is_the_name_itself():
    assert terms("Ada's") == terms("Ada") == terms("Ada’s")


@pytest.mark.parametrize("text", ["", "   \n\t", "\0", "😀😀", "...!?", "\ud83d", "\u200b"])
def test_what_holds_no_word_has_no_terms(text):
    assert terms(text) == []


@pytest.mark.parametrize(
    "text", ["a\0b" * 10, "tea\ud83d\udc00杯子", "必须 " * 60_000, "x" * 500_000, "我们去医院" * 40_000]
)
def test_odd_and_huge_texts_never_raise_and_terms_hold_no_white_space(text):
    found = terms(text)
    assert found == " ".join(found).split()
    assert max(map(len, found), default=0) <= LONGEST


def test_counts_are_those_of_the_terms():
    assert counts("tea, tea and coffee") == {"tea": 2, "coffe": 1}


def test_threads_may_ask_for_chinese_at_once(capfd):
    results = []
    threads = [threading.Thread(target=lambda: results.append(terms("外币汇率换算"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [results[0]] * 4
    assert capfd.readouterr() == ("", "")


def test_the_words_left_out_are_told_once_in_both_languages():
    assert stop_words("Where does the dog live, and where did the cat?") == ["where", "does", "the", "and", "did"]
    assert stop_words("我住在哪里") == ["我", "在", "哪里"]
    assert stop_words("Kestrel 4471") == []
