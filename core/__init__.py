"""Hinge's statistics, panels, choices and charts; nothing here needs a browser or a web server."""

import os

# Products of matrices are small and many here. Where another reader keeps a core busy, the threads
# among which the linear-algebra library splits them wait for each other: seven times as long,
# measured on two cores. It reads this when NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
