"""The diary of a run."""

import copy
import pickle

import numpy as np
import pytest

from mllib.history import History


@pytest.fixture
def history():
    diary = History(t="time", w="weights")
    w = np.zeros(2)
    for t in range(3):
        diary.record(t=t, w=w)
        w += 1  # the diary must have kept a copy
    return diary


def test_columns_are_arrays_with_the_round_first(history):
    assert history.names == ["t", "w"] and len(history) == 3
    np.testing.assert_array_equal(history.t, [0, 1, 2])
    np.testing.assert_array_equal(history["w"], [[0, 0], [1, 1], [2, 2]])
    assert history.w is history.w  # stacked once
    assert history[1].t == 1 and history[-1].w.tolist() == [2, 2]
    assert "t" in dir(history) and "3 rounds" in repr(history) and "weights" in repr(history)


def test_a_column_is_stacked_anew_after_a_record(history):
    assert len(history.t) == 3
    history.record(t=3, w=np.ones(2))
    assert len(history.t) == 4


def test_extend_appends_many_rounds(history):
    history.extend(t=np.array([7, 8]), w=np.array([[1.0, 2.0], [3.0, 4.0]]))
    np.testing.assert_array_equal(history.t, [0, 1, 2, 7, 8])
    np.testing.assert_array_equal(history.w[-1], [3, 4])


def test_rows_of_different_length_stay_apart():
    history = History(chosen="indices")
    history.record(chosen=np.array([1, 2]))
    history.record(chosen=np.array([3]))
    assert history.chosen.dtype == object
    assert [row.tolist() for row in history.chosen] == [[1, 2], [3]]


def test_empty_history_has_empty_columns():
    history = History(a="nothing yet")
    assert len(history) == 0 and history.a.shape == (0,)
    assert "0 rounds" in repr(history)
    assert len(History()) == 0


@pytest.mark.parametrize("values", [{"t": 1}, {"t": 1, "w": 1, "x": 1}, {"t": 1, "v": 1}])
def test_misspelt_columns_are_errors(history, values):
    with pytest.raises(KeyError, match="takes exactly the columns"):
        history.record(**values)
    with pytest.raises(KeyError, match="takes exactly the columns"):
        history.extend(**{name: [value] for name, value in values.items()})
    with pytest.raises(KeyError, match="no column 'x'"):
        history["x"]
    with pytest.raises(AttributeError, match="no column 'x'"):
        _ = history.x


def test_columns_of_different_length_are_an_error(history):
    with pytest.raises(ValueError, match="differ in length"):
        history.extend(t=[1, 2], w=[[1, 1]])


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda h: pickle.loads(pickle.dumps(h))])
def test_copies_and_pickles(history, again):
    twin = again(history)
    assert twin.names == history.names
    np.testing.assert_array_equal(twin.w, history.w)
