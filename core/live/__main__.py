"""``python -m core.live``: one check, or a collection, from a shell."""

import sys

from core.live.command import main

if __name__ == "__main__":
    sys.exit(main())
