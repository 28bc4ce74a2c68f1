# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package share: `warpgrade` of this checkout over the program under test.

Each test file is called with the program, then the root of the project. Exit code 77 (skipped) if NumPy is
missing.
"""

import os
import pathlib
import sys
import unittest

SKIPPED = 77
PROGRAM, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
os.environ["WARPGRADE_PROGRAM"] = PROGRAM
os.environ["WARPGRADE_ROOT"] = str(ROOT)
sys.path.insert(0, str(ROOT / "python"))

try:
    import numpy  # noqa: F401
except ImportError:
    print(f"NumPy is missing for {sys.executable}; ./warpgrade test installs it")
    sys.exit(SKIPPED)


def main():
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], module="__main__")
