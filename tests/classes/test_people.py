# SPDX-License-Identifier: Apache-2.0
"""Assigns work to students: students who are not in the roster, keys that a later roster changes, the actions
in `class status`, and the text of `class explain`."""

import contextlib
import csv
import io
import json
import os
import sqlite3
import unittest

from class_case import ClassCase

ONE = 'exercises = ["coalescing/copy"]\n'
ROSTER = ONE + 'roster = "roster.csv"\n'
BY = ("--by", "eve", "--why", "asked her")


class PeopleTest(ClassCase):
    def hand_in(self, student, text=None, name="coalescing/copy.cu"):
        self.write(f"{student}/{name}", self.skeleton if text is None else text)

    def export(self, format="csv"):
        self.program(0, "export", self.book, "--format", format, "--out", "out.csv")
        return list(csv.DictReader(io.StringIO((self.folder / "out.csv").read_text())))

    def points(self, exercise="copy"):
        return {row["student"]: row["points"] for row in self.export() if row["exercise"] == exercise}

    def with_roster(self, *students, head="student,name\n"):
        self.write("class.toml", ROSTER)
        self.write("roster.csv", head + "".join(student + "\n" for student in students))

    def test_work_of_a_student_who_is_not_in_the_roster_makes_no_zero(self):
        self.with_roster("ada,Ada King", "bob,Bob Ray", "cyd,Cyd Lee")
        self.hand_in("ada")
        self.hand_in("bobb", self.right)
        words = self.run_class(3)
        self.assertIn("bobb: is not in the roster", words)
        self.assertIn(f"class match {self.book} bobb STUDENT", words)
        self.assertEqual({"ada": "0", "bob": "", "bobb": "10", "cyd": ""}, self.points())
        row = next(row for row in self.export() if row["student"] == "bob")
        self.assertEqual(("error", "tool"), (row["verdict"], row["reason"]))
        self.assertIn("not in the roster", row["open_reason"])
        first = self.program(0, "status", self.book).splitlines()[:3]
        self.assertIn("1 student with work is not in the roster", first[0])
        self.assertEqual("  bobb: maybe bob", first[1])
        self.assertIn("bobb STUDENT", first[2])
        page = self.folder / "page.html"
        self.program(0, "export", self.book, "--format", "html", "--out", page)
        self.assertIn("1 student with work is not in the roster", page.read_text())
        # The decision counts at once, and in every later run.
        said = self.program(0, "match", self.book, "bobb", "bob", *BY)
        self.assertIn("open, now 10 of 10 points", said)
        for _ in range(2):
            self.assertEqual({"ada": "0", "bob": "10", "cyd": "0"}, self.points())
            self.assertTrue(self.program(0, "status", self.book).startswith("Nothing needs you."))
            self.run_class(0)
        # Another decision, and then its removal.
        self.program(0, "match", self.book, "bobb", "cyd", *BY)
        self.assertEqual({"ada": "0", "bob": "0", "cyd": "10"}, self.points())
        self.program(0, "match", self.book, "bobb", "--remove")
        self.assertEqual({"ada": "0", "bob": "", "bobb": "10", "cyd": ""}, self.points())
        self.run_class(3)

    def test_a_guest_is_a_student_of_their_own(self):
        self.with_roster("ada,Ada", "bob,Bob")
        self.hand_in("ada")
        self.hand_in("test_student", self.right)
        self.run_class(3)
        self.program(0, "match", self.book, "test_student", "--guest")
        self.assertEqual({"ada": "0", "bob": "0", "test_student": "10"}, self.points())
        self.run_class(0)
        self.assertEqual({"ada": "0", "bob": "0", "test_student": "10"}, self.points())

    def test_only_exercises_that_came_are_open(self):
        self.with_roster("ada,Ada", "bob,Bob")
        self.write("class.toml", ROSTER.replace('"]', '", "bank_conflicts/predict"]'))
        self.hand_in("ada", self.answers, "bank_conflicts/predict.toml")
        self.hand_in("b", self.right)
        self.run_class(3)
        # Ada may have handed in twice under two names.
        self.assertEqual({"ada": "", "b": "10", "bob": ""}, self.points())
        self.assertEqual({"b": "0", "bob": "0"}, {s: p for s, p in self.points("predict").items() if s != "ada"})

    def test_a_stranger_without_work_needs_nobody(self):
        self.with_roster("ada,Ada", "bob,Bob")
        self.hand_in("ada")
        (self.submissions / "empty").mkdir()
        self.assertIn("empty: is not in the roster, and no work was received", self.run_class(0))
        self.assertEqual("0", self.points()["bob"])

    def test_work_that_cannot_be_read_of_a_stranger_makes_no_zero(self):
        self.with_roster("ada,Ada", "bob,Bob")
        self.hand_in("ada")
        self.write("b/copy.zip", b"PK\x03\x04 damaged")
        self.run_class(3)
        self.assertEqual({"ada": "0", "b": "", "bob": ""}, self.points())
        self.program(0, "match", self.book, "b", "bob")
        self.assertEqual({"ada": "0", "bob": ""}, self.points())
        self.assertIn("b/copy.zip", self.program(0, "explain", self.book, "bob"))

    def test_the_gradebook_has_no_zero_for_whom_it_may_be(self):
        self.write("class.toml", ROSTER)
        self.write("roster.csv", "Student,ID,SIS User ID,SIS Login ID,Section,copy (7)\n    Points Possible,,,,,10\n"
                   '"Lovelace, Ada",1,S1,ada,A,\n"Doe, Bob",2,S2,bob,A,\n')
        self.hand_in("ada")
        self.hand_in("bob.doe2", self.right)
        self.run_class(3)
        self.program(0, "export", self.book, "--format", "canvas", "--out", "canvas.csv")
        self.assertIn('"Doe, Bob",2,S2,bob,A,\n', (self.folder / "canvas.csv").read_text().replace("\r", ""))
        for page in ("moodle", "nbgrader"):
            self.program(0, "export", self.book, "--format", page, "--out", "x.csv")
            for line in (self.folder / "x.csv").read_text().splitlines():
                self.assertFalse(line.startswith("bob,") and line.rstrip().endswith(("0", "0.0")), line)
        feedback = self.folder / "feedback"
        self.program(0, "feedback", self.book, feedback)
        self.assertNotIn("bob.doe2", (feedback / "bob/feedback.txt").read_text())

    def test_a_wrong_match_is_refused_with_the_nearest_name(self):
        self.with_roster("ada,Ada", "bob,Bob")
        self.hand_in("bobb")
        self.run_class(3)
        self.assertIn("did you mean `bobb`", self.program(2, "match", self.book, "bobbb", "bob"))
        self.assertIn("did you mean `bob`", self.program(2, "match", self.book, "bobb", "bop"))
        self.program(2, "match", self.book, "bobb")
        self.program(2, "match", self.book, "bobb", "bob", "--guest")

    def test_decisions_follow_a_key_that_the_roster_changes(self):
        self.write("class.toml", ONE)
        for student in ("ada", "bob"):
            self.hand_in(student)
        self.run_class(0)
        self.program(0, "adjust", self.book, "ada", "coalescing/copy", "--points", "7", *BY)
        self.program(0, "adjust", self.book, "bob", "coalescing/copy", "--bonus", "2", *BY)
        # First a roster, then one with other keys; students have work or none.
        self.with_roster("S1,ada,Ada King", "S2,bob,Bob Ray", "S3,cyd,Cyd Lee", head="student,login,name\n")
        self.run_class(0)
        self.assertEqual({"S1": "7", "S2": "2", "S3": "0"}, self.points())
        self.program(0, "excuse", self.book, "S3", *BY)
        self.with_roster("1001,ada,Ada King", "1002,bob,Bob Ray", "1003,cyd,Cyd Lee", head="student,login,name\n")
        self.run_class(0)
        self.assertEqual({"1001": "7", "1002": "2", "1003": ""}, self.points())
        row = next(row for row in self.export() if row["student"] == "1001")
        self.assertEqual(("eve", "asked her"), (row["adjusted_by"], row["adjusted_why"]))
        self.write("class.toml", ONE)
        self.run_class(0)
        self.assertEqual({"ada": "7", "bob": "2"}, {s: p for s, p in self.points().items() if s != "1003"})

    def test_a_match_follows_a_key_that_the_roster_changes(self):
        self.with_roster("S1,ada", "S2,bob", head="student,login\n")
        self.hand_in("ada")
        self.hand_in("b0b", self.right)
        self.run_class(3)
        self.program(0, "match", self.book, "b0b", "S2")
        self.with_roster("1001,ada", "1002,bob", head="student,login\n")
        self.run_class(0)
        self.assertEqual({"1001": "0", "1002": "10"}, self.points())

    def test_work_of_another_export_follows_the_key(self):
        self.write("class.toml", ONE)
        self.hand_in("ada", self.right)
        self.run_class(0)
        other = self.folder / "other"
        other.mkdir()
        (other / "roster.csv").write_text("student,login\nS1,ada\nS2,bob\n")
        (other / "class.toml").write_text(ROSTER)
        (other / "bob/coalescing").mkdir(parents=True)
        (other / "bob/coalescing/copy.cu").write_text(self.skeleton)
        self.run_class(0, submissions=other)
        self.assertEqual({"S1": "10", "S2": "0"}, self.points())

    def test_status_begins_with_what_needs_a_person(self):
        self.write("class.toml", ONE)
        self.hand_in("ada")
        self.hand_in("bob", b"PK\x03\x04 damaged", "work.zip")
        self.write("cyd/x/y.cu", "// nothing\n")
        self.run_class(3)
        lines = self.program(0, "status", self.book).splitlines()
        self.assertEqual("2 files were received and not graded:", lines[0])
        self.assertTrue(lines[1].startswith("  bob/work.zip: "), lines)
        self.assertTrue(lines[2].startswith("  cyd/x/y.cu: "), lines)
        self.assertTrue(lines[3].startswith(f"  next: warpgrade class run {self.book} {self.submissions}"), lines)
        # Users of the wrapper read the command that they have to type.
        words = self.program(0, "status", self.book, WARPGRADE_CALL="./warpgrade")
        self.assertIn("  next: ./warpgrade class run", words)

    def test_work_that_could_not_be_judged_is_first_with_its_command(self):
        self.write("class.toml", ONE)
        self.hand_in("ada")
        self.run_class(3, WARPGRADE_COMPILER="/nowhere/compiler")
        lines = self.program(0, "status", self.book).splitlines()
        self.assertEqual("1 submission could not be judged:", lines[0])
        self.assertIn("ada: coalescing/copy: ", lines[1])
        self.assertTrue(lines[2].endswith("--retry"), lines)

    def test_only_an_unknown_student_is_wrong_usage(self):
        self.with_roster("nobody1,N", "ada,Ada")
        self.hand_in("ada")
        self.assertIn("did you mean `nobody1`", self.run_class(2, "--only", "nobody"))
        self.write("class.toml", ONE)
        self.assertIn("unknown student nobody", self.run_class(2, "--only", "nobody"))
        self.run_class(0, "--only", "ada")

    def test_explain_names_every_file_time_and_deduction(self):
        self.write("class.toml", ONE + 'timezone = "Europe/Berlin"\ndeadline = "2026-11-20 23:59"\n[late]\npercent_a_day = 10\n')
        for name, text, time in (("copy.cu", self.right, 1795300000), ("copy (1).cu", self.skeleton, 1795100000)):
            path = self.write(f"ada/coalescing/{name}", text)
            os.utime(path, (time, time))
        self.write("ada/notes.pdf", "%PDF")
        self.write("ada/.DS_Store", "x")
        self.hand_in("bob")
        self.run_class(0)
        self.program(0, "adjust", self.book, "ada", "coalescing/copy", "--bonus", "1", *BY)
        words = self.program(0, "explain", self.book, "ada", "--json", "ada.json")
        for part in ("Files received: 4", "ada/notes.pdf", "unused", "ignored", "copy (1).cu",
                     "deadline: 2026-11-20 23:59 CET", "10 of 10 points, pass", "because it was late", "counts",
                     "does not count (policy: latest)", "bonus of 1 points: asked her (eve)"):
            self.assertIn(part, words)
        self.assertNotIn("bob", words)
        data = json.loads((self.folder / "ada.json").read_text())
        self.assertEqual("warpgrade.class_explain/1", data["schema"])
        self.assertEqual(4, len(data["files"]))
        exercise = data["exercises"][0]
        self.assertEqual([False, True], [one["counts"] for one in exercise["attempts"]])
        self.assertEqual("2026-11-20T22:59:00Z", exercise["deadline"])
        row = next(row for row in self.export() if row["student"] == "ada")
        self.assertEqual(float(row["points"]), exercise["points"])
        self.assertIn("did you mean `ada`", self.program(2, "explain", self.book, "adaa"))

    def test_every_problem_names_student_file_and_reason(self):
        self.write("class.toml", ONE)
        self.hand_in("ada")
        self.write("ada/huge.cu", b"x" * (5 << 20))
        self.write("bob/notes.docx", "x")
        self.run_class(3)
        lines = (self.folder / "book.db.problems.txt").read_text().splitlines()
        self.assertTrue(any(line.startswith("ada/huge.cu: ") for line in lines), lines)
        self.assertTrue(any(line.startswith("bob/notes.docx: ") for line in lines), lines)
        with contextlib.closing(sqlite3.connect(self.book)) as book:
            for student, source in book.execute("SELECT student, source FROM attempt"):
                self.assertTrue(source.startswith(student), source)


if __name__ == "__main__":
    unittest.main()
