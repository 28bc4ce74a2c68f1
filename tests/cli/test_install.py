# SPDX-License-Identifier: Apache-2.0
"""`meson install` into a folder: everything at its place, and a program that grades from there.

Arguments: meson, the build folder, in which everything has been built, and the root of the project.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest


# Without the compiler of the tests: the installed program uses its own.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "WARPGRADE_COMPILER"}


class Install(unittest.TestCase):
    def test_puts_everything_at_its_place_and_works_there(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        done = subprocess.run(
            [MESON, "install", "-C", BUILD, "--no-rebuild", "--skip-subprojects"],
            capture_output=True,
            check=False,
            env={**ENVIRONMENT, "DESTDIR": folder.name},
            text=True,
        )
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        files = {path.name: path for path in pathlib.Path(folder.name).rglob("*") if path.is_file()}
        course = {name for name, path in files.items() if "share/warpgrade/" in path.as_posix()}
        self.assertIn("copy.cu", course)
        package = {name for name, path in files.items() if "-packages/warpgrade/" in path.as_posix()}
        source = pathlib.Path(ROOT, "python/warpgrade")
        self.assertEqual({path.name for path in source.rglob("*") if path.is_file() and path.suffix != ".pyc"}, package)
        self.assertEqual(
            {"warpgrade", "warpgrade_compiler", "warpgrade.1", "warpgrade.bash"},
            files.keys() - course - package,
        )
        self.assertEqual(files["warpgrade"].parent, files["warpgrade_compiler"].parent)
        for name, place in (
            ("warpgrade", "bin"),
            ("warpgrade.1", "share/man/man1"),
            ("warpgrade.bash", "share/bash-completion/completions"),
        ):
            self.assertTrue(files[name].parent.as_posix().endswith(place), files[name])
        self.assertIn(".TH WARPGRADE 1", files["warpgrade.1"].read_text())
        self.assertIn("complete ", files["warpgrade.bash"].read_text())
        done = subprocess.run(
            [files["warpgrade"], "grade", "coalescing/copy", "--backend", "sim", "--solutions"],
            capture_output=True,
            check=False,
            env={**ENVIRONMENT, "WARPGRADE_ROOT": ROOT},
            text=True,
        )
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        # Without WARPGRADE_ROOT or labs in a folder above, the program uses the installed course.
        unset = {name: value for name, value in ENVIRONMENT.items() if name != "WARPGRADE_ROOT"}
        made = pathlib.Path(folder.name) / "made"
        done = subprocess.run(
            [files["warpgrade"], "init", made],
            capture_output=True,
            check=False,
            cwd="/",
            env=unset,
            text=True,
        )
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertTrue((made / "labs/coalescing/copy.cu").is_file())
        if shutil.which("gnuplot"):
            text = "".join(chapter.read_text() for chapter in (made / "handouts").glob("*.md"))
            for figure in re.findall(r"\]\((figures/\w+\.svg)\)", text):
                self.assertIn("</svg>", (made / "handouts" / figure).read_text())


if __name__ == "__main__":
    MESON, BUILD, ROOT = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
