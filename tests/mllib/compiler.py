"""What a program prints with the compiler and without it: a student who steps through must see the same."""

import os
import subprocess
import sys


def with_and_without(program):
    """The output of a program as numba compiles it, and as Python runs it."""
    return [
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"NUMBA_DISABLE_JIT": disable},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disable in ("0", "1")
    ]
