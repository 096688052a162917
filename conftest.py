"""For every run of pytest: compiled code is kept under a name of the package as it stands.

numba's own cache does not notice that a function in *another* file has changed, so an edited helper would be
tested in its old form. The build keeps its machine code in the same place.
"""

import os

from book.build import BUILD, package_digest

os.environ.setdefault("NUMBA_CACHE_DIR", str(BUILD / "numba" / package_digest()))
