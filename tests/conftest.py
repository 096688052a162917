"""What every test shares: hypothesis without deadlines (compiling trips them), equal cases in CI."""

import os

from hypothesis import HealthCheck, settings

collect_ignore = ["without_numba"]  # it plays a numba that cannot be had

settings.register_profile("course", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("course"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "course")


def pytest_sessionstart(session):
    """Before workers begin, compile once what several of them would compile at the same time.

    Each would keep a version of its own, and whether a helper was inlined in it decides the last digits of a
    sum: a process that a worker starts later reads another version from the cache than the worker has.
    """
    if session.config.getoption("numprocesses", None):
        from mllib import LinearSVC

        LinearSVC(random_state=0).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
