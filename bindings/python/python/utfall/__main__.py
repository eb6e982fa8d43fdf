"""The command: `python -m utfall`."""

from __future__ import annotations

import signal
import sys

from . import _utfall


def main() -> int:
    """Run the command with the arguments of the process, and return its exit status."""
    # Python's handler would wait until the command returns.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _utfall.run(["utfall", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
