# SPDX-License-Identifier: Apache-2.0
"""Exercises with several launches, graded by the program: three labs in this folder.

Skeletons fail, solutions pass, and each wrong solution fails for the reason that it states. Messages
name the launch, and device variables keep their values throughout a sequence. The same holds for
`warpgrade profile --sequence`. Arguments: the program, then the root of the project.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from program_case import ROOT, ProgramCase, main

STEPS = """
[[buffer]]
name = "field"
spec = "inout:i32:300:iota"

[[buffer]]
name = "next"
spec = "out:i32:300"

[[launch]]
kernel = "add"
grid = ["3"]
block = [100]
arguments = ["next", "field"]
times = 5
swap = ["field", "next"]
"""

ADD = """
__global__ void add(int* to, const int* from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] + 1;
}
"""


COURSE = ROOT / "tests/sequences"


class Sequences(ProgramCase):
    root = COURSE

    def grade(self, code, exercise, file):
        report = self.folder / "report.json"
        text = self.output(
            code, "grade", exercise, "--backend", "sim", "--file", str(file), "--json", str(report)
        )
        return text, json.loads(report.read_text(encoding="utf-8"))["exercises"][0]

    def test_the_labs_are_what_they_say(self):
        text = self.output(0, "check")
        self.assertIn(", 0 findings", text)
        submissions = [*COURSE.glob("labs/*/*.cu"), *COURSE.glob("solutions/**/*.cu")]
        references = len([*COURSE.glob("labs/*/reference.cu")])
        self.assertIn(f"{len(submissions) - references} submissions checked", text)

    def test_a_finding_names_its_launch(self):
        wrong = COURSE / "solutions/scan/wrong/in_place_past_the_end.cu"
        text, found = self.grade(1, "scan/in_place", wrong)
        # Four elements: two launches go up, and in the third, thread 2 goes past the end.
        self.assertIn("(in launch 3 of 3, sweep_down)", text)
        self.assertEqual("out_of_bounds", found["diagnostics"][0]["kind"])

    def test_reads_of_what_no_launch_wrote_are_told_where_they_are(self):
        wrong = COURSE / "solutions/reduction/wrong/two_launches_reads_what_no_launch_wrote.cu"
        text, _ = self.grade(1, "reduction/two_launches", wrong)
        self.assertIn("reads sums[0] before", text)
        self.assertIn("(in launch 2 of 2, add_sums)", text)

    def test_a_missing_kernel_of_several_is_named(self):
        file = self.folder / "in_place.cu"
        file.write_text("__global__ void sweep_up(int*, unsigned, unsigned) {}\n", encoding="utf-8")
        text, found = self.grade(1, "scan/in_place", file)
        self.assertEqual("compile", found["reason"])
        self.assertIn("sweep_down(int*, unsigned int, unsigned int)", text)

    def profile(self, code, kernels, sequence, *more):
        (self.folder / "steps.toml").write_text(sequence, encoding="utf-8")
        (self.folder / "steps.cu").write_text(kernels, encoding="utf-8")
        return self.output(
            code, "profile", str(self.folder / "steps.cu"), "--sequence",
            str(self.folder / "steps.toml"), *more,
        )

    def test_profile_runs_a_sequence(self):
        report = self.folder / "profile.json"
        dump = self.folder / "field.bin"
        text = self.profile(0, ADD, STEPS, "--json", str(report), "--dump", f"0={dump}")
        self.assertIn("add (5 launches)", text)
        values = memoryview(dump.read_bytes()).cast("i")
        self.assertEqual([i + 5 for i in range(300)], list(values))
        found = json.loads(report.read_text(encoding="utf-8"))
        (step,) = found["launches"]
        self.assertEqual(([3, 1, 1], [100, 1, 1], 5), (step["grid"], step["block"], step["times"]))
        self.assertAlmostEqual(found["time"]["seconds"], step["seconds"])
        # An aligned warp stores 128 bytes, 4 sectors; the last warp of a block stores 16 bytes, 1
        # sector. Block 1 begins in the middle of a sector, so its full warps store 5. A launch
        # stores 13 + 16 + 13.
        self.assertEqual(5 * 42, found["metrics"]["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"])

    def test_profile_names_what_is_wrong(self):
        wrong = ADD.replace("from[i]", "from[i + 1]")
        self.assertIn("(in launch 1 of 5, add)", self.profile(1, wrong, STEPS))
        text = self.profile(2, ADD, STEPS.replace('"field"]\ntimes', '"feld"]\ntimes'))
        self.assertIn("steps.toml:14:", text)
        self.assertIn("unknown parameter `feld`, did you mean `field`?", text)
        for option in ("--kernel", "--grid", "--block", "--shared", "--arg"):
            self.assertIn("excludes", self.profile(2, ADD, STEPS, option, "1"))

    def test_profile_still_asks_for_a_launch(self):
        (self.folder / "steps.cu").write_text(ADD, encoding="utf-8")
        text = self.output(2, "profile", str(self.folder / "steps.cu"), "--grid", "1")
        self.assertIn("--block is required", text)


if __name__ == "__main__":
    main()
