# SPDX-License-Identifier: Apache-2.0
"""tidy.py on a project of one file, with a clang-tidy that notes its calls: what it checks again, and when."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "tidy.py"
# Finds the word BAD in the unit or its header.
CLANG_TIDY = """#!/bin/sh
here=$(dirname "$0")
if [ "$1" = --version ]; then cat $here/version; exit; fi
echo call >> $here/calls
grep -Hn BAD $here/common/a.cpp $here/common/a.h | sed 's/:[^:]*BAD/:1: warning: BAD/'
exit 0
"""


@unittest.skipUnless(shutil.which("c++"), "no compiler")
class Tidy(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.root = pathlib.Path(made.name).resolve()
        (self.root / "build").mkdir()
        (self.root / "common").mkdir()
        self.write(".clang-tidy", "Checks: a")
        self.write("version", "LLVM version 14.0.6\n")
        self.write("clang-tidy", CLANG_TIDY)
        (self.root / "clang-tidy").chmod(0o755)
        self.write("common/a.cpp", '#include "a.h"\nint main() { return A; }\n')
        self.write("common/a.h", "#define A 0\n")
        self.command()

    def write(self, name, text):
        (self.root / name).write_text(text)

    def command(self, option=""):
        command = f"c++ {option} -I../common -MD -MQ common/a.o -MF common/a.o.d -o common/a.o -c ../common/a.cpp"
        unit = {"directory": str(self.root / "build"), "command": command, "file": "../common/a.cpp"}
        self.write("build/compile_commands.json", json.dumps([{**unit, "output": "common/a.o"}]))

    def calls(self):
        """Runs the script; returns how often it called clang-tidy, and its exit code."""
        (self.root / "calls").write_text("")
        variables = {"WARPGRADE_CLANG_TIDY": self.root / "clang-tidy", "XDG_CACHE_HOME": self.root / "cache"}
        done = subprocess.run(
            [sys.executable, "-B", SCRIPT, self.root, self.root / "build"],
            env={**os.environ, **variables}, capture_output=True, text=True, check=False,
        )
        return (self.root / "calls").read_text().count("call"), done.returncode

    def test_checks_a_clean_unit_once(self):
        self.assertEqual((1, 0), self.calls())
        self.assertEqual((0, 0), self.calls())

    def test_checks_it_again_once_anything_changed_that_it_depends_on(self):
        self.assertEqual((1, 0), self.calls())
        for name, text in (
            ("common/a.cpp", '#include "a.h"\nint main() { return A + 1; }\n'),
            ("common/a.h", "#define A 0  // NOLINT\n"),
            (".clang-tidy", "Checks: b"),
            ("version", "LLVM version 14.0.7\n"),
        ):
            self.write(name, text)
            self.assertEqual((1, 0), self.calls(), name)
            self.assertEqual((0, 0), self.calls(), name)
        self.command("-DB")
        self.assertEqual((1, 0), self.calls())

    def test_finds_the_same_at_each_run(self):
        self.write("common/a.h", "#define A 0  // BAD\n")
        self.assertEqual((1, 1), self.calls())
        self.assertEqual((1, 1), self.calls())

    def test_checks_a_unit_that_the_compiler_refuses_each_time(self):
        self.write("common/a.cpp", '#include "missing.h"\n')
        self.assertEqual((1, 0), self.calls())
        self.assertEqual((1, 0), self.calls())

    def test_checks_everything_without_a_place_for_records(self):
        self.write("cache", "a file in the folder's place")
        self.assertEqual((1, 0), self.calls())
        self.assertEqual((1, 0), self.calls())


if __name__ == "__main__":
    unittest.main()
