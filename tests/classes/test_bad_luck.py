# SPDX-License-Identifier: Apache-2.0
"""An instructor with bad luck: submissions that no rule foresees, and mistakes of earlier versions that cost students
points. Each case states the expected result; a submission with the right kernel never gets a 0."""

import gzip
import io
import os
import shutil
import struct
import subprocess
import tarfile
import unittest
import zipfile
import zlib

from class_case import ROOT, ClassCase
from messy_work import RIGHT, SKELETON, tarred, zip_of_raw_names, zipped

ONE = 'exercises = ["coalescing/copy"]\n'


def streamed(name, content):
    """A zip file with its sizes after the data, as programs write it to a pipe."""

    class Pipe(io.RawIOBase):
        def __init__(self):
            self.all = bytearray()

        def writable(self):
            return True

        def write(self, part):
            self.all += part
            return len(part)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return bytes(pipe.all)


def zip64(name, content):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as file:
            file.write(content)
    return out.getvalue()


def packed(name, content, method):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, content, method)
    return out.getvalue()


def with_unicode_path(name):
    """A zip file with `name` in Info-ZIP's field (0x7075) and underscores in the plain name."""
    content = zip_of_raw_names([(b"____/copy.cu", RIGHT)])
    extra = name.encode()
    extra = struct.pack("<HHBL", 0x7075, 5 + len(extra), 1, zlib.crc32(b"____/copy.cu")) + extra
    out = content.replace(b"\x0c\x00\x00\x00____/copy.cu", b"\x0c\x00" + struct.pack("<H", len(extra)) + b"____/copy.cu" + extra, 1)
    at = out.index(b"PK\1\2")
    grown = bytearray(out)
    grown[at + 30 : at + 32] = struct.pack("<H", len(extra))
    name_at = out.index(b"____/copy.cu", at) + len(b"____/copy.cu")
    grown[name_at:name_at] = extra
    end = grown.index(b"PK\5\6")
    grown[end + 12 : end + 20] = struct.pack("<LL", end - at, at)
    return bytes(grown)


def links(content):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        real = tarfile.TarInfo("real/copy.cu")
        real.size = len(content)
        archive.addfile(real, io.BytesIO(content))
        link = tarfile.TarInfo("copy.cu")
        link.type, link.linkname = tarfile.SYMTYPE, "real/copy.cu"
        archive.addfile(link)
    return out.getvalue()


