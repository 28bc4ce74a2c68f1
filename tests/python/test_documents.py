# SPDX-License-Identifier: Apache-2.0
"""The Python examples of README.md and docs/python.md print the output that the documents show.

Arguments: the program, then the root of the project.
"""

import sys
import unittest

from package import ROOT, main

sys.path.insert(0, str(ROOT / "packaging"))
from run_examples import results  # noqa: E402


class Documents(unittest.TestCase):
    def check(self, name, least):
        outputs = 0
        for promised, printed in results(ROOT / name):
            self.assertEqual(promised, printed)
            outputs += bool(promised)
        self.assertGreaterEqual(outputs, least)

    def test_python(self):
        self.check("docs/python.md", 2)

    def test_readme(self):
        self.check("README.md", 1)


if __name__ == "__main__":
    main()
