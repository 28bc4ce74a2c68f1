# SPDX-License-Identifier: Apache-2.0
"""The book of the chapters: one page that contains everything, readable at each width, with a search.

Its figures are stand-ins as wide as the real ones, since drawing those takes a minute; the command
`pack` uses the real ones. Skipped (77) if pandoc, Chromium or Selenium is missing.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from browser import WIDTHS, PageCase

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHAPTERS = [ROOT / f"handouts/{lab}.md" for lab in ("coalescing", "bank_conflicts", "partition_camping", "coarsening", "matmul", "histogram", "scan", "stencil", "sparse", "latency", "profiling", "tensor_cores", "attention", "convolution", "sort")]
FIGURE = re.compile(r"\]\((figures/\w+\.svg)\)")
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="840" height="300"><rect width="840" height="300"/></svg>'

if shutil.which("pandoc") is None:
    print("skipped: pandoc is missing")
    sys.exit(77)


class Book(PageCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        here = pathlib.Path(folder.name)
        (here / "figures").mkdir()
        cls.figures = [name for one in CHAPTERS for name in FIGURE.findall(one.read_text())]
        for name in cls.figures:
            (here / name).write_text(SVG)
        cls.page = here / "book.html"
        command = [ROOT / "handouts/make_book.sh", "pandoc", cls.page, here, *CHAPTERS]
        subprocess.run(command, check=True, capture_output=True)
        super().setUpClass()

    def test_everything_is_inside(self):
        text = self.page.read_text()
        self.assertGreaterEqual(len(self.figures), 6)
        self.assertEqual(len(self.figures), len(re.findall(r"<img\s", text)))
        loads = re.findall(r"(?:<(?:img|script|iframe)\b[^>]*\ssrc|<link\b[^>]*\shref)=\"([^\"]{,40})", text)
        self.assertEqual([], [one for one in loads if not one.startswith("data:")])
        self.assertNotIn("@import", text)

    def test_it_fits_every_width_in_both_schemes(self):
        self.expect_sound("book", self.page)
        for width in WIDTHS:
            self.resize(width)
            column, code, text = self.run_script(
                "const size = x => parseFloat(getComputedStyle(document.querySelector(x)).fontSize);"
                "return [document.querySelector('section p').clientWidth, size('section pre code'), size('section p')]"
            )
            self.assertLessEqual(column, 45 * text, "a line has 75 letters or so")
            self.assertGreaterEqual(code, 0.85 * text)

    def search(self, words):
        field = self.driver.find_element("id", "search-words")
        field.clear()
        field.send_keys(words)
        return [one.text for one in self.driver.find_elements("css selector", "#search li a")]

    def test_the_search_finds_sections_by_all_their_words(self):
        self.show(self.page)
        self.assertIn("Bank conflicts: The idea", self.search("Wavefronts profiler"))
        marked = self.driver.find_element("css selector", "#search mark").text
        self.assertEqual("wavefronts", marked.lower())
        self.assertEqual([], self.search("wavefronts nobody-wrote-this"))
        self.driver.find_element("id", "search-words").clear()
        link = self.search("padding swizzling")
        self.assertTrue(link)
        self.driver.find_element("css selector", "#search li a").click()
        self.assertRegex(self.driver.current_url, "#.+")


if __name__ == "__main__":
    unittest.main()