# Each submission and its expected result: points, None (open), or ... (any points).
CASES = {
    "copy of": ({"Copy of copy.cu": RIGHT}, 10),
    "windows' copy": ({"copy - Copy.cu": RIGHT}, 10),
    "final": ({"copy_final_v2.cu": RIGHT}, 10),
    "space": ({"copy .cu": RIGHT}, 10),
    "two suffixes": ({"copy.cu.cu": RIGHT}, 10),
    "editors": ({"copy.cu": RIGHT, "copy.cu~": SKELETON, "copy.cu.bak": SKELETON, ".copy.cu.swp": b"b0VIM"}, 10),
    "header only": ({"copy.cuh": RIGHT}, None),
    "another exercise's name": ({"transpose.cu": RIGHT}, 10),
    "two kernels": ({"a.cu": RIGHT, "b.cu": SKELETON}, None),
    "old and new": ({"w.zip": zipped({"new.cu": RIGHT, "old.cu": SKELETON})}, None),
    "old folder": ({"w.zip": zipped({"lab/copy.cu": RIGHT, "lab/old/copy.cu": SKELETON})}, 10),
    "folder of that name": ({"w.zip": zipped({"copy.cu/copy.cu": RIGHT})}, 10),
    "utf-16be": ({"copy.cu": RIGHT.decode().encode("utf-16-be")}, ...),
    "null bytes": ({"copy.cu": RIGHT + b"\0\0"}, None),
    "notebook": ({"copy.ipynb": b'{"cells": []}'}, None),
    "tar.xz": ({"w.tar.xz": tarred({"a/b/copy.cu": RIGHT}, "w:xz")}, 10),
    "zip64": ({"w.zip": zip64("copy.cu", RIGHT)}, 10),
    "streamed": ({"w.zip": streamed("copy.cu", RIGHT)}, 10),
    "self-extracting": ({"w.zip": b"MZ junk" * 200 + zipped({"copy.cu": RIGHT})}, 10),
    "comment": ({"w.zip": zipped({"copy.cu": RIGHT})[:-2] + b"\5\0hello"}, 10),
    "lzma": ({"w.zip": packed("copy.cu", RIGHT, zipfile.ZIP_LZMA)}, 10),
    "bzip2": ({"w.zip": packed("copy.cu", RIGHT, zipfile.ZIP_BZIP2)}, 10),
    "bomb": ({"w.zip": zipped({"copy.cu": b"\0" * (300 << 20)})}, None),
    "large file beside work": ({"w.zip": zipped({"big.bin": b"\0" * (40 << 20), "copy.cu": RIGHT})}, 10),
    "drive": ({"w.zip": zip_of_raw_names([(b"C:\\Users\\Jo\\copy.cu", RIGHT)])}, 10),
    "absolute": ({"w.zip": zip_of_raw_names([(b"/home/jo/copy.cu", RIGHT)])}, None),
    "only what macos adds": ({"w.zip": zipped({"__MACOSX/._copy.cu": b"x", ".DS_Store": b"y"})}, None),
    "hidden folder": ({"w.zip": zipped({".hidden/copy.cu": RIGHT})}, 10),
    "word": ({"copy.docx": zipped({"word/document.xml": b"<w/>"})}, None),
    "cut": ({"w.zip": zipped({"a.txt": b"x", "copy.cu": RIGHT})[:-40]}, 10),
    "long names": ({"w.zip": zipped({"x" * 180 + "/" + "y" * 180 + "/copy.cu": RIGHT})}, 10),
    "name that no folder can have": ({"w.zip": zipped({"copy.cu": RIGHT, "y" * 300 + ".cuh": b""})}, None),
    "line break": ({"w.zip": zipped({"a\nb/copy.cu": RIGHT})}, 10),
    "markup": ({"w.zip": zipped({"<img src=x onerror=alert(1)>/copy.cu": RIGHT})}, 10),
    "emoji": ({"w.zip": zipped({"🦊 lösung/copy.cu": RIGHT})}, 10),
    "korean": ({"w.zip": zip_of_raw_names([("과제 제출/copy.cu".encode("cp949"), RIGHT)])}, 10),
    "big5": ({"w.zip": zip_of_raw_names([("作業繳交/copy.cu".encode("big5"), RIGHT)])}, 10),
    "unicode path": ({"w.zip": with_unicode_path("提交/copy.cu")}, 10),
    "visual studio": ({"w.zip": zipped({"copy/copy.cu": RIGHT, "copy/.vs/copy/v17/x.suo": b"x", "copy/copy.vcxproj": b"<x/>"})}, 10),
    "cmake": ({"w.zip": zipped({"p/src/copy.cu": RIGHT, "p/cmake-build-debug/CMakeFiles/3.2/CompilerIdCUDA/CMakeCUDACompilerId.cu": b"int x;"})}, 10),
    "gz": ({"copy.cu.gz": gzip.compress(RIGHT)}, 10),
    "link beside work": ({"w.tgz": links(RIGHT)}, 10),
    "only a folder's file": ({".DS_Store": b"x"}, 0),
}
PATHS = {
    "korean": "w.zip/과제 제출/copy.cu", "big5": "w.zip/作業繳交/copy.cu", "emoji": "w.zip/🦊 lösung/copy.cu",
    "unicode path": "w.zip/提交/copy.cu", "line break": "w.zip/a\\x0ab/copy.cu", "drive": "w.zip/C:/Users/Jo/copy.cu",
}


