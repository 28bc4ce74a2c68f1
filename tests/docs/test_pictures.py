# SPDX-License-Identifier: Apache-2.0
"""Compares the README's pictures with the current page: its words must be those of the page in the pictures.

Argument: the program.
"""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs/pictures"
sys.path.insert(0, str(PICTURES))
import make  # noqa: E402


class Pictures(unittest.TestCase):
    maxDiff = None

    def test_show_the_page_of_today(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "report.html"
            make.make_page(PROGRAM, page)
            shown = (PICTURES / "report.txt").read_text(encoding="utf-8")
            how = "the page has changed: run docs/pictures/make.py, and look at the pictures"
            self.assertEqual(shown, make.words_of(page), how)

    def test_are_in_the_readme(self):
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        for scheme in make.SCHEMES:
            name = f"docs/pictures/report_{scheme}.png"
            self.assertIn(name, readme)
            self.assertEqual(b"\x89PNG", (ROOT / name).read_bytes()[:4])


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).absolute()
    unittest.main(verbosity=1)
