# SPDX-License-Identifier: Apache-2.0
"""Tolerances of sums of floats accept any order, and reject a sum that is slightly off.

The kernels of tests/labs/orders sum each element in an order of its own, so that a grade tries more than ten
thousand orders. They are slow and miss gates, but their results are right. An error a little above the tolerance
makes every sum wrong. Arguments: the program, then the root of the project.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SEEDS = (1, 2, 20260101)
RIGHT = "constexpr float kError = 0;"
DIFFER = re.compile(r"(\d+)\s+of\s+(\d+)\s+elements\s+differ")


class Orders(unittest.TestCase):
    def grade(self, exercise, text, seed):
        """The report of one exercise as JSON, and as text."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            file = folder / "kernel.cu"
            file.write_text(text, encoding="utf-8")
            done = subprocess.run(
                [PROGRAM, "grade", exercise, "--file", file, "--backend", "sim", "--seed", str(seed),
                 "--json", folder / "grade.json"],
                cwd=ROOT, capture_output=True, text=True, check=False)
            self.assertIn(done.returncode, (0, 1), f"\n{done.stdout}\n{done.stderr}")
            report = json.loads((folder / "grade.json").read_text(encoding="utf-8"))
            return report["exercises"][0], done.stdout

    def check(self, exercise, name, error, inside):
        """`error` is added to each sum; `inside` elements of the first case are sums and must differ."""
        text = (ROOT / "tests/labs/orders" / name).read_text(encoding="utf-8")
        self.assertIn(RIGHT, text)
        for seed in SEEDS:
            with self.subTest(seed=seed):
                right, shown = self.grade(exercise, text, seed)
                self.assertTrue(right["correct"], shown)
                wrong, shown = self.grade(exercise, text.replace(RIGHT, f"constexpr float kError = {error};"),
                                          seed)
                self.assertEqual("incorrect", wrong["reason"], shown)
                self.assertEqual(inside, int(DIFFER.search(shown)[1]), shown)

    def test_any_order_of_a_product_of_matrices_is_right(self):
        # The tolerance is 17 units in the last place of 16 / 4 + 4 / 3 * 4 = 9.3, 1.6e-5. 16 products with 16 roundings
        # each offset less than 4e-6.
        self.check("matmul/tiled", "matmul.cu", "2e-5f", 256)

    def test_any_order_of_a_stencil_is_right(self):
        # The tolerance is 6 units in the last place of 0.99, 3.6e-7, and an order can offset as much.
        self.check("stencil/plane", "stencil.cu", "1e-6f", 30 * 6)


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv[1]).resolve()
    ROOT = pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=sys.argv[:1])
