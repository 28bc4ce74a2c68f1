# SPDX-License-Identifier: Apache-2.0
"""Compares the H200's results with the generator in cases/: every case that the generator writes
and ptxas accepts was measured for every row of its inputs, and the files contain nothing else.

Arguments: the folder of results.txt, inputs.txt and refused.txt.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent / "cases"))

from table import ALL
from values import inputs

GOLDEN = pathlib.Path(sys.argv.pop(1))


class Results(unittest.TestCase):
    maxDiff = None

    def test_every_case_was_measured_and_nothing_else(self):
        refused = set((GOLDEN / "refused.txt").read_text().splitlines())
        expected = {f"{bits}={','.join(kinds)}|{text}"
                    for bits, kinds, text in ALL if text not in refused}
        measured = [line.rsplit("|", 1)[0]
                    for line in (GOLDEN / "results.txt").read_text().splitlines()]
        self.assertEqual(len(set(measured)), len(measured))
        self.assertEqual(set(), expected - set(measured), "measure these: see the README there")
        self.assertEqual(set(), set(measured) - expected, "the generator has these no more")

    def test_the_rows_are_those_of_the_generator(self):
        lines = (GOLDEN / "inputs.txt").read_text().splitlines()
        rows = dict(line.split(" ", 1) for line in lines)
        for kinds in {kinds for _, kinds, _ in ALL}:
            expected = " ".join(":".join("%x" % value for value in row) for row in inputs(kinds))
            self.assertEqual(expected, rows.get(",".join(kinds)))

    def test_nothing_is_refused_that_the_generator_does_not_write(self):
        refused = (GOLDEN / "refused.txt").read_text().splitlines()
        self.assertEqual(set(), set(refused) - {text for _, _, text in ALL})


if __name__ == "__main__":
    unittest.main()
