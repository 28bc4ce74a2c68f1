# SPDX-License-Identifier: Apache-2.0
"""Tests the problem matchers for VS Code and GitHub on the program's output.

Arguments: the program, then the root of the project. The matchers' expressions mean the same in
JavaScript and in Python, because they use only groups, classes and alternatives.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SIGNATURE = "__global__ void copy(float* out, const float* in, int width, int height)"
PAST = SIGNATURE + " {\n  out[height * width + threadIdx.x] = in[0];\n}\n"
BROKEN = SIGNATURE + " {\n  int i = ;\n}\n"


def patterns():
    task = json.loads((ROOT / ".vscode/tasks.json").read_text())["tasks"][0]
    matcher = json.loads((ROOT / "services/github/problem-matcher.json").read_text())
    return [task["problemMatcher"]["pattern"], matcher["problemMatcher"][0]["pattern"][0]]


class Container(unittest.TestCase):
    def test_it_has_what_the_wrapper_needs_to_set_itself_up(self):
        container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
        self.assertEqual("root", container["remoteUser"])  # The wrapper installs packages as root.
        self.assertRegex(container["image"], "bookworm$")  # Debian, whose packages the wrapper installs.
        program, command = container["postCreateCommand"].split()
        self.assertTrue(os.access(ROOT / program, os.X_OK))
        subprocess.run([PROGRAM, command], env={**os.environ, "WARPGRADE_ROOT": str(ROOT)}, check=True, capture_output=True)


class Matchers(unittest.TestCase):
    def problems(self, pattern, content):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "my copy.cu").write_text(content)
            done = subprocess.run(
                [PROGRAM, "grade", "coalescing/copy", "--file", "my copy.cu", "--backend", "sim"],
                cwd=folder,
                env={**os.environ, "WARPGRADE_ROOT": str(ROOT)},
                capture_output=True,
                text=True,
                check=False,
            )
        found = [re.match(pattern["regexp"], line) for line in done.stdout.splitlines()]
        return [
            tuple(one[pattern[key]] for key in ("file", "line", "message")) for one in found if one
        ]

    def test_find_the_lines_of_diagnostics(self):
        for pattern in patterns():
            for content, kind in ((PAST, "out_of_bounds"), (BROKEN, "compile_error")):
                (problem,) = self.problems(pattern, content)
                self.assertEqual(("my copy.cu", "2"), problem[:2])
                self.assertTrue(problem[2].startswith(kind + ": "), problem)

    def test_know_the_programs_kinds_and_are_alike(self):
        first, second = patterns()
        self.assertEqual(first, second)
        source = (ROOT / "common/base/diagnostic.cpp").read_text()
        names = re.findall(r'return "(\w+)";', source.split("name(Severity")[0])
        self.assertEqual(names, re.search(r"\(\(\?:(.*?)\)", first["regexp"])[1].split("|"))


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
