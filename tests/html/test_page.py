# SPDX-License-Identifier: Apache-2.0
"""Opens pages of real grades in headless Chromium, light and dark, at four widths.

There is one page per kind of submission: slow, unwritten elements, a race, out of bounds, partition
camping, answers, hostile text. tests/grader tests the numbers of the pictures. Exits with 77 if
Chromium or Selenium is missing.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from browser import PageCase

PROGRAM = pathlib.Path(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
WRONG = ROOT / "solutions"
MOST_BYTES = 1 << 20

HOSTILE = """</script><script>document.title = "forged"</script>
// " ' <img src=x onerror="document.title='forged'"> \x1b[2J \u202e %s
__global__ void copy(float* out, const float* in, int width, int height) { nothing }
"""


class Page(PageCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        hostile = pathlib.Path(cls.folder.name) / "hostile.cu"
        hostile.write_text(HOSTILE % ("x" * 5_000_000), encoding="utf-8")
        cls.pages = {
            "slow": cls.grade("bank_conflicts/padded"),
            "unwritten": cls.grade("coalescing/transpose", "coalescing/wrong/transpose_half_a_tile.cu"),
            "race": cls.grade("coalescing/transpose", "coalescing/wrong/transpose_missing_barrier.cu"),
            "outside": cls.grade("coalescing/copy", "coalescing/wrong/copy_past_the_edge.cu"),
            "camping": cls.grade("partition_camping/diagonal", "partition_camping/wrong/diagonal_columns_of_tiles.cu"),
            "answers": cls.grade("coarsening/factor", "coarsening/wrong/factor_largest.toml"),
            "hostile": cls.grade("coalescing/copy", hostile),
        }

    @classmethod
    def grade(cls, exercise, file=None):
        name = f"{pathlib.Path(file).stem if file else exercise.split('/')[1]}.html"
        page = pathlib.Path(cls.folder.name) / name
        command = [PROGRAM, "grade", exercise, "--backend", "sim", "--html", page]
        if file:
            command += ["--file", WRONG / file]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 1:
            raise AssertionError(f"{exercise}: exit {done.returncode}: {done.stderr}")
        return page

    def test_each_page_fits_every_width_in_both_schemes_without_an_error(self):
        for name, page in self.pages.items():
            self.expect_sound(name, page)

    def test_no_page_is_large(self):
        for name, page in self.pages.items():
            self.assertLess(page.stat().st_size, MOST_BYTES, name)

    def test_the_slider_leads_to_the_next_iteration(self):
        self.show(self.pages["slow"])
        output = self.driver.find_element("css selector", "section > figure[data-line] output")
        self.assertIn("Warp 0 of block (0, 0, 0), iteration 1: ", output.text)
        self.driver.find_element("css selector", "section > figure input[type=range]").send_keys("\ue014")  # right
        self.assertIn("Warp 0 of block (0, 0, 0), iteration 2: ", output.text)
        stage = self.driver.find_element("css selector", "section > figure[data-line] .stage")
        self.assertEqual(output.text, stage.get_attribute("aria-label"))

    def test_a_column_of_a_tile_stands_in_one_bank(self):
        self.show(self.pages["slow"])
        towers = self.run_script(
            "const figure = document.querySelector('section > figure[data-line]');"
            "return [...figure.querySelectorAll('.stage')[0].querySelectorAll('rect[fill]')]"
            ".map(rect => rect.getAttribute('x'));"
        )
        self.assertEqual(32, len(towers))
        self.assertEqual(1, len(set(towers)))

    def test_hostile_text_forges_nothing(self):
        self.show(self.pages["hostile"])
        self.assertEqual("coalescing/copy: 0 of 10 points", self.driver.title)
        self.assertEqual(0, self.run_script("return document.images.length"))

    def test_several_exercises_have_contents_that_lead_to_them(self):
        page = pathlib.Path(self.folder.name) / "all.html"
        command = [PROGRAM, "grade", "bank_conflicts/predict", "coarsening/factor", "--html", page]
        subprocess.run(command, capture_output=True, check=False)
        self.show(page)
        links = self.driver.find_elements("css selector", "nav a")
        self.assertEqual(2, len(links))
        links[1].click()
        top = self.run_script("return document.getElementById('exercise-1').getBoundingClientRect().top")
        self.assertLess(abs(top), 900)


if __name__ == "__main__":
    unittest.main()
