# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package share: `warpgrade` of this checkout over the program under test.

Each test file is called with the program, then the root of the project. Exit code 77 (skipped) if no interpreter
has NumPy.
"""

import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from interpreters import need  # noqa: E402

need("numpy")
PROGRAM, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).absolute()
os.environ["WARPGRADE_PROGRAM"] = PROGRAM
os.environ["WARPGRADE_ROOT"] = str(ROOT)
sys.path.insert(0, str(ROOT / "python"))


def main():
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], module="__main__")
