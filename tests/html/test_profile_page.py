# SPDX-License-Identifier: Apache-2.0
"""Opens pages of `profile --html` in headless Chromium, light and dark, at four widths.

The pages are of a fast kernel, one with bank conflicts, a race, and a file that does not compile. Exits with 77 if
Chromium or Selenium is missing.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from browser import PageCase

PROGRAM = pathlib.Path(sys.argv.pop(1))

SOURCES = {
    "columns": "__global__ void k(float* out, const float* in) {\n"
               "  out[threadIdx.x] = in[32 * threadIdx.x];\n}\n",
    "conflicts": "__global__ void k(float* out, const float* in) {\n"
                 "  __shared__ float tile[32][32];\n"
                 "  for (int i = 0; i < 32; ++i) tile[i][threadIdx.x] = in[32 * i + threadIdx.x];\n"
                 "  __syncthreads();\n"
                 "  out[threadIdx.x] = tile[threadIdx.x][3];\n}\n",
    "race": "__global__ void k(float* out, const float* in) { out[0] = in[threadIdx.x]; }\n",
    "broken": "__global__ void k(float* out, const float* in) { </script><b>; }\n",
}


class ProfilePage(PageCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        folder = pathlib.Path(cls.folder.name)
        cls.pages = {}
        for name, source in SOURCES.items():
            (folder / f"{name}.cu").write_text(source)
            cls.pages[name] = folder / f"{name}.html"
            done = subprocess.run(
                [PROGRAM, "profile", folder / f"{name}.cu", "--kernel", "k", "--grid", "1", "--block", "32",
                 "--arg", "out:f32:32", "--arg", "in:f32:1024:iota", "--html", cls.pages[name]],
                capture_output=True, check=False, text=True)
            expected = 1 if name in ("race", "broken") else 0
            if done.returncode != expected:
                raise AssertionError(f"{name}: exit {done.returncode}: {done.stdout}{done.stderr}")

    def test_each_page_fits_every_width_in_both_schemes_without_an_error(self):
        for name, page in self.pages.items():
            self.expect_sound(name, page)

    def test_a_column_of_a_matrix_needs_a_sector_for_each_lane(self):
        self.show(self.pages["columns"])
        self.assertEqual("k on h200", self.driver.find_element("css selector", "h1").text)
        costs = [one.text for one in self.driver.find_elements("css selector", ".cost b.bad")]
        self.assertEqual(["32"], costs)

    def test_a_column_of_a_tile_is_in_one_bank(self):
        self.show(self.pages["conflicts"])
        costs = [one.text for one in self.driver.find_elements("css selector", ".cost b.bad")]
        self.assertEqual(["32"], costs)

    def test_findings_are_there(self):
        self.show(self.pages["race"])
        self.assertIn("race", self.driver.find_element("css selector", ".finding").text)
        self.show(self.pages["broken"])
        self.assertIn("</script><b>", self.driver.find_element("css selector", "main").text)


if __name__ == "__main__":
    unittest.main()
