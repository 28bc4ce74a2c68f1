# SPDX-License-Identifier: Apache-2.0
"""`warpgrade profile` and `verify`: which kernel of a file they mean, warnings, names in findings, and SARIF.

Arguments: the program, then the root of the project. Expected values are worked out by hand.
"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

ONE = "__global__ void only(int* out) { out[threadIdx.x] = 2 * threadIdx.x; }\n"
TEMPLATE = (
    "template <typename T, int N>\n__global__ void scale(T* x) { x[threadIdx.x] *= N; }\n"
    "int main() { const int kTimes = 3; scale<float, kTimes><<<1, 4>>>(nullptr); }\n"
)
# A read past the end of a row of 33 floats, one element behind the last row.
SHARED = (
    "template <int N>\n__global__ void k(float* out) {\n"
    "  __shared__ float tile[8][N + 1];\n"
    "  float* alias = &tile[0][0];\n"
    "  for (int i = threadIdx.x; i < 8 * (N + 1); i += blockDim.x) alias[i] = i;\n"
    "  __syncthreads();\n"
    "  out[threadIdx.x] = alias[threadIdx.x + 8 * (N + 1) - 3];\n}\n"
    "int main() { k<32><<<1, 4>>>(nullptr); }\n"
)


class ProfiledKernels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, code, *words):
        done = subprocess.run(
            [PROGRAM, *words],
            cwd=self.folder,
            env={**os.environ, "WARPGRADE_ROOT": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        said = done.stdout + done.stderr
        self.assertEqual(code, done.returncode, said)
        return said

    def profile(self, code, source, *words):
        (self.folder / "k.cu").write_text(source)
        return self.call(code, "profile", "k.cu", "--grid", "1", "--block", "4", *words)

    def test_the_only_kernel_needs_no_name(self):
        said = self.profile(0, ONE, "--arg", "out:i32:2*2", "--dump", "0=out.bin")
        self.assertIn("only of k.cu", said)
        self.assertEqual((0, 2, 4, 6), struct.unpack("<4i", (self.folder / "out.bin").read_bytes()))

    def test_several_kernels_are_listed(self):
        other = ONE.replace("only", "other")
        said = self.profile(2, f"{ONE}#ifdef FAST\n{other}#endif\n{ONE.replace('only', 'third')}")
        self.assertIn("k.cu has 2 kernels; name one by --kernel\n  only(int*)\n  third(int*)\n", said)
        self.assertIn("other (not compiled: line 2, `#ifdef FAST`, leaves it out", said)

    def test_a_template_has_the_instance_that_the_file_launches(self):
        words = ("--arg", "inout:f32:4:iota", "--dump", "0=out.bin")
        for kernel in ((), ("--kernel", "scale")):
            said = self.profile(0, TEMPLATE, *kernel, *words)
            self.assertIn("scale<float,3> of k.cu", said)
            self.assertEqual((0, 3, 6, 9), struct.unpack("<4f", (self.folder / "out.bin").read_bytes()))

    def test_the_define_that_a_kernel_needs_is_named(self):
        source = f"__device__ int x;\n#ifdef FAST\n{ONE}#endif\n"
        words = ("--kernel", "only", "--arg", "out:i32:4")
        said = self.profile(1, source, *words)
        self.assertIn("line 2, `#ifdef FAST`, leaves it out, because FAST is not defined", said)
        self.assertIn("pass --compiler-option -DFAST", said)
        self.profile(0, source, *words, "--compiler-option", "-DFAST")

    def test_elements_have_both_indices_in_a_template(self):
        said = self.profile(1, SHARED, "--arg", "out:f32:4")
        # 8 * 33 elements: the last thread reads the element behind them.
        self.assertIn("reads tile[8][0], but tile is declared as [8][33]", said)

    def test_warnings_follow_errors_and_are_no_fault(self):
        source = "__global__ void k(int* o, int n) {\n  if (n = 3) o[0] = 1;\n  o[1] = q;\n}\n"
        said = self.profile(1, source, "--arg", "out:i32:2", "--arg", "i32:1", "--json", "k.json")
        self.assertIn('k.cu:2:7: warning: compiler: use of "=" where "==" may have been intended', said)
        self.assertLess(said.index('identifier "q"'), said.index("warning: compiler"))
        found = json.loads((self.folder / "k.json").read_text())["diagnostics"]
        self.assertEqual(["error", "warning"], [one["severity"] for one in found][:2])
        said = self.profile(0, source.replace("q;", "2;"), "--arg", "out:i32:2", "--arg", "i32:1")
        self.assertIn('k.cu:2: use of "=" where', said)

    def test_faults_are_written_as_sarif(self):
        words = ("--arg", "out:i32:3", "--format", "sarif", "--out", "k.sarif")
        self.profile(1, ONE, *words)
        run = json.loads((self.folder / "k.sarif").read_text())["runs"][0]
        self.assertTrue(run["invocations"][0]["executionSuccessful"])
        (fault,) = run["results"]
        self.assertEqual(("out_of_bounds", "error"), (fault["ruleId"], fault["level"]))
        place = fault["locations"][0]["physicalLocation"]
        self.assertEqual(("k.cu", 1), (place["artifactLocation"]["uri"], place["region"]["startLine"]))
        self.profile(0, ONE, "--arg", "out:i32:4", *words[2:])
        self.assertEqual([], json.loads((self.folder / "k.sarif").read_text())["runs"][0]["results"])
        self.assertIn("--format", self.profile(2, ONE, *words, "--device", "h200,t4"))

    def test_verify_shows_an_example_that_works(self):
        source = (
            "__global__ void twice(float* out, const float* in, int n) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = 2 * in[i];\n}\n"
        )
        (self.folder / "a.cu").write_text(source)
        said = self.call(2, "verify", "a.cu", "--against", "a.cu")
        self.assertIn("--grid is required", said)
        self.assertIn("of twice(float*, float const*, int)", said)
        example = (
            "verify a.cu --against a.cu --size n=1..1000 --grid 'ceil_div(n, 256)' --block 256 "
            "--arg out:f32:n --arg in:f32:n --arg i32:n"
        )
        self.assertIn(example, said)
        words = "a.cu --against a.cu --size n=1..1000 --block 256 --cases 3".split()
        arguments = "--arg out:f32:n --arg in:f32:n --arg i32:n".split()
        self.assertIn("equal", self.call(0, "verify", *words, "--grid", "ceil_div(n, 256)", *arguments))

    def test_verify_finds_a_template_by_its_launch(self):
        (self.folder / "a.cu").write_text(TEMPLATE)
        words = "a.cu --against a.cu --grid 1 --block 4 --cases 3 --arg inout:f32:4".split()
        self.assertIn("equal", self.call(0, "verify", *words))


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
