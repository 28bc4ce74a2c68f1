# SPDX-License-Identifier: Apache-2.0
"""Opens the instructor's page of a class of 300, and students' overviews, in headless Chromium.

Grades three submissions, then fills the book up to 300 students with copies of these grades, in all exercises of
the course, at many times. Exits with 77 if Chromium or Selenium is missing.
"""

import contextlib
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
import unittest

from browser import PageCase

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = ("ada <img src=x onerror=alert(1)>", "x" * 128, "\u00c9lo\u00efse", "'; --")
MANIFESTS = sorted((ROOT / "labs").glob("*/grader.toml"))
EXERCISES = sum(len(tomllib.loads(file.read_text())["exercise"]) for file in MANIFESTS)
MOST_BYTES = 100 * 300 * EXERCISES


def fill_up(book):
    """Fills the book up to 300 students with all exercises, from its first grades."""
    draw = random.Random(19)
    grades = book.execute("SELECT * FROM grade").fetchall()
    columns = [row[1] for row in book.execute("PRAGMA table_info(grade)")]
    place = 2
    exercises = []
    for manifest in MANIFESTS:
        for one in tomllib.loads(manifest.read_text())["exercise"]:
            exercises.append((manifest.parent.name, one["id"]))
            book.execute("INSERT OR IGNORE INTO exercise (lab, exercise, place, max_points, manifest) VALUES (?, ?, ?, 10, 'm')", (*exercises[-1], place))
            place += 1
    students = [*NAMES, *(f"student{i:03}" for i in range(300 - len(NAMES) - 3))]
    for student in students:
        book.execute("INSERT INTO student (student, name, in_roster) VALUES (?, ?, 1)", (student, student.title()))
    for lab, exercise in exercises:
        for number, grade in enumerate(grades):
            row = dict(zip(columns, grade))
            row.update(id=None, key=f"{lab}{exercise}{number}", lab=lab, exercise=exercise)
            row.update(bundle=f"made {exercise} {number}", page="", points=draw.randrange(11), max_points=10)
            book.execute(f"INSERT INTO grade VALUES ({','.join('?' * len(columns))})", [row[c] for c in columns])
        for student in students:
            bundle = f"made {exercise} {draw.randrange(len(grades) + 1)}"
            at = f"2026-11-{draw.randrange(10, 24)}T{draw.randrange(24):02}:00:00Z"
            late = draw.choice([0, 0, 0.1])
            if draw.randrange(12):
                book.execute(
                    "INSERT INTO attempt (student, lab, exercise, bundle, sha256, submitted_at, late_share,"
                    " source, seen_at) VALUES (?, ?, ?, ?, 's', ?, ?, 'f', 't')",
                    (student, lab, exercise, bundle, at, late),
                )
    book.execute(
        "UPDATE attempt SET grade_key = coalesce((SELECT max(key) FROM grade AS g WHERE g.bundle = attempt.bundle"
        " AND g.exercise = attempt.exercise), grade_key)"
    )
    book.commit()


class ClassPage(PageCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for student, kind in (("ada", "solutions"), ("bob", "labs"), ("eve", "solutions")):
            home = cls.folder / "in" / student / "coalescing"
            home.mkdir(parents=True)
            text = (ROOT / kind / "coalescing/copy.cu").read_text() if student != "eve" else "no kernel"
            (home / "copy.cu").write_text(text)
        (cls.folder / "in/class.toml").write_text('exercises = ["coalescing/copy", "bank_conflicts/predict"]\n')
        cls.run_program("run", "book.db", "in", "--backend", "sim")
        with contextlib.closing(sqlite3.connect(cls.folder / "book.db")) as book:
            fill_up(book)
        cls.run_program("feedback", "book.db", "feedback")
        cls.run_program("export", "book.db", "--format", "html", "--out", "class.html", "--feedback", "feedback")
        cls.page = cls.folder / "class.html"

    @classmethod
    def run_program(cls, *words):
        env = {**os.environ, "WARPGRADE_ROOT": str(ROOT)}
        done = subprocess.run([PROGRAM, "class", *words], cwd=cls.folder, env=env, capture_output=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{words}: {done.returncode}: {done.stderr.decode()}")

    def test_the_page_of_300_is_sound_and_small(self):
        self.expect_sound("class", self.page)
        self.assertLess(self.page.stat().st_size, MOST_BYTES)
        self.assertEqual("Class of 300", self.driver.title)
        self.assertEqual(EXERCISES, len(self.driver.find_elements("css selector", "svg.histogram")))

    def test_no_table_scrolls_sideways_on_a_laptop_or_half_a_screen(self):
        for width in (800, 1200, 1900):
            self.show(self.page, width)
            wide = self.run_script(
                "return [...document.querySelectorAll('.wide, .figure')].filter(n => n.scrollWidth > n.clientWidth)"
                ".map(n => n.closest('section').querySelector('h2').textContent)"
            )
            # The students' table has a column for each exercise, so it may scroll at 800 pixels.
            self.assertEqual([], [one for one in wide if (width, one) != (800, "Students")], f"at {width} pixels")

    def test_a_reason_leads_to_its_students_and_their_overviews(self):
        self.show(self.page)
        self.driver.find_element("xpath", "//summary[contains(., ' %)')]").click()
        link = self.driver.find_element("xpath", "//details[@open]//a")
        student = link.text
        link.click()
        row = self.driver.find_element("css selector", "tr:target td a")
        self.assertEqual(student, row.text)

    def test_overviews_and_reports_are_sound(self):
        for student in ("bob", *NAMES):
            self.expect_sound(student, self.folder / "feedback" / student / "index.html")
        self.expect_sound("report", self.folder / "feedback/bob/coalescing_copy.html")

    def test_links_lead_to_the_overview_and_on_to_the_report(self):
        self.show(self.page)
        self.driver.find_element("xpath", "//td[@class='who']/a[.='bob']").click()
        self.assertIn("bob: ", self.driver.title)
        self.driver.find_element("link text", "coalescing/copy").click()
        self.assertIn("coalescing/copy: ", self.driver.title)
        stages = self.run_script("return document.querySelectorAll('.stage svg').length")
        self.assertGreater(stages, 0, "the report has no pictures")

    def test_each_name_links_to_its_own_overview(self):
        self.show(self.page)
        links = self.driver.find_elements("css selector", "section:last-of-type td a")
        self.assertEqual(300, len(links))
        for link in links:
            if link.text in NAMES:
                place = self.run_script("return decodeURIComponent(arguments[0].href)", link)
                self.assertTrue(place.endswith(f"/feedback/{link.text}/index.html"), place)


if __name__ == "__main__":
    unittest.main()
