"""Nobody loses by what is no mistake, and no submission stops or slows the class."""

import time

from grader.twins import digest


def test_an_answer_that_binds_many_names_is_read_in_linear_time():
    names = " = ".join(f"a{number}" for number in range(1000))
    begun = time.process_time()
    assert digest([f"polynomial = {names} = None"], ["polynomial = ..."])
    assert time.process_time() - begun < 1
