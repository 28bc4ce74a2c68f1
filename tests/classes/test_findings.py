# SPDX-License-Identifier: Apache-2.0
"""Mistakes of earlier versions that cost students points, each tested through the whole program."""

import contextlib
import csv
import shutil
import sqlite3
import unittest

from class_case import ROOT, ClassCase
from messy_work import RIGHT, SKELETON, tarred, zipped

ONE = 'exercises = ["coalescing/copy"]\n'
LATE = "[late]\npercent_a_day = 10\n"


class FindingsTest(ClassCase):
    def standing(self, columns="student, verdict, points"):
        with contextlib.closing(sqlite3.connect(self.book)) as book:
            return book.execute(f"SELECT {columns} FROM standing ORDER BY student").fetchall()

    def csv_rows(self):
        self.program(0, "export", self.book, "--format", "csv", "--out", "out.csv")
        with (self.folder / "out.csv").open(newline="") as file:
            return {row["student"]: row for row in csv.DictReader(file)}

    def test_1_zip_entries_with_letters_beyond_ascii_are_read(self):
        self.write("class.toml", ONE)
        for name in ("Übung/copy.cu", "Döe.d/copy.cu", "李明/copy.cu"):
            self.write("ada/work.zip", zipped({name: RIGHT}))
            self.run_class(0)
            self.assertEqual([("ada", "pass", 10.0)], self.standing(), name)
            self.book.unlink()

    def test_2_work_that_cannot_be_read_is_open_in_the_book_the_csv_and_the_feedback(self):
        self.write("class.toml", ONE)
        self.write("ada/work.zip", b"PK\3\4 no more")
        self.write("bob/solution.cu", "__global__ void other() {}")
        self.write("cyd/copy.cu", RIGHT)
        words = self.run_class(3)
        self.assertNotIn("nothing was received", words)
        rows = self.csv_rows()
        self.assertEqual(["", "", "10"], [rows[one]["points"] for one in ("ada", "bob", "cyd")])
        self.program(0, "feedback", self.book, "out")
        for student, file in (("ada", "work.zip"), ("bob", "solution.cu")):
            text = (self.folder / "out" / student / "feedback.txt").read_text()
            self.assertRegex(text, f"we received {file}; it was not graded because")

    def test_3_a_deadline_means_what_it_says(self):
        work = "Lab_ada_attempt_{}_copy.cu"
        cases = (
            ('"2026-10-24 11:59 PM"', "UTC", "2026-10-24-23-30-00", 10),  # once read as 11:59
            ("2026-10-24", "UTC", "2026-10-24-23-30-00", 10),  # once 00:00
            ("2026-10-24T23:59:00+02:00", "UTC", "2026-10-24-22-30-00", 9),
            ('"2026-10-24T23:59:00[Europe/Berlin]"', "UTC", "2026-10-24-22-30-00", 9),
            ("2026-10-24T23:59:00", "Europe/Berlin", "2026-10-24-23-30-00", 10),  # once 2 hours late
            ("2026-10-24T23:59:00", "Europe/Berlin", "2026-10-25-23-30-00", 9),  # a day of 25 hours
            ("2026-03-28T23:59:00", "Europe/Berlin", "2026-03-29-23-30-00", 9),  # a day of 23 hours
            ("2026-03-28T23:59:00", "Europe/Berlin", "2026-03-30-00-30-00", 8),
            ('"2026-10-24 23:59 or so"', "UTC", "2026-10-24-22-30-00", None),
        )
        for deadline, zone, time, points in cases:
            self.write("class.toml", ONE + f'timezone = "{zone}"\ndeadline = {deadline}\n' + LATE)
            export = self.write("submissions.zip", zipped({work.format(time): RIGHT}))
            if points is None:
                words = self.program(2, "run", self.book, export, "--backend", "sim")
                self.assertIn("class.toml:3:", words)
                continue
            self.run_class(0, submissions=export)
            self.assertEqual([("ada", "pass", points)], self.standing(), (deadline, zone, time))
            self.book.unlink()

    def test_4_members_of_a_students_archive_set_no_time(self):
        self.write("class.toml", ONE + 'deadline = "2026-11-20"\n' + LATE)
        for inner in (zipped({"copy.cu": RIGHT}, (2026, 11, 1, 12, 0, 0)), tarred({"copy.cu": RIGHT})):
            name = "work.zip" if inner.startswith(b"PK") else "work.tar.gz"
            # One day after the deadline; the member's time is 1 November 2026, or in 1970.
            export = self.write("submissions.zip", zipped({f"Lab_ada_attempt_2026-11-21-12-00-00_{name}": inner}))
            self.run_class(0, submissions=export)
            self.assertEqual([("ada", "pass", 9.0)], self.standing())
            self.book.unlink()

    def test_5_a_manifest_that_is_restored_has_its_grades_again(self):
        course = self.folder / "course"
        for folder in ("labs/coalescing", "solutions/coalescing"):
            shutil.copytree(ROOT / folder, course / folder)
        shutil.copy(ROOT / "labs/gates.toml", course / "labs")
        self.write("class.toml", ONE)
        self.write("ada/copy.cu", RIGHT)
        place = {"WARPGRADE_ROOT": str(course)}
        self.run_class(0, **place)
        self.assertEqual([("ada", "pass", 10.0)], self.standing())
        manifest = course / "labs/gates.toml"
        before = manifest.read_text()
        # No sector has more than 32 bytes.
        changed = before.replace("\nmin = 28\nideal = 32\n", "\nmin = 40\nideal = 40\n")
        manifest.write_text(changed)
        self.assertNotEqual(before, changed)
        self.run_class(0, **place)
        self.assertNotEqual([("ada", "pass", 10.0)], self.standing())
        manifest.write_text(before)
        self.run_class(0, **place)
        self.assertEqual([("ada", "pass", 10.0)], self.standing())

    def test_6_a_wrong_first_rule_leaves_no_students_behind(self):
        export = self.folder / "submissions.zip"
        export.write_bytes(zipped({"lab1_ada.cu": RIGHT, "lab1_bob.cu": SKELETON}))
        (self.folder / "class.toml").write_text(ONE + "name = '^(?<student>[a-z0-9]+)_(?<ignored>\\w+)\\.cu$'\n")
        # Two files of one student may belong to the exercise: the run reports both, without a grade.
        self.run_class(3, submissions=export)
        (self.folder / "class.toml").write_text(ONE + "name = '^lab1_(?<student>[a-z]+)\\.cu$'\n")
        self.run_class(0, submissions=export)
        self.assertEqual([("ada", "pass"), ("bob", "fail")], self.standing("student, verdict"))

    def test_7_each_problem_names_student_file_and_reason(self):
        self.write("class.toml", ONE)
        self.write("ada/work.zip", zipped({"lab/copy.cu": b" " * (33 << 20)}))
        self.write("bob/copy.cu", b" " * (5 << 20))
        words = self.run_class(3)
        problems = (self.folder / "book.db.problems.txt").read_text()
        for part in ("ada/work.zip/lab/copy.cu: refused: it is larger than 32 MiB", "bob/copy.cu: refused: it is larger than 4 MiB"):
            self.assertIn(part, words)
            self.assertIn(part, problems)

    def test_8_canvas_gets_its_own_rows_back(self):
        head = "Student,ID,SIS User ID,SIS Login ID,Section,Copy (881)\n    Points Possible,,,,,10\n"
        self.write("gradebook.csv", head + '"Doe, Jane",12,s12,jdoe,A,\n"Ko, Bo",13,s13,bko,A,EX\n"Li, Cy",14,s14,cli,A,\n')
        self.write("class.toml", ONE + 'roster = "gradebook.csv"\n')
        export = self.write("submissions.zip", zipped({"doejane_12_5_copy.cu": RIGHT}))
        self.run_class(0, submissions=export)
        self.program(0, "export", self.book, "--format", "canvas", "--out", "out.csv")
        wanted = head + '"Doe, Jane",12,s12,jdoe,A,10\n"Ko, Bo",13,s13,bko,A,EX\n"Li, Cy",14,s14,cli,A,0\n'
        self.assertEqual(wanted, (self.folder / "out.csv").read_text())

    def test_9_a_build_folder_is_no_attempt_and_ties_have_an_order(self):
        self.write("class.toml", ONE)
        self.write("ada/labs/coalescing/copy.cu", RIGHT)
        self.write("ada/build/copy.cu", SKELETON)
        self.write("bob/work.zip", zipped({"copy.cu": SKELETON, "copy-2.cu": RIGHT}))
        self.run_class(0)
        self.assertEqual([("ada", "pass", 10.0), ("bob", "pass", 10.0)], self.standing())


if __name__ == "__main__":
    unittest.main()
