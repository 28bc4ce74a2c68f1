# SPDX-License-Identifier: Apache-2.0
"""`warpgrade init FOLDER` from outside: it makes a complete working folder, or none.

Arguments: the program and the root of the project.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse


class Init(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.course = pathlib.Path(self.folder.name) / "my course"
        # Drawing the real figures takes a minute; tests/grader/author/pack_test.cpp draws one.
        self.figures = tempfile.TemporaryDirectory()
        self.addCleanup(self.figures.cleanup)
        for name in self.shown_figures(pathlib.Path(ROOT)):
            pathlib.Path(self.figures.name, name).write_text(f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}"/>')

    def run_program(self, *arguments, **variables):
        return subprocess.run(
            [PROGRAM, *arguments],
            capture_output=True,
            check=False,
            cwd=self.folder.name,
            env={**os.environ, **variables},
            text=True,
        )

    def shown_figures(self, folder):
        text = "".join(chapter.read_text() for chapter in (folder / "handouts").glob("*.md"))
        return set(re.findall(r"\]\(figures/(\w+\.svg)\)", text))

    def init(self, folder, root=None, **variables):
        return self.run_program("init", folder, "--figures", self.figures.name, WARPGRADE_ROOT=str(root or ROOT), **variables)

    def install(self):
        """A program whose only course was installed beside it, as a wheel does."""
        prefix = pathlib.Path(self.folder.name) / "prefix"
        (prefix / "bin").mkdir(parents=True)
        (prefix / "share").mkdir()
        shutil.copy(PROGRAM, prefix / "bin")
        shutil.copytree(pathlib.Path(ROOT) / "labs", prefix / "share/warpgrade/labs")
        return prefix / "bin" / pathlib.Path(PROGRAM).name

    def run_installed(self, program, folder, *arguments):
        environment = {name: value for name, value in os.environ.items() if name != "WARPGRADE_ROOT"}
        environment["XDG_STATE_HOME"] = self.folder.name
        return subprocess.run([program, *arguments], capture_output=True, check=False, cwd=folder, env=environment, text=True)

    def test_outside_a_course_the_installed_one_is_not_graded(self):
        program = self.install()
        here = pathlib.Path(self.folder.name) / "here"
        here.mkdir()
        for command in ([], ["grade"], ["grade", "coalescing/copy"], ["watch"], ["hint"], ["check", "coalescing"]):
            done = self.run_installed(program, here, *command)
            self.assertEqual(2, done.returncode, command)
            self.assertEqual("", done.stdout)
            self.assertIn(f"there is no course in {here} or in a folder above it", done.stderr)
            self.assertIn("next: warpgrade init course && cd course\n", done.stderr)
        # A course below is named, also one with a name that a shell would split.
        for name in ("deep/my course", "near"):
            shutil.copytree(pathlib.Path(ROOT) / "labs/coalescing", here / name / "labs/coalescing")
            done = self.run_installed(program, here, "grade")
            self.assertEqual(2, done.returncode)
            quoted = f"'{name}'" if " " in name else name
            self.assertIn(f"next: cd {quoted}\n", done.stderr)
        self.assertEqual(0, self.run_installed(program, here, "list").returncode)
        # A named file needs only the manifests.
        (here / "mine.cu").write_text("__global__ void copy(float* out, const float* in, int width, int height) {}\n")
        done = self.run_installed(program, here, "grade", "coalescing/copy", "--file", "mine.cu", "--backend", "sim")
        self.assertEqual(1, done.returncode, done.stderr)

    def test_paths_are_those_that_the_reader_can_open(self):
        program = self.install()
        course = pathlib.Path(self.folder.name) / "course"
        shutil.copytree(pathlib.Path(ROOT) / "labs", course / "labs")
        done = self.run_installed(program, course / "labs/coalescing", "grade", "copy", "--backend", "sim")
        self.assertIn("points  copy.cu\n", done.stdout)
        done = self.run_installed(program, course / "labs/latency", "grade", "copy", "--backend", "sim")
        self.assertIn(f"points  {course}/labs/coalescing/copy.cu\n", done.stdout)
        done = self.run_installed(program, course, "hint")
        self.assertIn("coalescing/copy\nhint 1 of 4: ", done.stdout)
        done = self.run_installed(program, course, "grade", "copy", "--backend", "sim", "--json", "-")
        self.assertEqual("labs/coalescing/copy.cu", json.loads(done.stdout)["exercises"][0]["file"])
        done = self.run_installed(program, course, "grade", "copy", "--backend", "sim", "--html", "a.html")
        self.assertTrue(done.stdout.endswith(f"page  {course}/a.html\n"), done.stdout)
        shutil.copy(pathlib.Path(ROOT) / "solutions/coalescing/copy.cu", course / "labs/coalescing")
        done = self.run_installed(program, course, "grade", "copy", "--backend", "sim")
        self.assertIn("Next exercise: coalescing/transpose  (warpgrade watch coalescing/transpose)\n", done.stdout)

    def test_an_editor_knows_cuda(self):
        self.init(self.course)
        # Paths are relative to the folder, so the course can be moved.
        self.course = self.course.rename(pathlib.Path(self.folder.name) / "moved course")
        options = (self.course / "compile_flags.txt").read_text().splitlines()
        self.assertIn(".clangd_cuda/declarations.h", options)
        for file in ("compile_flags.txt", ".clangd"):
            self.assertNotIn(self.folder.name, (self.course / file).read_text())
        if shutil.which("clang++-14") is None:
            self.skipTest("clang is missing")
        launch = self.course / "labs/launch.cu"
        launch.write_text('#include "coalescing/copy.cu"\nvoid f(float* x) { copy<<<dim3(1, 2), 32>>>(x, x, 1, 1); }\n')
        for file in (launch, *(next(lab.glob("*.cu")) for lab in self.course.glob("labs/*/"))):
            command = ["clang++-14", "-fsyntax-only", "-Werror", "-Wno-unused", *options, str(file)]
            done = subprocess.run(command, capture_output=True, check=False, cwd=self.course, text=True)
            self.assertEqual(0, done.returncode, done.stderr)

    def test_writes_what_pack_writes(self):
        done = self.init(self.course)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        packed = pathlib.Path(self.folder.name) / "packed"
        done = self.run_program("pack", packed, "--skip-build", "--figures", self.figures.name, WARPGRADE_ROOT=ROOT)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        course = {path.relative_to(self.course) for path in self.course.rglob("*") if path.is_file()}
        # The commands of a packed course call its wrapper; it has the files of its build.
        for path in course:
            if path.parts[0].startswith(".clangd") or path.name in ("compile_flags.txt", "book.html"):
                continue
            in_pack = (packed / path).read_text()
            for call in ("./warpgrade", "./jnectenqr"):  # Hints are in ROT13.
                in_pack = in_pack.replace(call, call[2:])
            self.assertEqual(in_pack, (self.course / path).read_text(), path)
        parts = {path.relative_to(packed) for part in ("labs", "handouts") for path in (packed / part).rglob("*")}
        missing = {path.name for path in parts - course if (packed / path).is_file()}
        self.assertLessEqual(missing, {"meson.build", "make_book.sh", "book.css", "book_search.html"})
        figures = self.shown_figures(self.course)
        self.assertLess(8, len(figures))
        self.assertEqual(figures, {path.name for path in (self.course / "handouts/figures").glob("*.svg")})
        if shutil.which("pandoc"):
            book = (self.course / "handouts/book.html").read_text()
            shown = re.findall('src="data:image/svg\\+xml,([^"]*)"', book)
            self.assertEqual(figures, {re.search(r'id="(.*?)"', urllib.parse.unquote(svg))[1] for svg in shown})
            self.assertEqual(len(figures), len(shown))

    def test_a_finished_course_hands_on_its_figures_and_its_book(self):
        self.init(self.course)
        (self.course / "handouts/book.html").write_text("the book")
        # A user of the wheel has neither studies nor gnuplot nor pandoc.
        done = self.run_program("init", "second", WARPGRADE_ROOT=str(self.course), PATH="/nowhere")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertNotIn("without", done.stdout)
        second = pathlib.Path(self.folder.name) / "second"
        self.assertEqual("the book", (second / "handouts/book.html").read_text())
        for name in self.shown_figures(second):
            self.assertIn(name, (second / "handouts/figures" / name).read_text())

    def test_says_which_parts_are_missing(self):
        self.init(self.course)
        shutil.rmtree(self.course / "handouts/figures")
        (self.course / "handouts/book.html").unlink(missing_ok=True)
        done = self.run_program("init", "second", WARPGRADE_ROOT=str(self.course), PATH="/nowhere")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("without all figures of the chapters: this course has no studies", done.stdout)
        self.assertIn("without handouts/book.html", done.stdout)

    def test_writes_the_labs_without_what_is_secret(self):
        done = self.init("my course")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertRegex(done.stdout, r"next: cd '.*/my course' && warpgrade\n")
        # Users of the wrapper type its path, because the wrapper is not in the new folder.
        done = self.init("other course", WARPGRADE_CALL="./warpgrade")
        call = f"{os.path.realpath(self.folder.name)}/warpgrade"
        self.assertTrue(done.stdout.endswith(f"&& {call}\n"), done.stdout)
        self.assertIn(f"{call} watch coalescing", pathlib.Path(self.folder.name, "other course/README.md").read_text())
        shutil.rmtree(pathlib.Path(self.folder.name, "other course"))
        self.assertEqual(
            {"LICENSE", "README.md", ".clang-format", ".clangd", ".clangd_cuda", ".vscode", "compile_flags.txt", "labs", "handouts"},
            {p.name for p in self.course.iterdir()},
        )
        readme = (self.course / "README.md").read_text()
        students = (pathlib.Path(ROOT) / "handouts/students.md").read_text()
        self.assertEqual(students.replace("./warpgrade", "warpgrade"), readme)
        for file in self.course.rglob("*"):
            if file.suffix in (".md", ".cu", ".toml", ".json"):
                self.assertNotIn("./warpgrade", file.read_text(), file)
        manifests = list(self.course.glob("labs/*/grader.toml"))
        self.assertEqual(len(list(pathlib.Path(ROOT).glob("labs/*/grader.toml"))), len(manifests))
        for manifest in manifests:
            self.assertNotRegex(manifest.read_text(), "(?m)secret = true|^hints = ")
        self.assertEqual(["my course"], os.listdir(self.folder.name))

    def test_what_it_wrote_can_be_graded(self):
        self.init(self.course)
        done = self.run_program("grade", "coalescing/copy", "--backend", "sim", WARPGRADE_ROOT=str(self.course))
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn("0 of 10 points", done.stdout)

    def test_a_course_without_its_project_hands_on_the_same_readme(self):
        self.init(self.course)
        self.init("second", self.course)
        again = pathlib.Path(self.folder.name) / "second/README.md"
        self.assertEqual((self.course / "README.md").read_text(), again.read_text())

    def test_a_folder_that_is_there_is_left_alone(self):
        self.course.mkdir()
        done = self.init(self.course)
        self.assertEqual(2, done.returncode)
        self.assertIn("my course is there already; name a new folder", done.stderr)
        self.assertEqual([], os.listdir(self.course))

    def test_a_folder_that_cannot_be_made_is_our_failure(self):
        done = self.init("/proc/none/course")
        self.assertEqual(3, done.returncode)
        self.assertIn("/proc/none", done.stderr)
        self.assertIn("cannot be written", done.stderr)


if __name__ == "__main__":
    PROGRAM, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
