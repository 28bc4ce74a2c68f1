# SPDX-License-Identifier: Apache-2.0
"""Work that is excused in the platform's gradebook is excused in the book: no zero, and no points in any
export. The platform's own mark stays in its file."""

import csv
import unittest

from class_case import ClassCase

CANVAS = ("Student,ID,SIS User ID,SIS Login ID,Section,copy (7),bank_conflicts (8)\n    Points Possible,,,,,10,4\n"
          '"King, Ada",11,s11,ada,A,EX,\n"Ray, Bob",12,s12,bob,A,,EX\n"Lee, Cyd",13,s13,cyd,A,,\n')
BLACKBOARD = ('"Last Name","First Name","Username","Student ID","copy [Total Pts: 10 Score] |66"\n'
              '"King","Ada","ada","1","Exempt"\n"Ray","Bob","bob","2",""\n')


class ExcusedTest(ClassCase):
    def table(self, gradebook, code=0):
        self.write("gradebook.csv", gradebook)
        self.run_class(code)
        self.program(0, "export", self.book, "--format", "csv", "--out", "out.csv")
        with (self.folder / "out.csv").open() as file:
            return {(row["student"], row["exercise"]): row for row in csv.DictReader(file)}

    def test_canvas_ex_is_an_excuse_of_an_exercise_or_a_lab(self):
        self.write("class.toml", 'exercises = ["coalescing/copy", "bank_conflicts/predict"]\nroster = "gradebook.csv"\n')
        self.write("bob/coalescing/copy.cu", self.right)
        self.write("ada/coalescing/copy.cu", self.skeleton)
        table = self.table(CANVAS)
        verdicts = {key: (row["verdict"], row["points"]) for key, row in table.items()}
        self.assertEqual({("ada", "copy"): ("excused", ""), ("ada", "predict"): ("missing", "0"),
                          ("bob", "copy"): ("pass", "10"), ("bob", "predict"): ("excused", ""),
                          ("cyd", "copy"): ("missing", "0"), ("cyd", "predict"): ("missing", "0")}, verdicts)
        self.assertEqual("excused in the gradebook", table["ada", "copy"]["excused_why"])
        self.program(0, "export", self.book, "--format", "canvas", "--out", "canvas.csv")
        wanted = (CANVAS.replace("bob,A,,EX", "bob,A,10,EX").replace("ada,A,EX,", "ada,A,EX,0")
                  .replace("cyd,A,,", "cyd,A,0,0"))
        self.assertEqual(wanted, (self.folder / "canvas.csv").read_text())
        self.program(0, "export", self.book, "--format", "moodle", "--out", "moodle.csv")
        self.assertIn("excused: excused in the gradebook", self.program(0, "explain", self.book, "ada"))
        self.program(0, "feedback", self.book, "feedback")
        self.assertIn("excused", (self.folder / "feedback/ada/feedback.txt").read_text())
        # The instructor withdraws the excuse on the platform.
        verdicts = {key: row["verdict"] for key, row in self.table(CANVAS.replace("A,EX,", "A,,")).items()}
        self.assertEqual(("fail", "excused"), (verdicts["ada", "copy"], verdicts["bob", "predict"]))

    def test_a_command_prevails_and_another_platforms_word_counts_too(self):
        self.write("class.toml", 'exercises = ["coalescing/copy"]\nroster = "gradebook.csv"\n')
        self.assertEqual("excused", self.table(BLACKBOARD)["ada", "copy"]["verdict"])
        self.program(0, "excuse", self.book, "ada", "coalescing/copy", "--remove", "--by", "eve", "--why", "came")
        self.assertEqual("missing", self.table(BLACKBOARD)["ada", "copy"]["verdict"])
        self.program(0, "export", self.book, "--format", "blackboard", "--out", "b.csv")
        self.assertIn('"Exempt"', (self.folder / "b.csv").read_text())

    def test_class_toml_may_say_it_too(self):
        self.write("class.toml", 'exercises = ["coalescing/copy"]\nroster = "gradebook.csv"\n[[extensions]]\nstudent = "ada"\n'
                   'exercise = "coalescing/copy"\nexcused = true\nby = "eve"\nwhy = "was ill"\n')
        self.assertEqual("was ill", self.table(BLACKBOARD)["ada", "copy"]["excused_why"])


if __name__ == "__main__":
    unittest.main()