class BadLuckTest(ClassCase):
    def standing(self):
        return {row["student"]: row for row in self.exported()}

    def test_nobody_has_a_zero_that_the_work_does_not_earn(self):
        self.write("class.toml", ONE)
        for student, (files, _) in CASES.items():
            for name, content in files.items():
                self.write(f"{student}/{name}", content)
        self.run_class(3)
        rows, wrong = self.standing(), []
        for student, (files, wanted) in CASES.items():
            points = rows[student]["points"]
            is_right = points != "" if wanted is ... else points == ("" if wanted is None else f"{wanted:g}")
            if not is_right:
                wrong.append(f"{student}: {points!r}, not {wanted}: {rows[student]['open_reason']}")
            words = self.program(0, "explain", self.book, student)
            for name in [*files, *([PATHS[student]] if student in PATHS else [])]:
                if name not in words:
                    wrong.append(f"{student}: {name} is not in {words}")
        self.assertFalse(wrong, "\n".join(wrong))
        page = self.folder / "page.html"
        self.program(0, "export", self.book, "--format", "html", "--out", page)
        self.assertNotIn("<img src=x", page.read_text())

    def test_names_in_old_encodings_are_those_of_the_roster(self):
        cases = {"cp949": ["쟀츠", "뛰꿰"], "gbk": ["李明", "王红"], "big5": ["燠隴", "王明"], "cp932": ["鈴木 さくら", "林 恵"],
                 "cp437": ["Zoë Döe", "Bo Ek"], "cp1252": ["Zoë Ößk", "Bo Ek"], "latin-1": ["Seán Ó", "Bo Ek"]}
        self.write("class.toml", ONE + 'roster = "roster.csv"\n')
        for encoding, students in cases.items():
            self.write("roster.csv", "student,name\n" + "".join(f"s{i},{name}\n" for i, name in enumerate(students)))
            files = [(f"{name}_{i + 7}_assignsubmission_file/copy.cu".encode(encoding), RIGHT)
                     for i, name in enumerate(students)]
            export = self.write("submissions.zip", zip_of_raw_names(files))
            self.run_class(0, submissions=export)
            self.assertEqual({"s0": "10", "s1": "10"}, {s: row["points"] for s, row in self.standing().items()}, encoding)
            self.book.unlink()

    def test_a_number_matches_if_the_name_is_no_text(self):
        self.write("class.toml", ONE + 'roster = "gradebook.csv"\n')
        self.write("gradebook.csv", "Identifier,Full name,Email address,Grade\nParticipant 7,Mü Ll,a@u.edu,\nParticipant 8,Bo Ek,b@u.edu,\n")
        files = [(b"\xb0\xb1\xb2 Ll_7_assignsubmission_file/copy.cu", RIGHT), (b"Bo Ek_8_assignsubmission_file/copy.cu", SKELETON)]
        self.run_class(0, submissions=self.write("submissions.zip", zip_of_raw_names(files)))
        self.assertEqual({"Mü Ll": "10", "Bo Ek": "0"}, {s: row["points"] for s, row in self.standing().items()})

    def test_a_later_hand_in_that_cannot_be_read_leaves_the_earlier_grade_open(self):
        self.write("class.toml", ONE)
        head = "Lab_{}_attempt_2026-11-{:02}-10-00-00_{}"
        files = {head.format("ada", 1, "copy.cu"): SKELETON, head.format("ada", 2, "work.zip"): b"PK\3\4 damaged",
                 head.format("bob", 1, "copy.cu"): SKELETON, head.format("bob", 2, "report.pdf"): b"%PDF",
                 head.format("cyd", 2, "copy.cu"): RIGHT, head.format("cyd", 1, "work.zip"): b"PK\3\4 damaged",
                 head.format("dan", 2, "copy.cu"): RIGHT, head.format("dan", 2, "work.zip"): b"PK\3\4 damaged"}
        self.run_class(3, submissions=self.write("submissions.zip", zipped(files)))
        points = {student: row["points"] for student, row in self.standing().items()}
        self.assertEqual({"ada": "", "bob": "", "cyd": "10", "dan": "10"}, points)

    def test_a_roster_in_a_code_page_of_windows_names_its_students_and_keeps_its_bytes(self):
        self.write("class.toml", ONE + 'roster = "roster.csv"\n')
        for encoding, name in (("cp1252", "Jürgen Ó Briain"), ("gbk", "王小红"), ("cp932", "山田太郎"), ("cp949", "김민수")):
            text = f"student;name;copy\r\ns1;{name};\r\ns2;Bo Ek;\r\n"
            self.write("roster.csv", text.encode(encoding))
            self.write(f"{name}/copy.cu", RIGHT)
            self.run_class(0)
            self.assertEqual({"s1": "10", "s2": "0"}, {s: row["points"] for s, row in self.standing().items()}, encoding)
            self.program(0, "export", self.book, "--format", "roster", "--out", "roster.csv")
            self.assertEqual(text.replace(f"{name};", f"{name};10").replace("Bo Ek;", "Bo Ek;0").encode(encoding),
                             (self.folder / "roster.csv").read_bytes())
            self.book.unlink()
            (self.submissions / name / "copy.cu").unlink()
            (self.submissions / name).rmdir()

    def test_an_empty_repository_is_a_student_without_work(self):
        self.write("class.toml", ONE + 'layout = "github"\n')
        self.write("lab1-submissions/lab1-ada/copy.cu", RIGHT)
        for student in ("ada", "bob"):
            folder = self.submissions / f"lab1-submissions/lab1-{student}"
            subprocess.run(["git", "init", "-q", folder], check=True)
        self.run_class(0)
        self.assertEqual({"ada": "10", "bob": "0"}, {s: row["points"] for s, row in self.standing().items()})

    def test_the_time_of_a_file_is_that_of_the_commit_that_changed_it(self):
        self.write("class.toml", ONE + 'layout = "github"\ndeadline = 2026-11-20T23:59:00Z\n[late]\npercent_a_day = 10\n')
        home = self.submissions / "lab1-submissions/lab1-ada"
        self.write("lab1-submissions/lab1-ada/copy.cu", RIGHT)
        commit = "git add -A && git -c user.name=x -c user.email=x@y commit -q -m work"
        for when in ("2026-11-20T12:00:00Z", "2026-11-25T12:00:00Z"):
            env = {**os.environ, "GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
            subprocess.run(f"git init -q && {commit}", shell=True, cwd=home, env=env, check=True)
            self.write("lab1-submissions/lab1-ada/README.md", when)
        self.run_class(0)
        self.assertEqual("10", self.standing()["ada"]["points"])
        self.assertEqual([("2026-11-20T12:00:00Z",)], self.ask("SELECT submitted_at FROM standing"))


LATE = "[late]\npercent_a_day = 10\n"


class FindingsTest(ClassCase):
    def standing(self, columns="student, verdict, points"):
        return self.ask(f"SELECT {columns} FROM standing ORDER BY student")

    def csv_rows(self):
        return {row["student"]: row for row in self.exported()}

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
        points = self.ask("SELECT points FROM standing")[0][0]
        manifest.write_text(before)
        words = self.program(0, "status", self.book, **place)
        self.assertIn("solutions of coalescing changed after the last run", words)
        self.assertIn(f"coalescing/copy: 1 of 1 regraded changed: ada 10 to {points:g}", words)
        words = self.run_class(0, **place)
        self.assertIn(f"coalescing/copy: 1 of 1 regraded changed: ada {points:g} to 10", words)
        self.assertEqual([("ada", "pass", 10.0)], self.standing())
        self.assertNotIn("changed after", self.program(0, "status", self.book, **place))
        self.assertNotIn("regraded", self.run_class(0, **place))
        self.assertEqual(2, self.program(0, "changes", self.book).count("1 of 1 regraded changed"))

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
        for part in ("ada/work.zip/lab/copy.cu: refused: it is larger than 4 MiB", "bob/copy.cu: refused: it is larger than 4 MiB"):
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
