# SPDX-License-Identifier: Apache-2.0
"""Exports of platforms: whole classes with every kind of mess, then times, names, levels of folders and rules case by
case. Each student has a row, each file is named, and unreadable work is open instead of a zero. Late days follow the
clock. The gradebook that the program writes is the platform's own with points filled in."""

import csv
import datetime
import io
import os
import tarfile
import unicodedata
import unittest
import zipfile

from class_case import ROOT, ClassCase
from messy_export import Export, LAYOUTS, NO_TIMES
from messy_work import RIGHT, zip_of_raw_names, zipped

SEED = 38


class MessTest(ClassCase):
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
        if layout == "brightspace":  # Its import takes no names and no addresses.
            kept = [i for i, title in enumerate(before[0]) if title not in ("Last Name", "First Name", "Email")]
            before = [[row[i] for i in kept] for row in before]
        self.assertEqual(before[0], after[0])
        column = before[0].index(export.title)
        first = len(before) - len(export.students)
        self.assertEqual(before[:first], after[:first])
        filled = {column} | {i for i, title in enumerate(before[0]) if title == "Feedback comments"}

        def others(row):
            return [cell for i, cell in enumerate(row) if i not in filled]

        for one, old, new in zip(export.students, before[first:], after[first:], strict=True):
            points = standing[one.key][1]
            self.assertEqual("" if points is None else f"{points:g}", new[column], (layout, one))
            self.assertEqual(others(old), others(new))


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

    def test_a_german_worksheet_with_blind_marking_has_numbers_times_and_another_maximum(self):
        export = self.folder / "in.zip"
        with zipfile.ZipFile(export, "w") as archive:
            for number, text in ((301, self.right), (302, self.right + "//"), (303, self.right + "// ")):
                about = zipfile.ZipInfo(f"Teilnehmer_{number}_assignsubmission_file_/copy.cu", (2026, 11, 25, 12, 0, number % 30))
                archive.writestr(about, text)
        head = "ID,Status,Bewertung,Bestwertung,Zuletzt geändert (Abgabe),Feedback als Kommentar\n"
        rows = ('Teilnehmer/in301,,{},"100,00","Freitag, 20. November 2026, 23:59",{}\n'
                'Teilnehmer/in302,,{},"100,00","Sonntag, 22. November 2026, 00:10",{}\n'
                'Teilnehmer/in303,,{},"100,00",-,gut\nTeilnehmer/in304,,{},"100,00",-,{}\n')
        (self.folder / "sheet.csv").write_text(head + rows.format("", "", "", "", "", "", ""))
        rules = ('exercises = ["coalescing/copy"]\ntimezone = "Europe/Berlin"\ndeadline = "2026-11-20 23:59"\n'
                 'roster = "sheet.csv"\n{}[columns]\ncopy = "Bewertung"\n[late]\npercent_a_day = 10\n')
        (self.submissions / "class.toml").unlink()
        place = self.folder / "class.toml"
        place.write_text(rules.format(""))
        words = self.run_class(0, submissions=export)
        self.assertIn(f"rules: {place}", words)
        self.assertIn("coalescing/copy has 10 points, and its column `Bewertung` has 100", words)
        self.assertIn("1 day 0 h 11 min 0 s after the deadline", self.program(0, "explain", self.book, "302"))
        place.write_text(rules.format('scale = "column"\n'))
        self.assertIn("points are scaled to the column", self.run_class(0, submissions=export))
        self.program(0, "export", self.book, "--format", "moodle", "--out", "import.csv")
        right = rows.format(100, "coalescing/copy: 10 of 10 points", 80,
                            "coalescing/copy: 8 of 10 points (handed in late: 20 % less)", 100, 0,
                            "coalescing/copy: nothing handed in")
        self.assertEqual(head + right, (self.folder / "import.csv").read_text())
        self.assertIn("4 students", self.program(0, "feedback", self.book, "back.zip", "--format", "moodle"))
        with zipfile.ZipFile(self.folder / "back.zip") as archive:
            self.assertIn("Participant_302_assignfeedback_file_/index.html", archive.namelist())
            self.assertIn("8 of 10", archive.read("Participant_302_assignfeedback_file_/feedback.txt").decode())
        self.assertIn("not those of canvas", self.program(2, "feedback", self.book, "x.zip", "--format", "canvas"))

    def test_feedback_for_canvas_has_the_number_of_the_last_file(self):
        self.write("class.toml", 'exercises = ["coalescing/copy"]\n')
        files = {"doejane_12_998_copy.cu": RIGHT, "doejane_12_1001_notes.txt": b"mine", "ekbo_LATE_13_7_copy.cu": RIGHT}
        export = self.write("submissions.zip", zipped(files))
        self.run_class(0, submissions=export)
        self.program(0, "feedback", self.book, "back.zip", "--format", "canvas")
        with zipfile.ZipFile(self.folder / "back.zip") as archive:
            self.assertEqual(["doejane_12_1001_feedback.txt", "ekbo_LATE_13_7_feedback.txt"], sorted(archive.namelist()))

    def test_notebooks_are_work(self):
        self.write("class.toml", 'exercises = ["coalescing/copy"]\n')
        notebook = (ROOT / "docs/notebooks/assignment.ipynb").read_text()
        self.write("ada/assignment.ipynb", notebook)
        self.write("bob/assignment.ipynb", notebook.replace("%%grade", "%%graded"))
        words = self.run_class(3)
        self.assertIn("bob/assignment.ipynb: no cell of it is work", words)
        self.assertEqual([("ada", 10.0), ("bob", None)], self.ask("SELECT student, points FROM standing ORDER BY 1"))

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


ONE = 'exercises = ["coalescing/copy"]\n'


class LayoutTest(ClassCase):
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

    def test_a_folder_one_level_too_high_is_left_out_and_nbgraders_root_is_known(self):
        self.write("class.toml", ONE)
        for student in ("ada", "bob"):
            self.write(f"all/{student}/coalescing/copy.cu", self.right)
        for place in (self.submissions, self.submissions / "all"):
            self.run_class(0, submissions=place)
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
