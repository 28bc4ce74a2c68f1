# SPDX-License-Identifier: Apache-2.0
"""`warpgrade new LAB/EXERCISE`: an exercise that works at once, and the way from there to a lab.

Arguments: the program and the root of the project.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

# The example's answers at the marked places: reverse a vector in place.
LAB = """title = "Reversal"
summary = "Reverse a vector in place."

[[exercise]]
id = "in_place"
title = "Reverse a vector in place"
hints = ["Which two elements change places, and which thread moves them?"]
kernel = "reverse(float* data, int n)"
launch = { grid = ["ceil_div(n, 512)"], block = [256] }
shapes = { data = "n" }
roles = { data = "inout" }
reference = { kernel = "in_place_reference", grid = ["ceil_div(n, 512)"], block = [256] }
cases = [
  { name = "one", n = 1 },
  { name = "ragged", n = 1001 },
  { name = "large", n = 1048576, measured = true },
]
correctness_points = 2
gates = [
  { use = "coalesced_loads", points = 2 },
  { use = "coalesced_stores", points = 2 },
]
"""
KERNEL = """__global__ void {name}(float* data, int n) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  {check}
  const float last = data[n - 1 - i];
  data[n - 1 - i] = data[i];
  data[i] = last;
}}
"""
BOUND = "if (i >= n / 2) return;"
# Right, but the lanes of a warp are far apart, so it earns only the points for a correct result.
SLOW = """__global__ void reverse(float* data, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = t % 32 * (threads / 32) + t / 32;
  if (i >= n / 2) return;
  const float last = data[n - 1 - i];
  data[n - 1 - i] = data[i];
  data[i] = last;
}
"""
FILES = {
    "labs/reversal/grader.toml",
    "labs/reversal/in_place.cu",
    "labs/reversal/reference.cu",
    "solutions/reversal/in_place.cu",
    "solutions/reversal/wrong/in_place_no_bounds.cu",
}


class New(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "course"
        self.root.mkdir()

    def run_program(self, code, *arguments, program=None, cwd="/", root=True):
        environment = {name: value for name, value in os.environ.items() if name != "WARPGRADE_ROOT"}
        if root:
            environment["WARPGRADE_ROOT"] = str(self.root)
        done = subprocess.run(
            [program or PROGRAM, *arguments], capture_output=True, check=False, cwd=cwd,
            env=environment, text=True,
        )
        self.assertEqual(code, done.returncode, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def files(self, root=None):
        root = root or self.root
        return {
            path.relative_to(root).as_posix(): path.read_text()
            for path in root.rglob("*") if path.is_file()
        }

    def write(self, path, text):
        (self.root / path).write_text(text)

    def test_a_new_lab_works_at_once_and_check_lists_what_is_left(self):
        words = self.run_program(0, "new", "reversal/in_place")
        for file in FILES:
            self.assertIn(f"created  {file}\n", words)
        self.assertEqual(FILES | {"labs/gates.toml"}, self.files().keys())
        self.assertIn("0 of 4 points", self.run_program(1, "grade", "reversal/in_place", "--backend", "sim"))
        self.assertIn("4 of 4 points", self.run_program(0, "grade", "--solutions", "--backend", "sim"))
        words = self.run_program(1, "check", "reversal")
        marks = 0
        for file in FILES:
            lines = (self.root / file).read_text().splitlines()
            places = [number for number, line in enumerate(lines, 1) if "FILL IN:" in line]
            self.assertTrue(places, file)
            for number in places:
                self.assertIn(f"{file}:{number}: FILL IN: ", words)
            marks += len(places)
        self.assertIn(f"3 submissions checked, {marks} findings", words)

    def test_the_walk_to_a_lab_of_a_new_kind(self):
        self.run_program(0, "new", "reversal/in_place")
        self.assertLessEqual(len(LAB.splitlines()), 25)
        self.write("labs/reversal/grader.toml", LAB)
        self.write("labs/reversal/reference.cu", KERNEL.format(name="in_place_reference", check=BOUND))
        self.write("labs/reversal/in_place.cu", SLOW)
        self.write("solutions/reversal/in_place.cu", KERNEL.format(name="reverse", check=BOUND))
        self.write(
            "solutions/reversal/wrong/in_place_no_bounds.cu",
            "// fails: diagnostic out_of_bounds\n" + KERNEL.format(name="reverse", check=""),
        )
        self.assertIn("run `warpgrade check --write`", self.run_program(1, "check"))
        self.assertIn("3 submissions checked, 0 findings", self.run_program(0, "check", "--write"))
        junit = self.root / "check.xml"
        self.assertIn("3 submissions checked, 0 findings", self.run_program(0, "check", "--junit", str(junit)))
        tests = xml.etree.ElementTree.parse(junit).findall(".//testcase")
        self.assertEqual((3, []), (len(tests), [test.get("name") for test in tests if len(test)]))
        self.assertIn("0 of 6 points", self.run_program(1, "grade", "--backend", "sim"))
        self.assertIn("6 of 6 points", self.run_program(0, "grade", "--solutions", "--backend", "sim"))

    def test_an_existing_lab_is_extended(self):
        for folder in ("labs/coalescing", "solutions/coalescing"):
            shutil.copytree(pathlib.Path(ROOT) / folder, self.root / folder)
        shutil.copy(pathlib.Path(ROOT) / "labs/gates.toml", self.root / "labs")
        before = self.files()
        words = self.run_program(0, "new", "coalescing/shift")
        self.assertIn("extended labs/coalescing/grader.toml", words)
        after = self.files()
        for path, text in before.items():
            self.assertTrue(after[path].startswith(text), path)
        self.assertIn("coalescing/shift", self.run_program(0, "list"))
        self.assertIn("4 of 4 points", self.run_program(0, "grade", "shift", "--solutions", "--backend", "sim"))
        self.assertIn("10 of 10 points", self.run_program(0, "grade", "copy", "--solutions", "--backend", "sim"))

    def test_nothing_is_overwritten(self):
        self.run_program(0, "new", "reversal/in_place")
        before = self.files()
        self.assertIn(
            "reversal/in_place exists in labs/reversal/grader.toml",
            self.run_program(2, "new", "reversal/in_place"),
        )
        self.assertEqual(before, self.files())
        self.write("labs/reversal/second.cu", "mine")
        before = self.files()
        self.assertIn("labs/reversal/second.cu exists", self.run_program(2, "new", "reversal/second"))
        self.assertEqual(before, self.files())

    def test_a_broken_manifest_stays_as_it_is(self):
        self.run_program(0, "new", "reversal/in_place")
        manifest = self.root / "labs/reversal/grader.toml"
        manifest.write_text(manifest.read_text().replace("shapes", "shaped"))
        before = self.files()
        words = self.run_program(2, "new", "reversal/second")
        self.assertIn("labs/reversal/grader.toml:12:10: exercise: unknown key `shaped`, did you mean `shapes`?", words)
        self.assertEqual(before, self.files())

    def test_names_are_checked(self):
        for name in ("reversal", "reversal/", "/in_place", "a/b/c", "../x/y", "Lab/x", "lab/1x", "lab/x.cu",
                     "lab/" + "x" * 65, "lab/\u00fc"):
            self.assertIn("is not LAB/EXERCISE: ", self.run_program(2, "new", name), name)
        self.assertIn("cannot be called `reference`", self.run_program(2, "new", "lab/reference"))
        self.run_program(2, "new")
        self.assertEqual({}, self.files())

    def test_an_installed_program_leaves_its_own_course_alone(self):
        prefix = self.root / "prefix"
        shutil.copytree(pathlib.Path(ROOT) / "labs", prefix / "share/warpgrade/labs")
        (prefix / "bin").mkdir()
        program = prefix / "bin/warpgrade"
        shutil.copy(PROGRAM, program)
        before = self.files(prefix / "share")
        own = self.root / "own"
        own.mkdir()
        self.run_program(0, "new", "reversal/in_place", program=program, cwd=own, root=False)
        self.assertEqual(FILES | {"labs/gates.toml"}, self.files(own).keys())
        # From inside the course that the command above started.
        self.run_program(0, "new", "reversal/second", program=program, cwd=own / "labs", root=False)
        words = self.run_program(0, "list", program=program, cwd=own, root=False)
        self.assertIn("reversal/second", words)
        self.assertNotIn("coalescing", words)
        self.assertEqual(before, self.files(prefix / "share"))


if __name__ == "__main__":
    PROGRAM, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
