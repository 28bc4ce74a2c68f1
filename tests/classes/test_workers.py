# SPDX-License-Identifier: Apache-2.0
"""A class of solutions, wrong ones, mutants, garbage and hostile files has the same book whether 1, 2
or 4 workers grade it."""

import sys
import unittest

from class_case import ROOT, ClassCase

sys.path.insert(0, str(ROOT / "tests/evidence/classes"))
import make_class  # noqa: E402

LABS = ("stencil",)  # cheap to grade
STUDENTS = 8


class Workers(ClassCase):
    def test_any_number_of_workers_gives_the_same_book(self):
        submissions = self.folder / "class"
        make_class.make(submissions, STUDENTS, seed=1, labs=LABS)
        books = {}
        for workers in (1, 2, 4):
            self.book = self.folder / f"{workers}.db"
            self.run_class(0, "--workers", str(workers), submissions=submissions)
            books[workers] = self.grades()
        self.assertEqual(books[1], books[2])
        self.assertEqual(books[1], books[4])
        verdicts = {row[4] for row in books[1]}
        self.assertLessEqual({"pass", "fail"}, verdicts)


if __name__ == "__main__":
    unittest.main()
