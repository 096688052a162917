"""Three questions from before, in every chapter that has chapters before it, the same in every build."""

from _ext.before import COUNT, drawn, needed, quizzes
from _ext.contents import chapters
from _ext.prose import prose

PATHS = {path.stem: path for path in chapters() if path.parent.name == "chapters"}


def test_every_chapter_but_the_first_has_three_of_earlier_ones():
    names, asked = sorted(PATHS), 0
    for name in names[1:]:
        found = needed(names, name, lambda one: prose(PATHS[one]))
        assert found and all(one < name for one in found), name
        questions = {one: quizzes(PATHS[one]) for one in found}
        three = drawn(questions, name)
        assert len(three) == COUNT == len(set(three)), name
        assert three == drawn(questions, name)
        asked += 1
    assert asked >= 15 and not needed(names, names[0], lambda one: prose(PATHS[one]))


def test_questions_are_not_the_same_everywhere():
    some = {"04-boosting": [f"<p>{k}</p>" for k in range(8)]}
    assert len({tuple(drawn(some, name)) for name in PATHS}) > 5
