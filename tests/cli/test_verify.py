# SPDX-License-Identifier: Apache-2.0
"""`warpgrade verify`: verdicts, smallest cases and their commands, exit codes, and limits.

Arguments: the program, then the root of the project. Expected verdicts follow from the kernels.
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

OLD = """__global__ void k(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] BODY;
}
"""
SUM = """__global__ void k(float* out, const float* in, int n) {
  __shared__ float part[64];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += THREADS) s += in[i];
  part[threadIdx.x] = s;
  BARRIER
  if (threadIdx.x == 0) {
    for (int i = 1; i < THREADS; ++i) s += part[i];
    out[0] = s;
  }
}
"""
PARALLEL = SUM.replace("THREADS", "64").replace("BARRIER", "__syncthreads();")
IN_ORDER = SUM.replace("THREADS", "1").replace("BARRIER", "")
MAP = ("--grid", "ceil_div(n, 64)", "--block", "64", "--arg", "out:f32:n", "--arg", "in:f32:n", "--arg", "i32:n")
ONE_SUM = ("--grid", "1", "--block", "64", "--old-block", "1")
ONE_SUM += ("--arg", "out:f32:1", "--arg", "in:f32:n", "--arg", "i32:n")
CODES = {"equal": 0, "different": 1, "undecided": 3}


class Verify(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, words, code):
        done = subprocess.run(
            [PROGRAM, *words],
            cwd=self.folder,
            env={**os.environ, "WARPGRADE_ROOT": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(code, done.returncode, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def verify(self, verdict, new, old, *options, size="n=1..700"):
        """The report of a comparison, which must have this verdict."""
        (self.folder / "new.cu").write_text(new)
        (self.folder / "old.cu").write_text(old)
        words = ["verify", "new.cu", "--against", "old.cu", "--size", size, *options, "--json", "report.json"]
        text = self.call(words, CODES[verdict])
        self.assertEqual(verdict, text.split("\n")[0])
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual(verdict, report["verdict"])
        return report

    def kernel(self, body):
        return OLD.replace("BODY", body)

    def test_equal_kernels_have_counters_side_by_side(self):
        report = self.verify("equal", self.kernel("* 2.0f"), self.kernel("+ in[i]"), *MAP)
        self.assertEqual({"n": 700}, report["measured_at"])
        sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
        # 700 floats are 88 sectors of 8.
        self.assertEqual((88, 88), tuple(report[side]["metrics"][sectors] for side in ("new", "old")))
        self.assertGreater(report["old"]["time"]["seconds"], 0)
        sizes = {case["sizes"]["n"] for case in report["cases"]}
        self.assertLessEqual({1, 2, 3, 31, 32, 33, 511, 512, 513, 699, 700}, sizes)

    def test_a_wrong_size_is_found_and_made_small(self):
        # Wrong for the last element of sizes that are no multiple of 4, from 5 on.
        wrong = self.kernel("* (n > 4 && n % 4 != 0 && i == n - 1 ? 3.0f : 2.0f)")
        report = self.verify("different", wrong, self.kernel("* 2.0f"), *MAP)
        found = report["counterexample"]
        self.assertEqual({"n": 5}, found["sizes"])
        self.assertEqual("out[4]", found["difference"]["element"])
        # The printed command shows the same.
        words = shlex.split(found["command"])
        again = self.call([*words[words.index("verify"):], "--json", "again.json"], 1)
        self.assertIn("out[4]", again)
        repeated = json.loads((self.folder / "again.json").read_text())["counterexample"]
        self.assertEqual(found["difference"], repeated["difference"])

    def test_a_size_in_the_code_is_tried(self):
        cheat = self.kernel("* (n == 4211 ? 3.0f : 2.0f)")
        report = self.verify("different", cheat, self.kernel("* 2.0f"), *MAP, size="n=1..9000")
        self.assertEqual({"n": 4211}, report["counterexample"]["sizes"])

    def test_a_value_in_the_code_is_tried(self):
        cheat = self.kernel("* (in[i] == 1234.5f ? 3.0f : 2.0f)")
        report = self.verify("different", cheat, self.kernel("* 2.0f"), *MAP)
        self.assertEqual("2469", report["counterexample"]["difference"]["expected"])

    def test_a_moved_nan_keeps_its_bits(self):
        old = "__global__ void k(unsigned* out, const float* in, int n) { BODY }"
        body = "int i = blockIdx.x * 64 + threadIdx.x; if (i < n) out[i] = __float_as_uint(in[i]@);"
        spec = [word.replace("out:f32", "out:u32") for word in MAP]
        moved, computed = (old.replace("BODY", body.replace("@", how)) for how in ("", " + 0.0f"))
        self.verify("equal", moved, moved, *spec)
        self.verify("different", computed, moved, *spec, "--inputs", "any_bits")

    def test_another_order_of_additions_needs_a_tolerance(self):
        report = self.verify("different", PARALLEL, IN_ORDER, *ONE_SUM)
        self.assertIn("rounding", report["counterexample"]["difference"]["cause"])
        # Terms are below 256, so sums are off by less than n units of 256 n.
        self.verify("equal", PARALLEL, IN_ORDER, *ONE_SUM, "--ulps", "n", "--magnitude", "256 * n")
        wrong = PARALLEL.replace("i < n;", "i < n - 1;")
        self.verify("different", wrong, IN_ORDER, *ONE_SUM, "--ulps", "n", "--magnitude", "largest")

    def test_a_race_is_a_difference_with_its_line(self):
        report = self.verify("different", PARALLEL.replace("__syncthreads();", ""), PARALLEL,
                             *ONE_SUM[:4], *ONE_SUM[6:], "--ulps", "n")
        # One thread stores in line 5 what another reads in line 8.
        self.assertIn(("race", 5), [(one["kind"], one["line"]) for one in report["diagnostics"]])

    def test_a_store_past_the_end_is_a_difference(self):
        report = self.verify("different", self.kernel("").replace("i < n", "i <= n"), self.kernel(""), *MAP)
        self.assertEqual("out_of_bounds", report["diagnostics"][0]["kind"])
        self.assertEqual({"n": 1}, report["counterexample"]["sizes"])

    def test_an_endless_loop_is_a_difference(self):
        endless = self.kernel("* 2.0f;\n  while (n == 33) __nanosleep(1)")
        report = self.verify("different", endless, self.kernel("* 2.0f"), *MAP)
        self.assertEqual("runaway", report["diagnostics"][0]["kind"])
        self.assertEqual({"n": 33}, report["counterexample"]["sizes"])

    def test_a_new_kernel_that_does_not_compile_is_different(self):
        report = self.verify("different", "__global__ void k(float* out) { out[0] = ; }", self.kernel(""), *MAP)
        self.assertEqual("compile_error", report["diagnostics"][0]["kind"])
        report = self.verify("different", self.kernel("").replace("int n", "float n"), self.kernel(""), *MAP)
        self.assertIn("differ", report["diagnostics"][0]["message"])

    def test_a_new_kernel_that_cannot_be_launched_like_the_old_one_is_different(self):
        huge = "__device__ char huge[1ull << 40];\n" + self.kernel("+ huge[i]")
        small = self.kernel("").replace("void", "void __launch_bounds__(32)")
        for new, message in [(huge, "'huge' has 1099511627776 bytes"), (small, "32")]:
            report = self.verify("different", new, self.kernel(""), *MAP)
            self.assertIn(message, report["diagnostics"][0]["message"])
            self.assertEqual({"n": 1}, report["counterexample"]["sizes"])
        # Its own block is the caller's choice.
        launch = [*MAP[:4], "--old-block", "128", *MAP[4:]]
        text = self.call(["verify", "new.cu", "--against", "old.cu", "--size", "n=1..9", *launch], 2)
        self.assertIn("the new kernel at n = 1", text)

    def test_an_old_kernel_that_fails_decides_nothing(self):
        report = self.verify("undecided", self.kernel(""), self.kernel("").replace("i < n", "n < 40 || i < n"), *MAP)
        self.assertIn("the old kernel fails itself", report["why"])
        self.assertEqual("out_of_bounds", report["diagnostics"][0]["kind"])
        self.assertLess(len(report["cases"]), report["cases_planned"])
        # A difference in another case decides, nevertheless.
        wrong = self.kernel("* (n == 300 ? 2 : 1)")
        self.verify("different", wrong, self.kernel("").replace("i < n", "n < 40 || i < n"), *MAP)

    def test_an_old_kernel_whose_result_depends_on_the_order_decides_nothing(self):
        racy = "__global__ void k(int* out) { out[0] = blockIdx.x; }"
        self.verify("undecided", racy, racy, "--grid", "n", "--block", "1", "--arg", "out:i32:1", size="n=2..9")

    def test_sizes_beyond_the_limit_on_work_are_not_assumed(self):
        slow = self.kernel("").replace("if (i < n)", "for (int j = 0; j < 4096; ++j) if (i < n)")
        report = self.verify("undecided", slow, slow, *MAP, "--cases", "2", size="n=1..200000000")
        self.assertIn("the limit on work is reached", report["why"])
        self.assertIsNone(report["measured_at"])

    def test_an_index_has_a_fill(self):
        gather = "__global__ void k(int* out, const int* in, const unsigned* at) { BODY }"
        gather = gather.replace("BODY", "out[threadIdx.x] = in[at[threadIdx.x]];")
        launch = ("--grid", "1", "--block", "32", "--arg", "out:i32:32", "--arg", "in:i32:n")
        self.verify("undecided", gather, gather, *launch, "--arg", "in:u32:32")
        report = self.verify("equal", gather, gather, *launch[:-1], "in:i32:n:iota", "--arg", "in:u32:32:below(n)")
        self.assertEqual({"given"}, {one["inputs"] for one in report["cases"]})

    def test_wrong_calls_name_the_option(self):
        for name in ("new.cu", "old.cu"):
            (self.folder / name).write_text(self.kernel(""))
        words = ["verify", "new.cu", "--against", "old.cu"]
        for options, message in [
            (("--size", "n=5..1", *MAP), "--size n: no value from 5 to 1"),
            (("--size", "n", *MAP), "--size n: write NAME=LEAST..MOST"),
            (("--size", "n=0..9", *MAP), "`out` has no element at n = 0"),
            (("--size", "m=1..9", *MAP), "unknown variable `n`"),
            (("--size", "n=1..9", "--inputs", "primes", *MAP), "--inputs: there is no `primes`"),
            (("--size", "n=1..9", *MAP[:-2]), "takes 3 parameters, 2 were given"),
            (("--size", "n=1..9", *MAP[:-1], "i32:n:x"), "i32:n:x"),
            (("--size", "n=1..9", *MAP, "--arg", "in:f32:n:below(n)"), "indices are integers of 4 or 8 bytes"),
            (("--size", "n=1..9", *MAP, "--arg", "in:f32:n:distant"), "there is no `distant`"),
            (("--size", "n=1..9", *MAP, "-I", "nowhere"), "-I nowhere: no such folder"),
            (("--size", "n=1..9", *MAP, "--at", "m=3"), "--at m=3: no --size has this name"),
        ]:
            self.assertIn(message, self.call([*words, *options], 2))


if __name__ == "__main__":
    PROGRAM, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
