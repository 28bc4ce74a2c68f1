# SPDX-License-Identifier: Apache-2.0
"""`warpgrade class` from outside: a class is graded, continued, exported and reported."""

import csv
import json
import os
import subprocess
import sys
import unittest
import zipfile

from class_case import CLASS, PROGRAM, ROOT, ClassCase, course

sys.path.insert(0, str(ROOT / "tests/evidence/classes"))
import make_class  # noqa: E402

COLUMNS = (
    "student,lab,exercise,points,max_points,verdict,reason,sha256,backend,device,submitted_at,graded_at"
)
ODD = """  int odd = width;
  for (int step = 3; step < width % 97; step += 5) { odd = odd * 31 + step % 11 - height / 13; }
  while (odd > 1000003) { odd -= 77 * (height + 1); if (odd % 4097 == 19) break; }
"""
CANARY = "a-secret-of-another-student"


class ClassTest(ClassCase):
    def rows(self):
        """The CSV as a dict by student and exercise."""
        return {(r["student"], r["exercise"]): r for r in self.exported()}

    def test_a_class_has_a_row_for_each_student_and_exercise(self):
        self.write("ada/coalescing/copy.cu", self.right)
        self.write("ada/bank_conflicts/predict.toml", self.answers)
        self.write("bob/coalescing/copy.cu", self.right)
        self.write("eve/copy.cu", "no kernel")
        self.write("roster.csv", "student,name\nada,Ada\nbob,Bob\nzoe,Zoe\n")
        self.write("class.toml", CLASS + 'roster = "roster.csv"\n')
        words = self.run_class(3)
        self.assertIn("eve: is not in the roster", words)
        # Eve may be zoe, so zoe gets no zero until somebody decides.
        self.assertEqual(("", "missing"), (self.rows()["zoe", "copy"]["points"], self.rows()["zoe", "predict"]["verdict"]))
        self.program(0, "match", self.book, "eve", "--guest")
        self.assertIn("graded 3 of 3", words)
        rows = self.rows()
        self.assertEqual(8, len(rows))
        self.assertTrue((self.folder / "out.csv").read_text().startswith(COLUMNS))
        self.assertEqual(("10", "pass"), (rows["bob", "copy"]["points"], rows["bob", "copy"]["verdict"]))
        self.assertEqual(("0", "compile"), (rows["eve", "copy"]["points"], rows["eve", "copy"]["reason"]))
        self.assertEqual("missing", rows["zoe", "copy"]["verdict"])
        # A second run has nothing to do and changes nothing.
        before = self.grades()
        self.assertIn("nothing to grade", self.run_class(0))
        self.assertEqual(before, self.grades())

    def test_grades_are_those_of_single_grades(self):
        self.write("ada/coalescing/copy.cu", self.skeleton)
        self.run_class(0)
        alone = self.folder / "alone.json"
        subprocess.run(
            [PROGRAM, "grade", "coalescing/copy", "--backend", "sim", "--json", alone],
            env={**os.environ, "WARPGRADE_ROOT": str(course())}, capture_output=True, check=False,
        )
        ((text,),) = self.ask("SELECT report FROM grade")
        ours, single = (json.loads(t)["exercises"][0] for t in (text, alone.read_text()))
        # Values of measured cases differ a little, because their inputs also depend on the file's name.
        for report in (ours, single):
            report["gates"] = [(gate["id"], gate["points"], gate["passed"]) for gate in report["gates"]]
        for key in ("points", "max_points", "verdict", "reason", "correct", "sha256", "gates"):
            self.assertEqual(single[key], ours[key])

    def test_a_launch_of_gigabytes_has_room(self):
        self.write("class.toml", 'exercises = ["bank_conflicts/fine_grained"]\n')
        solution = (ROOT / "solutions/bank_conflicts/fine_grained.cu").read_text()
        self.write("ada/bank_conflicts/fine_grained.cu", solution)
        self.run_class(0)
        self.assertEqual("pass", self.rows()["ada", "fine_grained"]["verdict"])

    def test_an_export_of_an_lms_is_read_by_its_rule(self):
        self.write(
            "class.toml", CLASS + r"""name = '^(?<student>[a-z]+)_(?<time>\d+)_(?<exercise>\w+)\.(cu|zip)$'"""
        )
        inner = self.folder / "inner.zip"
        with zipfile.ZipFile(inner, "w") as archive:
            archive.writestr("bank_conflicts/predict.toml", self.answers)
        export = self.submissions / "export.zip"
        with zipfile.ZipFile(export, "w") as archive:
            archive.writestr("ada_20261101120000_copy.cu", self.skeleton)
            archive.writestr("ada_20261102120000_copy.cu", self.right)
            archive.writestr("bob_20261101120000_work.zip", inner.read_bytes())
            archive.writestr("cyd_20261101120000_cpy.cu", self.right)
            archive.writestr("odd name.txt", "?")
            archive.writestr("../../escape_1_copy.cu", self.right)
        # A file that the rule cannot place may be work, so it is open instead of a zero.
        words = self.run_class(3, submissions=export)
        for part in ("unknown exercise `cpy`", "odd name.txt: the rule", "leads out of the archive"):
            self.assertIn(part, words)
        rows = self.rows()
        self.assertEqual("10", rows["ada", "copy"]["points"])
        self.assertEqual("2026-11-02T12:00:00Z", rows["ada", "copy"]["submitted_at"])
        self.assertEqual("8", rows["bob", "predict"]["points"])
        self.assertEqual(("", "error"), (rows["cyd", "copy"]["points"], rows["cyd", "copy"]["verdict"]))
        self.assertIn("we received cyd_20261101120000_cpy.cu", rows["cyd", "copy"]["open_reason"])
        first = self.run_class(3, "--policy", "first", submissions=export)
        self.assertIn("graded 1 of 1", first)
        self.assertNotEqual("10", self.rows()["ada", "copy"]["points"])

    def test_a_damaged_archive_is_told_and_leaves_the_class_open(self):
        self.write("ada/coalescing/copy.cu", self.right)
        self.write("bob/work.zip", b"PK\x03\x04 and no more")
        self.assertIn("bob/work.zip: the archive cannot be read", self.run_class(3))
        self.assertEqual("10", self.rows()["ada", "copy"]["points"])

    def test_what_cannot_be_judged_stays_open_and_is_taken_again(self):
        self.write("ada/coalescing/copy.cu", self.right)
        words = self.run_class(3, WARPGRADE_COMPILER="/nowhere/compiler")
        self.assertIn("--retry", words)
        row = self.rows()["ada", "copy"]
        self.assertEqual(("", "error", "tool"), (row["points"], row["verdict"], row["reason"]))
        self.assertIn("ada coalescing/copy: ", self.program(0, "status", self.book))
        self.assertIn("nothing to grade", self.run_class(3))
        self.run_class(0, "--retry")
        self.assertEqual("10", self.rows()["ada", "copy"]["points"])

    def test_points_are_changed_by_hand_with_who_and_why(self):
        self.write("ada/coalescing/copy.cu", self.skeleton)
        self.run_class(0)
        change = ("adjust", self.book, "ada", "coalescing/copy")
        self.program(0, *change, "--points", "7", "--who", "eve", "--why", "was ill")
        row = self.rows()["ada", "copy"]
        self.assertEqual(("7", "eve", "was ill"), (row["points"], row["adjusted_by"], row["adjusted_why"]))
        self.program(2, *change, "--points", "11", "--who", "eve", "--why", "x")
        self.program(2, "adjust", self.book, "bob", "coalescing/copy", "--points", "1", "--who", "e", "--why", "x")
        self.program(0, *change, "--withdraw", "--who", "eve", "--why", "not ill")
        self.assertNotEqual("7", self.rows()["ada", "copy"]["points"])

    def test_feedback_is_of_one_student_alone(self):
        self.write("ada/coalescing/copy.cu", self.right + "// ada wrote this\n")
        self.write("bob/coalescing/copy.cu", self.skeleton + "// bob wrote that\n")
        self.run_class(0)
        self.assertIn("2 students", self.program(0, "feedback", self.book, "out"))
        ada, bob = ((self.folder / "out" / n / "feedback.txt").read_text() for n in ("ada", "bob"))
        self.assertIn("coalescing/copy: 10 of 10 points", ada)
        self.assertIn("bank_conflicts/predict: nothing handed in", ada)
        self.assertNotIn("bob", ada)
        self.assertIn("FAIL", bob)
        self.assertNotIn("ada", bob)

    def test_feedback_has_a_page_a_grade_and_tells_nothing_of_secret_cases(self):
        head = "int width, int height) {"
        self.write("ada/coalescing/copy.cu", self.right.replace(head, head + " if (width * 2 == 334) return;"))
        self.run_class(0)
        self.program(0, "feedback", self.book, "out")
        home = self.folder / "out" / "ada"
        text, page = (home / "feedback.txt").read_text(), (home / "coalescing_copy.html").read_text()
        for part in (text, page):
            self.assertIn("a case that is not shown", part)
            self.assertNotIn("secret", part)
            self.assertNotIn("167", part)
        self.assertIn('<a href="coalescing_copy.html">', (home / "index.html").read_text())
        ((report,),) = self.ask("SELECT report FROM grade")
        self.assertIn("secret_ragged", report)

    def test_the_page_of_the_class_and_the_list_of_near_copies(self):
        odd = self.right.replace("int width, int height) {", "int width, int height) {\n" + ODD)
        self.write("ada/coalescing/copy.cu", odd)
        self.write("bob/coalescing/copy.cu", "// mine\n" + odd.replace("odd", "renamed"))
        self.write("eve/coalescing/copy.cu", self.skeleton)
        self.run_class(0)
        export = ("export", self.book, "--out")
        self.program(0, *export, "near.csv", "--format", "similar")
        with (self.folder / "near.csv").open(newline="") as file:
            (row,) = csv.DictReader(file)
        self.assertEqual(("coalescing/copy", "ada", "bob", "1.00"), tuple(row.values())[:4])
        self.program(0, *export, "class.html", "--format", "html")
        page = (self.folder / "class.html").read_text()
        for part in ("3 students", "loads_coalesced", "100 %", "All work has a grade."):
            self.assertIn(part, page)
        self.program(2, *export, "class.html", "--format", "html", "--feedback", "nowhere")

    def hostile(self, **environment):
        """Grades files that try to read another student's work; returns the output of the run."""
        secret = self.write("ada/coalescing/copy.cu", self.right + f"// {CANARY}\n")
        outside = self.folder / "canary.h"
        outside.write_text(CANARY)
        self.write("b1/coalescing/copy.cu", f'#include "{secret}"\n')
        self.write("b2/coalescing/copy.cu", f'#include "../../ada/coalescing/copy.cu"\n#include "{outside}"\n')
        self.write("b3/coalescing/copy.cu", f'asm(".incbin \\"{secret}\\"");\n' + self.right)
        self.write("b4/coalescing/copy.cu", f"#if __has_include(\"{outside}\")\n#error {'FOUND'}\n#endif\n" + self.right)
        self.write("b5/coalescing/copy.cu", "template <int N> struct A { A<N + 1> a; };\nA<0> a;\n")
        os.symlink(secret, self.write("b6/coalescing/x", "").parent / "copy.cu")
        before = snapshot(self.submissions)
        words = self.run_class(3, **environment)  # A link is not graded: open, not a zero.
        self.assertEqual(before, snapshot(self.submissions))
        reports = self.ask("SELECT a.student, g.report || g.text FROM grade AS g JOIN attempt AS a USING (bundle)")
        self.assertEqual(6, len(reports))
        for student, report in reports:
            if student != "ada":
                self.assertNotIn(CANARY, report)
            self.assertNotIn("FOUND", report)
        self.assertIn("b6/coalescing/copy.cu: refused: it is a link", words)
        return words

    def test_no_hostile_file_sees_another_students(self):
        self.hostile()

    def test_nor_without_bubblewrap(self):
        self.assertNotIn("bubblewrap,", self.hostile(WARPGRADE_NO_BUBBLEWRAP="1"))

    def test_the_folder_for_temporary_files_may_be_outside_of_the_sandbox(self):
        self.write("ada/coalescing/copy.cu", self.right)
        elsewhere = self.folder / "scratch"
        elsewhere.mkdir()
        cache = self.folder / "cache"
        self.run_class(0, TMPDIR=str(elsewhere), XDG_CACHE_HOME=str(cache))
        # Judges under bubblewrap cannot write to the cache, so the run has filled it.
        self.assertTrue(any((cache / "warpgrade/compiled").iterdir()))
        self.assertIn(("ada", "coalescing", "copy", 10.0), [row[:4] for row in self.grades()])

    def test_bad_input_has_its_message_and_code(self):
        self.write("ada/coalescing/copy.cu", self.right)
        self.assertIn("no such folder or archive", self.program(2, "run", self.book, "nowhere"))
        self.assertIn("no such grade book", self.program(2, "status", "nothing.db"))
        self.write("class.toml", "exercises = [1]\n")
        self.assertIn("class.toml:1:", self.run_class(2))
        self.write("class.toml", 'exercises = ["nothing"]\n')
        self.run_class(2)
        (self.folder / "text.db").write_text("not a database, but long enough to be read as one" * 20)
        self.assertIn("text.db", self.program(3, "status", "text.db"))
        self.program(2, "export", self.book, "--format", "nothing", "--out", "x")


def snapshot(folder):
    return sorted((str(p), p.lstat().st_size, p.lstat().st_mtime_ns) for p in folder.rglob("*"))


class Workers(ClassCase):
    """Solutions, wrong ones, mutants, garbage and hostile files: the number of workers changes nothing."""

    def test_any_number_of_workers_gives_the_same_book(self):
        submissions = self.folder / "class"
        make_class.make(submissions, 8, seed=1, labs=("coalescing",))
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
