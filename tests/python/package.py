# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the package: this checkout's `warpgrade`, which calls the program under test.

Each test file is called with the program, then the root of the project. Exits with 77 (skipped) if no interpreter
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
