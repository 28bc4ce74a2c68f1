# SPDX-License-Identifier: Apache-2.0
"""Runs each folder of services/ as its service would, with the program on PATH.

Leaves out a service's first steps, installing and building. Arguments: the program, then the root
of the project.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

EXERCISES = ("coalescing/copy", "bank_conflicts/padded", "bank_conflicts/predict")


class Service(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/warpgrade").symlink_to(PROGRAM)

    def run_there(self, *command, **more):
        return subprocess.run(
            [str(word) for word in command],
            cwd=self.folder,
            env={
                **os.environ,
                "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
                "WARPGRADE_BACKEND": "sim",
                **{name: str(value) for name, value in more.items()},
            },
            capture_output=True,
            text=True,
            check=False,
        )

    def make(self, service, out, *exercises):
        done = self.run_there(sys.executable, ROOT / "services/make.py", service, out, *exercises)
        self.assertEqual(0, done.returncode, done.stderr)

    def hand_in(self, folder):
        """Hands in a solution deep in the folder, a skeleton's answers, and no padded.cu."""
        (folder / "homework/1").mkdir(parents=True)
        shutil.copy(ROOT / "solutions/coalescing/copy.cu", folder / "homework/1")
        shutil.copy(ROOT / "labs/bank_conflicts/predict.toml", folder)


class Gradescope(Service):
    def setUp(self):
        super().setUp()
        self.make("gradescope", self.folder / "autograder.zip", *EXERCISES)
        with zipfile.ZipFile(self.folder / "autograder.zip") as archive:
            self.entries = {one.filename: one for one in archive.infolist()}
            archive.extractall(self.folder / "source")
        (self.folder / "submission").mkdir()

    def grade(self, **more):
        script = self.folder / "source/run_autograder"
        return self.run_there("bash", script, AUTOGRADER_ROOT=self.folder, **more)

    def prepare(self):
        for name in ("run_autograder", "grade_submission"):  # as Gradescope's unzip does
            (self.folder / "source" / name).chmod(0o755)

    def test_the_zip_has_what_is_run_in_its_root(self):
        for name in ("setup.sh", "run_autograder", "grade_submission", "course/warpgrade"):
            self.assertTrue(self.entries[name].external_attr >> 16 & stat.S_IXUSR, name)
        self.assertNotIn("course/labs/coalescing/copy.cu".replace("labs", "solutions"), self.entries)
        self.assertFalse([name for name in self.entries if re.search("solutions|tests|build/", name)])

    def test_a_submission_gets_its_results(self):
        self.prepare()
        self.hand_in(self.folder / "submission")
        done = self.grade()
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        out = json.loads((self.folder / "results/results.json").read_text())
        tests = {test["name"]: test for test in out["tests"]}
        self.assertEqual((10, "passed"), tuple(tests["coalescing/copy"][key] for key in ("score", "status")))
        self.assertEqual(0, tests["bank_conflicts/padded"]["score"])
        self.assertIn("padded.cu was not handed in", tests["bank_conflicts/padded"]["output"])
        self.assertIn("\nFAIL  0 of 10 points  bank_conflicts/padded.cu\n", tests["bank_conflicts/padded"]["output"])
        self.assertEqual(list(EXERCISES), list(tests))

    def test_an_empty_submission_is_graded_too(self):
        self.prepare()
        self.assertEqual(0, self.grade().returncode)
        out = json.loads((self.folder / "results/results.json").read_text())
        self.assertEqual([0, 0, 0], [test["score"] for test in out["tests"]])

    def test_a_grader_that_cannot_judge_leaves_no_results(self):
        self.prepare()
        self.hand_in(self.folder / "submission")
        done = self.grade(WARPGRADE_CUDA_HOME="/nonexistent")
        self.assertEqual(3, done.returncode, done.stdout + done.stderr)
        self.assertFalse((self.folder / "results/results.json").exists())

    def test_a_link_in_a_submission_is_not_followed(self):
        self.prepare()
        (self.folder / "submission/copy.cu").symlink_to(ROOT / "solutions/coalescing/copy.cu")
        self.assertEqual(0, self.grade().returncode)
        out = json.loads((self.folder / "results/results.json").read_text())
        self.assertEqual(0, out["score"])


class Autolab(Service):
    def grade(self, name):
        """Grades as Autolab does: the submission beside Makefile and autograde.tar, then make."""
        self.make("autolab", self.folder / "lab", "coalescing/copy")
        run = self.folder / "run"
        run.mkdir()
        shutil.copy(self.folder / "lab/autograde-Makefile", run / "Makefile")
        shutil.copy(self.folder / "lab/autograde.tar", run)
        shutil.move(self.folder / name, run)
        (run / "driver.log").write_text("files of a service are not submissions")
        return self.run_there("make", "-C", run, "--no-print-directory")

    def scores(self, done):
        return json.loads(done.stdout.rstrip().splitlines()[-1])["scores"]

    @unittest.skipUnless(shutil.which("make"), "there is no make")
    def test_a_file_gets_its_scores(self):
        shutil.copy(ROOT / "solutions/coalescing/copy.cu", self.folder)
        done = self.grade("copy.cu")
        self.assertEqual((0, {"coalescing/copy": 10}), (done.returncode, self.scores(done)), done.stderr)

    @unittest.skipUnless(shutil.which("make"), "there is no make")
    def test_an_archive_gets_its_scores(self):
        with tarfile.open(self.folder / "handin.tar", "w") as archive:
            archive.add(ROOT / "solutions/coalescing/copy.cu", "coalescing/copy.cu")
        self.assertEqual({"coalescing/copy": 10}, self.scores(self.grade("handin.tar")))

    @unittest.skipUnless(shutil.which("make"), "there is no make")
    def test_an_archive_that_cannot_be_read_is_told_and_gets_none(self):
        (self.folder / "handin.zip").write_bytes(b"no zip")
        done = self.grade("handin.zip")
        self.assertIn("The archive cannot be read.", done.stdout)
        self.assertEqual({"coalescing/copy": 0}, self.scores(done))


class GitHubClassroom(Service):
    def test_a_step_reports_the_points_and_its_summary(self):
        submission = self.folder / "submission"
        submission.mkdir()
        self.hand_in(submission)
        done = self.run_there(
            *(ROOT / "services/github/run", submission, ROOT, *EXERCISES),
            GITHUB_STEP_SUMMARY=self.folder / "summary.md",
            GITHUB_OUTPUT=self.folder / "output",
        )
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn("| `coalescing/copy` | :white_check_mark: pass |", (self.folder / "summary.md").read_text())
        self.assertIn("::error file=", done.stdout)
        (line,) = (self.folder / "output").read_text().splitlines()
        result = json.loads(base64.b64decode(line.removeprefix("result=")))
        # autograding-grading-reporter adds up these points: src/notify-classroom.js.
        self.assertEqual((1, "fail"), (result["version"], result["status"]))
        self.assertEqual(10, sum(test["score"] for test in result["tests"]))
        self.assertEqual(["pass", "fail", "fail"], [test["status"] for test in result["tests"]])

    def test_what_cannot_be_judged_reports_no_points(self):
        submission = self.folder / "submission"
        submission.mkdir()
        done = self.run_there(
            *(ROOT / "services/github/run", submission, ROOT, "coalescing/copy"),
            GITHUB_OUTPUT=self.folder / "output",
            WARPGRADE_CUDA_HOME="/nonexistent",
        )
        self.assertEqual(3, done.returncode, done.stderr)
        self.assertFalse((self.folder / "output").exists())


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
