# SPDX-License-Identifier: Apache-2.0
"""The version and the commit: what `--version` prints, and where the commit is found.

Arguments: the program, then the root of the project.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

COMMIT = r"[0-9a-f]{7,40}(-dirty)?"


class Version(unittest.TestCase):
    def test_names_program_version_and_commit(self):
        done = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=False)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertRegex(done.stdout, rf"^warpgrade [0-9]+\.[0-9]+\.[0-9]+ \(({COMMIT}|unknown)\)\n$")

    def test_is_the_newest_release_of_the_changelog(self):
        done = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=False)
        headings = re.findall(r"(?m)^## (.*)$", (ROOT / "CHANGELOG.md").read_text())
        released = [heading for heading in headings if heading != "[Unreleased]"]
        self.assertRegex(released[0], rf"^\[{re.escape(done.stdout.split()[1])}\] - \d{{4}}-\d\d-\d\d$")


class Commit(unittest.TestCase):
    """Runs find_commit.sh on small trees."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name) / "a tree"
        self.tree.mkdir()

    def find(self, tree=None, **more):
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", **more}
        done = subprocess.run(
            ["/bin/sh", ROOT / "grader/cli/find_commit.sh", tree or self.tree],
            capture_output=True,
            env=environment,
            text=True,
            check=False,
        )
        self.assertEqual("", done.stderr)
        self.assertEqual(done.returncode == 0, done.stdout != "")
        return done.stdout.strip()

    def git(self, *arguments):
        if not shutil.which("git"):
            self.skipTest("there is no git")
        names = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        done = subprocess.run(
            ["git", *names, *arguments], cwd=self.tree, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def commit(self):
        self.git("init", "-q")
        (self.tree / ".commit").write_bytes((ROOT / ".commit").read_bytes())
        (self.tree / ".gitattributes").write_text(".commit export-subst\n")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "First")
        return self.git("rev-parse", "--short=7", "HEAD")

    def test_is_unknown_outside_a_checkout(self):
        self.assertEqual("", self.find())
        (self.tree / ".commit").write_text("$Format:%h$\n")
        self.assertEqual("", self.find())

    def test_is_that_of_a_checkout(self):
        expected = self.commit()
        self.assertEqual(expected, self.find())
        self.git("tag", "v1")
        self.assertEqual(expected, self.find())
        (self.tree / "untracked").write_text("")
        self.assertEqual(expected, self.find())
        (self.tree / ".commit").write_text("$Format:%H$\n")
        self.assertEqual(expected + "-dirty", self.find())

    def test_is_not_that_of_a_hooks_repository(self):
        expected = self.commit()
        self.assertEqual(expected, self.find(GIT_DIR="/nonexistent", GIT_INDEX_FILE="/nonexistent"))

    def test_is_unknown_without_git(self):
        self.commit()
        self.assertEqual("", self.find(PATH="/nonexistent"))

    def test_is_not_that_of_a_repository_around_the_tree(self):
        self.commit()
        (self.tree / "course").mkdir()
        self.assertEqual("", self.find(self.tree / "course"))

    def test_is_written_into_an_archive(self):
        expected = self.commit()
        archive = self.tree.parent / "archive"
        archive.mkdir()
        self.git("archive", "--format=tar", f"--output={archive}/a.tar", "HEAD")
        shutil.unpack_archive(archive / "a.tar", archive)
        self.assertEqual(expected, self.find(archive))

    def test_of_a_packed_tree_stays_in_its_owners_repository(self):
        self.git("init", "-q")
        (self.tree / ".commit").write_text("0123abc-dirty\n")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "My work")
        self.assertEqual("0123abc-dirty", self.find())


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
