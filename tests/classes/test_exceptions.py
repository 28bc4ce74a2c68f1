# SPDX-License-Identifier: Apache-2.0
"""Extensions, excuses and bonuses of single students, from commands, from class.toml and from the platform's
gradebook: the points, the feedback, the exports, and the withdrawal of a decision."""

import contextlib
import datetime
import os
import sqlite3
import unittest

from class_case import CLASS, ClassCase

ZONE = 'timezone = "Europe/Berlin"\n'
LATE = 'deadline = "2026-11-20 23:59"\n[late]\npercent_a_day = 10\n'
WHY = ("--by", "eve", "--why", "was ill")


class Exceptions(ClassCase):
    def hand_in(self, student, text, time="2026-11-20T12:00:00+01:00", name="coalescing/copy.cu"):
        path = self.write(f"{student}/{name}", text)
        seconds = datetime.datetime.fromisoformat(time).timestamp()
        os.utime(path, (seconds, seconds))

    def rows(self):
        return {(row["student"], row["exercise"]): row for row in self.exported()}

    def points(self, student="ada"):
        return self.rows()[student, "copy"]["points"]

    def feedback(self, student="ada"):
        self.program(0, "feedback", self.book, "out")
        home = self.folder / "out" / student
        return (home / "feedback.txt").read_text(), (home / "index.html").read_text()

    def test_an_extension_moves_the_deadline_and_the_deduction_at_once(self):
        self.write("class.toml", CLASS + ZONE + LATE)
        self.hand_in("ada", self.right, "2026-11-22T12:00:00+01:00")
        self.hand_in("bob", self.right, "2026-11-22T12:00:00+01:00")
        self.run_class(0)
        self.assertEqual("8", self.points())
        extend = ("extend", self.book, "ada", "coalescing/copy")
        words = self.program(0, *extend, "--until", "2026-11-22", *WHY)
        self.assertIn("until 2026-11-22 23:59 CET", words)
        self.assertIn("coalescing/copy: 8 of 10 points, now 10 of 10 points", words)
        row = self.rows()["ada", "copy"]
        self.assertEqual(
            ("10", "0", "2026-11-22T22:59:59Z", "2026-11-22T22:59:59Z", "eve", "was ill"),
            tuple(row[c] for c in "points late_share deadline extended_until extended_by extended_why".split()),
        )
        self.assertEqual("8", self.points("bob"))
        for text in self.feedback():
            self.assertIn("coalescing/copy: deadline extended to 2026-11-22 23:59 CET: was ill (eve)", text)
        self.assertIn("ada coalescing/copy: until 2026-11-22 23:59 CET by eve: was ill", self.program(0, "status", self.book))
        # Work on the day after the extended deadline is one day late.
        self.program(0, *extend, "--until", "2026-11-21 23:59", *WHY)
        self.assertEqual("9", self.points())
        self.run_class(0)
        self.assertEqual("9", self.points())
        self.program(0, *extend, "--remove", *WHY)
        self.assertEqual("8", self.points())
        self.program(2, *extend, "--remove", *WHY)

    def test_an_extension_of_all_does_not_shorten_a_later_deadline(self):
        self.write("class.toml", CLASS + ZONE + LATE + '[deadlines]\n"bank_conflicts/predict" = "2026-12-20 23:59"\n')
        self.hand_in("ada", self.right, "2026-11-21T12:00:00+01:00")
        self.hand_in("ada", self.answers, "2026-12-20T12:00:00+01:00", "bank_conflicts/predict.toml")
        self.run_class(0)
        self.program(0, "extend", self.book, "ada", "--until", "2026-11-30 12:00", *WHY)
        rows = self.rows()
        self.assertEqual(["10", "0"], [rows["ada", e]["late_share" if e == "predict" else "points"] for e in ("copy", "predict")])
        self.assertIn("\ncoalescing/copy: deadline extended to 2026-11-30 12:00 CET: was ill (eve)\n", self.feedback()[0])
        self.assertEqual("2026-12-20T22:59:00Z", rows["ada", "predict"]["deadline"])
        self.assertEqual("2026-11-30T11:00:00Z", rows["ada", "copy"]["deadline"])

    def test_missing_work_is_no_zero_before_the_end_of_the_extension(self):
        self.write("class.toml", CLASS + ZONE + LATE)
        self.hand_in("ada", self.answers, name="bank_conflicts/predict.toml")
        self.run_class(0)
        self.assertEqual("0", self.points())
        self.program(0, "extend", self.book, "ada", "copy", "--until", "2100-01-01 12:00", *WHY)
        self.assertEqual("", self.points())
        self.assertIn("coalescing/copy: nothing handed in yet; due 2100-01-01 12:00 CET", self.feedback()[0])
        self.program(0, "extend", self.book, "ada", "copy", "--until", "2026-11-21 12:00", *WHY)
        self.assertEqual("0", self.points())

    def test_excused_work_is_blank_everywhere_and_comes_back(self):
        self.write("roster.csv", "Student,ID,SIS User ID,SIS Login ID,Section,copy (7)\n    Points Possible,,,,,10\n"
                   '"Lovelace, Ada",1,S1,ada,A,\n"Doe, Bob",2,S2,bob,A,\n')
        self.write("class.toml", CLASS + 'roster = "roster.csv"\n')
        self.hand_in("ada", self.skeleton)
        self.run_class(0)
        before = self.points()
        self.assertIn("now excused", self.program(0, "excuse", self.book, "ada", "coalescing", *WHY))
        self.program(0, "excuse", self.book, "Bob Doe", *WHY)
        rows = self.rows()
        self.assertEqual(("", "excused", "none", "eve", "was ill", ""), tuple(rows["ada", "copy"][c] for c in
                         "points verdict reason excused_by excused_why open_reason".split()))
        self.assertEqual(("missing", "excused"), (rows["ada", "predict"]["verdict"], rows["bob", "predict"]["verdict"]))
        text, page = self.feedback()
        self.assertIn("coalescing/copy: excused: was ill (eve)", text)
        self.assertIn("EXCUSED", page)
        self.assertIn(f"Ada Lovelace (ada): 0 of {rows['ada', 'predict']['max_points']} points", text)
        self.program(0, "export", self.book, "--format", "canvas", "--out", "canvas.csv")
        canvas = (self.folder / "canvas.csv").read_text()
        self.assertIn('"Lovelace, Ada",1,S1,ada,A,EX,0', canvas)
        self.assertIn('"Doe, Bob",2,S2,bob,A,EX,EX', canvas)
        self.program(0, "export", self.book, "--format", "moodle", "--out", "moodle.csv")
        self.assertIn("bob,Bob,Doe,S2,,-,-", (self.folder / "moodle.csv").read_text())
        self.program(0, "export", self.book, "--format", "nbgrader", "--out", "nbgrader.csv")
        self.assertNotIn("bob", (self.folder / "nbgrader.csv").read_text())
        self.program(0, "excuse", self.book, "ada", "coalescing", "--remove", *WHY)
        self.assertEqual(before, self.points())

    def test_a_bonus_may_exceed_the_maximum(self):
        self.write("class.toml", CLASS + ZONE + LATE)
        self.hand_in("ada", self.right, "2026-11-21T12:00:00+01:00")
        self.run_class(0)
        change = ("adjust", self.book, "ada", "coalescing/copy")
        self.program(0, *change, "--bonus", "2.5", "--by", "eve", "--why", "found a bug")
        row = self.rows()["ada", "copy"]
        self.assertEqual(("11.5", "2.5", "eve", "found a bug", ""), tuple(row[c] for c in "points bonus bonus_by bonus_why adjusted_by".split()))
        self.assertIn("coalescing/copy: 11.5 of 10 points (handed in late: 10 % less; 2.5 bonus points: found a bug (eve))", self.feedback()[0])
        # The bonus is added to points that are set by hand.
        self.program(0, *change, "--points", "10", *WHY)
        self.assertEqual("12.5", self.points())
        self.program(0, *change, "--withdraw", *WHY)
        self.assertEqual("9", self.points())
        self.program(2, *change, *WHY)
        self.program(2, *change, "--bonus", "-1", *WHY)
        self.program(2, "adjust", self.book, "ada", "coalescing", "--bonus", "1", *WHY)

    def test_a_decision_closes_what_could_not_be_graded(self):
        self.hand_in("ada", "PK\x03\x04 and no more", name="work.zip")
        self.hand_in("bob", self.right)
        self.write("class.toml", 'exercises = ["coalescing/copy"]\n')
        self.assertIn("class adjust", self.run_class(3))
        self.assertEqual("", self.points())
        self.program(0, "adjust", self.book, "ada", "coalescing/copy", "--points", "3", *WHY)
        self.assertIn("Nothing needs you.", self.program(0, "status", self.book))
        self.assertIn("nothing to grade", self.run_class(0))
        row = self.rows()["ada", "copy"]
        self.assertEqual(("3", "fail", ""), (row["points"], row["verdict"], row["open_reason"]))
        self.program(0, "adjust", self.book, "ada", "coalescing/copy", "--withdraw", *WHY)
        self.run_class(3)
        self.program(0, "excuse", self.book, "ada", *WHY)
        self.run_class(0)
        # So is work that the grader could not judge, and --retry leaves it alone.
        self.hand_in("cyd", self.right + "//")
        self.run_class(3, WARPGRADE_COMPILER="/nowhere/compiler")
        self.program(0, "adjust", self.book, "cyd", "coalescing/copy", "--points", "10", *WHY)
        self.assertIn("nothing to grade", self.run_class(0, "--retry"))
        self.assertEqual(("10", "pass"), tuple(self.rows()["cyd", "copy"][c] for c in ("points", "verdict")))

    def test_a_comment_has_no_points_and_the_student_reads_it(self):
        self.hand_in("ada", self.right)
        self.run_class(0)
        comment = ("comment", self.book, "ada", "coalescing/copy", "--by", "eve")
        self.assertIn("give --text or --remove", self.program(2, *comment))
        self.program(0, *comment, "--text", "nice")
        row = self.rows()["ada", "copy"]
        self.assertEqual(("10", "nice", "eve"), (row["points"], row["comment"], row["comment_by"]))
        for text in self.feedback():
            self.assertIn("comment: nice (eve)", text)
        self.assertIn("comment: nice (eve)", self.program(0, "explain", self.book, "ada"))
        self.program(0, *comment, "--remove")
        self.assertEqual("", self.rows()["ada", "copy"]["comment"])
        self.program(2, "comment", self.book, "ada", "coalescing/nothing", "--by", "eve", "--text", "x")

    def test_wrong_calls_say_what_is_wrong(self):
        self.hand_in("ada", self.skeleton)
        self.run_class(0)
        for words, part in (
            (("extend", self.book, "ad", "--until", "2026-11-20", *WHY), "did you mean `ada`"),
            (("extend", self.book, "ada", "coalescing/cpy", "--until", "2026-11-20", *WHY), "coalescing/copy"),
            (("extend", self.book, "ada", "--until", "tomorrow", *WHY), "--until"),
            (("extend", self.book, "ada", *WHY), "--until"),
            (("extend", self.book, "ada", "--until", "2026-11-20", "--by", "eve"), "--why"),
            (("excuse", self.book, "ada", "--remove", *WHY), "has no excuse for all exercises"),
            (("excuse", "none.db", "ada", *WHY), "no such grade book"),
        ):
            self.assertIn(part, self.program(2, *words))
        self.assertIn("No deadline is set", self.program(0, "extend", self.book, "ada", "--until", "2026-11-20", *WHY))

    def test_a_book_of_an_earlier_program_gets_its_deadlines_from_the_next_run(self):
        self.write("class.toml", CLASS + ZONE + LATE)
        self.hand_in("ada", self.right, "2026-11-22T12:00:00+01:00")
        self.run_class(0)
        with contextlib.closing(sqlite3.connect(self.book)) as book:
            book.execute("UPDATE attempt SET deadline = NULL")
            book.execute("UPDATE exercise SET deadline = ''")
            book.commit()
        words = self.program(0, "extend", self.book, "ada", "--until", "2026-11-22", *WHY)
        self.assertIn("the next `class run` applies the extension", words)
        self.assertEqual("8", self.points())
        self.run_class(0)
        self.assertEqual("10", self.points())

    def test_class_toml_grants_them_to_many(self):
        toml = CLASS + ZONE + 'extensions = "granted.csv"\n' + LATE
        self.write("class.toml", toml)
        head = "Student;Exercise;Until;Excused;Bonus;By;Why\n"
        self.write("granted.csv", head + "ada;coalescing;2026-11-22;;1,5;eve;was ill\n".replace("coalescing;", "coalescing/copy;")
                   + "bob;;;yes;;eve;moved\nzoe;;;yes;;eve;moved\n")
        for student in ("ada", "bob"):
            self.hand_in(student, self.right, "2026-11-22T12:00:00+01:00")
        self.assertIn("granted.csv:4: excuse: the class has no student zoe", self.run_class(0))
        rows = self.rows()
        self.assertEqual(("11.5", "excused"), (rows["ada", "copy"]["points"], rows["bob", "predict"]["verdict"]))
        # A command is later than the file, so it counts until the file changes.
        self.program(0, "excuse", self.book, "bob", "--remove", *WHY)
        self.run_class(0)
        self.assertEqual("8", self.points("bob"))
        self.write("granted.csv", head + "bob;;;yes;;eve;moved away\n")
        self.run_class(0)
        self.assertEqual(("8", "excused"), (self.points(), self.rows()["bob", "copy"]["verdict"]))
        self.write("class.toml", CLASS + ZONE + LATE + '[[extensions]]\nstudent = "ada"\nexercise = "copy"\n'
                   'until = 2026-11-21T23:59:00\nby = "eve"\nwhy = "was ill"\n')
        self.run_class(0)
        self.assertEqual(("9", "8"), (self.points(), self.points("bob")))

    def test_mistakes_in_class_toml_are_named_before_anything_is_graded(self):
        self.hand_in("ada", self.right)
        entry = '[[extensions]]\nstudent = "ada"\nby = "eve"\nwhy = "ill"\n'
        for text, part in (
            (entry, "one of `until`, `excused` and `bonus`"),
            (entry + "bonus = 2\n", "a bonus is for one exercise"),
            (entry + 'exercise = "copi"\nexcused = true\n', "copi"),
            (entry + "excused = true\n" + entry + "excused = true\n", "another excuse"),
            (entry + "until = 3\n", "not a time"),
            (entry + 'grund = "x"\nexcused = true\n', "grund"),
            ('extensions = "granted.csv"\n', "granted.csv:2"),
            ('[deadlines]\ncoalesing = "2026-11-20"\n', "coalesing"),
        ):
            self.write("granted.csv", "student,until,by,why\nada,soon,eve,ill\n")
            self.write("class.toml", CLASS + text)
            self.assertIn(part, self.run_class(2))
        self.write("class.toml", CLASS)
        self.run_class(0)


CANVAS = ("Student,ID,SIS User ID,SIS Login ID,Section,copy (7),bank_conflicts (8)\n    Points Possible,,,,,10,4\n"
          '"King, Ada",11,s11,ada,A,EX,\n"Ray, Bob",12,s12,bob,A,,EX\n"Lee, Cyd",13,s13,cyd,A,,\n')
BLACKBOARD = ('"Last Name","First Name","Username","Student ID","copy [Total Pts: 10 Score] |66"\n'
              '"King","Ada","ada","1","Exempt"\n"Ray","Bob","bob","2",""\n')


class ExcusedTest(ClassCase):
    def table(self, gradebook, code=0):
        self.write("gradebook.csv", gradebook)
        self.run_class(code)
        return {(row["student"], row["exercise"]): row for row in self.exported()}

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
