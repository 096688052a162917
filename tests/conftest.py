"""What every test shares: hypothesis without deadlines (compiling trips them), equal cases in CI."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("course", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("course"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "course")
