# SPDX-License-Identifier: Apache-2.0
"""Grades a class's export of each platform with every kind of mess. Each student has a row, each file is named,
and unreadable work is open instead of a zero. Late days follow the clock. The gradebook that the program writes is
the platform's own with points filled in."""

import contextlib
import csv
import datetime
import io
import os
import sqlite3
import unicodedata
import unittest
import zipfile

from class_case import ClassCase
from messy_export import LAYOUTS, NO_TIMES, Export
from messy_work import RIGHT, zip_of_raw_names, zipped

SEED = 38


class MessTest(ClassCase):
    def ask(self, sql):
        with contextlib.closing(sqlite3.connect(self.book)) as book:
            return book.execute(sql).fetchall()

    def check(self, layout, is_extracted=False):
        export = Export(layout, SEED)
        submissions = export.write(self.folder / layout)
        if is_extracted:
            submissions = self.extracted(submissions)
        words = self.run_class(3, submissions=submissions)
        self.assertIn(f"layout: {layout} (guessed", words)
        wrong = []
        standing = {row[0]: row[1:] for row in self.ask("SELECT student, verdict, points, open_reason FROM standing")}
        students = {one.key for one in export.students}
        wrong += [f"unknown student {one}" for one in standing if one not in students]
        received = {}
        for student, path in self.ask("SELECT student, path FROM received"):
            received.setdefault(student, []).append(path)
        for one in export.students:
            if one.key not in standing:
                wrong.append(f"{one.key} ({one.kind}) is not in the book")
                continue
            wrong += self.deviations(one, standing[one.key], layout)
            paths = received.get(one.key, [])
            wrong += [f"{one.key} ({one.kind}): {file} is in no row of {paths}" for file in one.files
                      if not any(path.endswith(unicodedata.normalize("NFC", file)) for path in paths)]
        wrong += self.wrong_times(export, layout)
        self.assertFalse(wrong, "\n".join([*wrong, words]))
        self.check_gradebook(export, layout, standing)
        return words

    def extracted(self, export):
        """The export unpacked into a folder; files have the times of their entries."""
        folder = export.parent / "unpacked"
        with zipfile.ZipFile(export) as archive:
            archive.extractall(folder)
            for one in archive.infolist():
                time = datetime.datetime(*one.date_time).timestamp()
                os.utime(folder / one.filename, (time, time))
        return folder

    def deviations(self, one, row, layout):
        verdict, points, reason = row
        shown = f"{one.key} ({one.kind}): {row}"
        wanted = one.points(layout)
        if wanted is None:
            is_right = points is None and "we received" in (reason or "")
        elif wanted is ...:
            is_right = verdict in ("pass", "fail") and points is not None and reason is None
            is_right = is_right and (one.work.outcome == "graded" or verdict == one.work.outcome)
        else:
            is_right = points == wanted and verdict == one.work.outcome and reason is None
        return [] if is_right else [shown + f", not {wanted}"]

    def wrong_times(self, export, layout):
        found = dict(self.ask("SELECT student, submitted_at FROM standing"))
        out = []
        for one in export.students:
            if one.work.outcome in ("open", "missing"):
                continue
            time = one.time.replace(second=0) if layout == "brightspace" else one.time
            wanted = "" if layout in NO_TIMES else f"{time.astimezone(datetime.UTC):%Y-%m-%dT%H:%M:%SZ}"
            if found[one.key] != wanted:
                out.append(f"{one.key} ({one.kind}): {found[one.key]} is not {wanted}")
        return out

    def check_gradebook(self, export, layout, standing):
        out = self.folder / f"{layout}.csv"
        kind = layout if layout in ("canvas", "moodle", "blackboard", "brightspace") else "roster"
        self.program(0, "export", self.book, "--format", kind, "--out", out)
        encoding = "utf-16" if layout == "blackboard" else "utf-8-sig"

        def rows(data):
            text = io.StringIO(data.decode(encoding), newline="")
            return list(csv.reader(text, delimiter="\t" if layout == "blackboard" else ","))

        before, after = rows(export.gradebook()), rows(out.read_bytes())
        self.assertEqual(before[0], after[0])
        column = before[0].index(export.title)
        first = len(before) - len(export.students)
        self.assertEqual(before[:first], after[:first])
        for one, old, new in zip(export.students, before[first:], after[first:], strict=True):
            points = standing[one.key][1]
            self.assertEqual("" if points is None else f"{points:g}", new[column], (layout, one))
            self.assertEqual(old[:column] + old[column + 1 :], new[:column] + new[column + 1 :])


    def read(self, files, code=0, gradebook=None, name="submissions.zip", when=(2026, 11, 20, 12, 0, 0)):
        """Runs a class on an export with these files; returns the rows of the standing by student."""
        rules = 'exercises = ["coalescing/copy"]\n'
        if gradebook is not None:
            self.write("gradebook.csv", gradebook)
            rules += 'roster = "gradebook.csv"\n'
        self.write("class.toml", rules)
        content = files if isinstance(files, bytes) else zipped(files, when)
        export = self.write(name, content)
        self.words = self.run_class(code, submissions=export)
        rows = self.ask("SELECT student, verdict, points, open_reason FROM standing")
        self.book.unlink()
        export.unlink()
        return {row[0]: row[1:] for row in rows}

    def test_names_of_students_in_each_encoding_of_zip_programs(self):
        cases = {
            "cp437": ["Jürgen Müller", "André Señor"],
            "cp850": ["Jürgen Müller", "Søren Ålund", "Íris Ávila"],
            "cp1252": ["Jürgen Groß", "Seán Ó Briain", "Zoë Döe"],
            "cp866": ["Иван Петров", "Мария Й"],
            "cp932": ["山田 太郎", "鈴木 さくら"],
            "gbk": ["李明", "王小红"],
            "utf-8": ["Jürgen Müller", "李明", "김민수", "Иван"],
        }
        for encoding, students in cases.items():
            files = [(f"{student}_{i}_assignsubmission_file_/copy.cu".encode(encoding), RIGHT)
                     for i, student in enumerate(students)]
            self.assertEqual(sorted(students), sorted(self.read(zip_of_raw_names(files))), encoding)
        # A Mac separates accents from letters, with the flag and without it.
        apart = unicodedata.normalize("NFD", "Jürgen Müller_7_assignsubmission_file_/copy.cu").encode()
        for flag in (0, 0x800):
            self.assertEqual(["Jürgen Müller"], list(self.read(zip_of_raw_names([(apart, RIGHT)], flag))))

    def test_a_name_that_is_no_text_is_shown_escaped_and_kept(self):
        name = b"M\xff\xfdll_7_assignsubmission_file_/copy.cu"
        for flag in (0, 0x800):
            rows = self.read(zip_of_raw_names([(name, RIGHT), (b"Bo_8_assignsubmission_file_/copy.cu", RIGHT)], flag))
            self.assertEqual(2, len(rows), rows)
            self.assertEqual({("pass", 10.0, None)}, set(rows.values()))

    def test_what_students_typed_into_a_page_is_received(self):
        rows = self.read({"doejane_12_text.html": "<p>__global__</p>", "kobo_LATE_13_link.html": "<a>",
                          "anon_8kLpQ_5001_copy.cu": RIGHT, "LATE_anon_9x_5002_copy.cu": RIGHT}, 3)
        self.assertEqual({"doejane_12": None, "kobo_13": None, "anon_8kLpQ": 10, "anon_9x": 10},
                         {student: row[1] for student, row in rows.items()})
        head = "Lab 1_{}_attempt_2026-11-20-12-00-00{}"
        typed = "Name: A B ({})\nAssignment: Lab 1\n\nSubmission Field:\n<p>void copy()</p>\n\nComments:\nnone\n"
        none = typed.replace("<p>void copy()</p>", "There is no student submission text data for this assignment.")
        rows = self.read({head.format("ann", ".txt"): typed.format("ann"), head.format("bob", ".txt"): none.format("bob"),
                          head.format("cyd", ".txt"): typed.format("cyd"), head.format("cyd", "_copy.cu"): RIGHT}, 3)
        self.assertEqual({"ann": None, "bob": 0, "cyd": 10}, {student: row[1] for student, row in rows.items()})

    def test_canvas_can_give_the_names_in_two_columns(self):
        head = "LastName,FirstName,ID,SIS Login ID,Section,copy (1)\n,,,,,Manual Posting\n    Points Possible,,,,,10\n"
        rows = self.read({"doejane_12_5_copy.cu": RIGHT}, 0,
                         head + "Doe,Jane,12,jdoe,A,\nKo,Bo,13,bko,A,EX\nStudent,Test,99,test,A,\n")
        self.assertEqual({"jdoe": ("pass", 10, None), "bko": ("excused", None, None)}, rows)

    def test_times_that_an_export_wrote_make_nobody_late(self):
        self.write("class.toml", "")
        for minutes, is_doubted in (((1, 2, 3), True), ((3, 2, 1), False)):
            export = self.submissions / "submissions.zip"
            with zipfile.ZipFile(export, "w") as archive:
                for i, minute in enumerate(minutes):
                    about = zipfile.ZipInfo(f"Student {i}_{i}_assignsubmission_file/copy.cu", (2026, 11, 25, 9, minute, 0))
                    archive.writestr(about, RIGHT)
            self.write("class.toml", 'exercises = ["coalescing/copy"]\ndeadline = 2026-11-24\n[late]\npercent_a_day = 10\n')
            words = self.run_class(0, submissions=export)
            self.assertEqual(is_doubted, "nobody counts as late" in words)
            points = {p for (p,) in self.ask("SELECT points FROM standing")}
            self.assertEqual({10.0 if is_doubted else 9.0}, points)
            self.book.unlink()


def add(layout):
    def test(self):
        self.check(layout)

    def test_extracted(self):
        self.check(layout, True)

    setattr(MessTest, f"test_{layout}", test)
    if layout not in ("github", "nbgrader", "folders"):
        setattr(MessTest, f"test_{layout}_extracted", test_extracted)


for each in LAYOUTS:
    add(each)

if __name__ == "__main__":
    unittest.main()
