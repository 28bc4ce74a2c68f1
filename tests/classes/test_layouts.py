# SPDX-License-Identifier: Apache-2.0
"""Times, names, levels of folders and rules of exports, case by case. test_mess.py has whole classes."""

import contextlib
import io
import os
import sqlite3
import tarfile
import unittest
import zipfile

from class_case import ClassCase
from messy_work import zipped

ONE = 'exercises = ["coalescing/copy"]\n'


class LayoutTest(ClassCase):
    def ask(self, sql):
        with contextlib.closing(sqlite3.connect(self.book)) as book:
            return book.execute(sql).fetchall()

    def test_the_archives_own_time_counts_and_a_day_is_one_of_the_zone(self):
        self.write("class.toml", ONE + 'timezone = "Europe/Berlin"\ndeadline = 2026-11-20T23:59:00\n'
                   "[late]\npercent_a_day = 10\n")
        inner = zipped({"copy.cu": self.right})
        export = self.submissions / "submissions.zip"
        with zipfile.ZipFile(export, "w") as archive:
            archive.writestr("Lab_ada_attempt_2026-11-20-23-58-00_work.zip", inner)
            archive.writestr("Lab_bob_attempt_2026-11-21-23-58-00_work.zip", inner)
        self.run_class(0, submissions=export)
        self.assertEqual([("ada", 10.0), ("bob", 9.0)], self.ask("SELECT student, points FROM standing"))

    def test_times_of_zip_entries_are_in_the_zone_and_equal_ones_are_doubted(self):
        self.write("class.toml", ONE + 'timezone = "Europe/Berlin"\ndeadline = 2026-11-19\n[late]\npercent_a_day = 10\n')
        export = self.submissions / "submissions.zip"
        for minutes, times in (((30, 31), ["2026-11-20T22:30:00Z", "2026-11-20T22:31:00Z"]), ((30, 30), ["", ""])):
            with zipfile.ZipFile(export, "w") as archive:
                for i, minute in enumerate(minutes):
                    name = f"Student {i}_{i}_assignsubmission_file_/copy.cu"
                    archive.writestr(zipfile.ZipInfo(name, (2026, 11, 20, 23, minute, 0)), self.right)
            words = self.run_class(0, submissions=export)
            self.assertEqual(times[0] == "", "nobody counts as late" in words)
            found = self.ask("SELECT submitted_at, points FROM standing ORDER BY student")
            self.assertEqual([(time, 9.0 if time else 10.0) for time in times], found)

    def read_names(self, name, content):
        """The students of an export with this file name and these bytes."""
        export = self.submissions / name
        export.write_bytes(content)
        self.run_class(0, submissions=export)
        students = [s for (s,) in self.ask("SELECT student FROM standing WHERE verdict = 'pass'")]
        self.book.unlink()
        export.unlink()
        return students

    def test_names_in_every_encoding_of_archive_programs(self):
        self.write("class.toml", ONE)
        utf8 = zipped({"Übung_1_2_copy.cu": self.right})
        self.assertEqual(0x08, utf8[7] & 0x08)  # The flag for UTF-8, as Python and 7-Zip set it.
        self.assertEqual(["Übung_1"], self.read_names("a.zip", utf8))
        cases = {
            b"M\x81ller": "Müller_1",  # Windows' folders: code page 437
            b"M\xc3\xbcller": "Müller_1",  # Linux and macOS: UTF-8 without the flag
            b"Mu\xcc\x88ller": "Müller_1",  # macOS: letters and accents apart
        }
        for raw, student in cases.items():
            name = "M" + "@" * (len(raw) - len(b"Mller")) + "ller"
            zip_file = zipped({f"{name}_1_2_copy.cu": self.right}).replace(name.encode(), raw)
            self.assertEqual([student], self.read_names("b.zip", zip_file), raw)
        with tarfile.open(self.folder / "c.tar", "w", format=tarfile.GNU_FORMAT, encoding="latin-1") as tar:
            info = tarfile.TarInfo("Müller_1_2_copy.cu")
            info.size = len(self.right)
            tar.addfile(info, io.BytesIO(self.right.encode()))
        # Not valid text in any encoding that archives use, so the name is shown escaped and kept.
        self.assertEqual(["M\\xfcller_1"], self.read_names("c.tar", (self.folder / "c.tar").read_bytes()))

    def test_a_folder_one_level_too_high_is_doubted_and_nbgraders_root_is_known(self):
        self.write("class.toml", ONE)
        for student in ("ada", "bob"):
            self.write(f"all/{student}/coalescing/copy.cu", self.right)
        self.assertIn("name this folder as SUBMISSIONS", self.run_class(0))
        self.run_class(0, submissions=self.submissions / "all")
        self.assertEqual([("ada",), ("bob",)], self.ask("SELECT student FROM standing"))
        self.book.unlink()
        root = self.folder / "course"
        for student in ("ada", "bob"):
            for folder in ("submitted", "autograded"):
                home = root / folder / student / "lab1"
                home.mkdir(parents=True)
                (home / "copy.cu").write_text(self.right)
        (root / "class.toml").write_text(ONE)
        for place in (root, root / "submitted"):
            self.run_class(0, submissions=place)
            self.assertEqual([("ada",), ("bob",)], self.ask("SELECT student FROM standing"), place)

    def test_students_who_are_not_there_and_those_who_are_forgotten(self):
        self.write("class.toml", ONE)
        self.write("ada/copy.cu", self.right)
        self.write("bob/copy.cu", self.skeleton)
        self.assertIn("unknown student nobody", self.run_class(2, "--only", "nobody"))
        self.run_class(0)
        self.program(0, "forget", self.book, "bob")
        self.assertEqual([("ada",)], self.ask("SELECT student FROM standing"))
        self.assertIn("no student zoe", self.program(2, "forget", self.book, "zoe"))

    def test_students_archives_in_a_flat_folder_are_no_exports(self):
        self.write("class.toml", ONE + "name = '^(?<student>[a-z]+)_(?<exercise>\\w+)\\.(cu|zip)$'\n")
        self.write("ada_copy.cu", self.right)
        self.write("bob_copy.zip", zipped({"work/main.cu": self.right}))
        self.run_class(0)
        self.assertEqual([("ada", 10.0), ("bob", 10.0)], self.ask("SELECT student, points FROM standing"))

    def test_copied_folders_make_nobody_late(self):
        self.write("class.toml", ONE + "deadline = 2026-11-20\n[late]\npercent_a_day = 10\n")
        for i, student in enumerate(("ada", "bob", "cyd")):
            file = self.write(f"{student}/copy.cu", self.right)
            os.utime(file, (1795600000 + i, 1795600000 + i))  # in the same minute, days after the deadline
        self.assertIn("nobody counts as late", self.run_class(0))
        self.assertEqual([(10.0,)] * 3, self.ask("SELECT points FROM standing"))
        os.utime(file, (1795200000, 1795200000))  # on time: the times are the files' own
        self.run_class(0)
        self.assertEqual([(5.0,), (5.0,), (10.0,)], self.ask("SELECT points FROM standing ORDER BY student"))

    def test_a_rule_that_fails_is_not_a_class_that_handed_in_nothing(self):
        self.write("roster.csv", "student\nada\nbob\n")
        self.write("class.toml", ONE + "roster = \"roster.csv\"\nname = '^(?<student>[a-z]+)-(?<exercise>\\w+)\\.cu$'\n")
        export = self.submissions / "submissions.zip"
        with zipfile.ZipFile(export, "w") as archive:
            archive.writestr("ada_copy.cu", self.right)
            archive.writestr("bob_copy.cu", self.right)
        words = self.run_class(3, submissions=export)
        self.assertIn("submissions.zip/bob_copy.cu", (self.folder / "book.db.problems.txt").read_text())
        self.assertIn("files of unknown students may be theirs", words)
        self.assertEqual([("ada", None), ("bob", None)], self.ask("SELECT student, points FROM standing"))
        self.program(0, "feedback", self.book, self.folder / "feedback")
        self.assertIn("files of an unknown student", (self.folder / "feedback/ada/feedback.txt").read_text())


if __name__ == "__main__":
    unittest.main()
