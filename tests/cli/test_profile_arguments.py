# SPDX-License-Identifier: Apache-2.0
"""`warpgrade profile --arg`: each kind of parameter, tested by a kernel's output.

Arguments: the program, then the root of the project. Expected values are worked out by hand.
"""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

REVERSE = """__global__ void k(int* to, const int* from, int last) {
  int own = from[last - threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = own;
}
"""
STRUCTS = """struct P { float* out; const float* in; float factor; char n; };
struct Q { int a, b; };
__global__ void k(P p, Q q, float* x) {
  int i = threadIdx.x;
  if (i < p.n) p.out[i] = x[i] + p.factor * p.in[i] + q.a - q.b;
}
"""
Q = "struct:0700000005000000"  # 7 and 5


class ProfileArguments(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def profile(self, code, source, *arguments, threads=4, dump=None, more=()):
        """Runs `k` of `source` in one block; returns the bytes of the dump, or else the output."""
        (self.folder / "k.cu").write_text(source)
        path = self.folder / "dump.bin"
        done = subprocess.run(
            [
                *(PROGRAM, "profile", "k.cu", "--kernel", "k", "--grid", "1"),
                *("--block", str(threads)),
                *(word for one in arguments for word in ("--arg", one)),
                *more,
                *(() if dump is None else ("--dump", f"{dump}={path}")),
            ],
            cwd=self.folder,
            env={**os.environ, "WARPGRADE_ROOT": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        words = done.stdout + done.stderr
        self.assertEqual(code, done.returncode, words)
        return words if dump is None else path.read_bytes()

    def test_a_buffer_in_place(self):
        scan = (
            "__global__ void k(int* x) { int i = threadIdx.x, s = 0;\n"
            "for (int j = 0; j <= i; ++j) s += x[j];\n__syncthreads(); x[i] = s; }"
        )
        made = self.profile(0, scan, "inout:i32:4:iota", dump=0)
        self.assertEqual((0, 1, 3, 6), struct.unpack("<4i", made))
        self.assertIn("input_modified", self.profile(1, scan, "in:i32:4:iota"))

    def test_variables_are_set_and_dumped(self):
        source = (
            "__constant__ int table[4]; __device__ int sum = 7;\n"
            "__global__ void k(int* out) { out[threadIdx.x] = table[threadIdx.x]; atomicAdd(&sum, 1); }\n"
        )
        words = ("--symbol", "table=in:i32:4:iota", "--symbol", "sum=inout:i32:1:zeros")
        made = self.profile(0, source, "out:i32:4", dump="sum", more=words)
        self.assertEqual((4,), struct.unpack("<i", made))
        made = self.profile(0, source, "out:i32:4", dump=0, more=words)
        self.assertEqual((0, 1, 2, 3), struct.unpack("<4i", made))
        said = self.profile(2, source, "out:i32:4", more=("--symbol", "sum=in:i32:2:zeros"))
        self.assertIn("--symbol sum: the variable has 4 bytes, but in:i32:2:zeros has 8", said)
        store = "__device__ int n; __global__ void k(int* x) { n = 1; *x = 0; }"
        said = self.profile(2, store, "out:i32:1", more=("--symbol", "m=in:i32:1:zeros"))
        self.assertIn("it has n", said)

    def test_small_values(self):
        source = (
            "__global__ void k(long long* out, bool a, signed char b, unsigned char c, short d,\n"
            "unsigned short e) { out[threadIdx.x] = a * 1000000 + b + c + d + e; }"
        )
        values = ("bool:1", "i8:-1", "u8:255", "i16:-32768", "u16:65535")
        made = self.profile(0, source, "out:i64:4", *values, dump=0)
        self.assertEqual((1033021,) * 4, struct.unpack("<4q", made))

    def test_whole_numbers_have_the_width_of_their_parameter(self):
        source = (
            "__global__ void k(long long* out, signed char a, unsigned short b, int c, unsigned d,\n"
            "long long e, float f) { out[threadIdx.x] = a + b + c + d + e; }"
        )
        values = ("int:-3", "int:65535", "int:-70000", "int:4000000000", "int:1099511627776")
        made = self.profile(0, source, "out:i64:4", *values, "f32:1", dump=0)
        total = -3 + 65535 + -70000 + 4000000000 + 1099511627776
        # a + b + c + d is an unsigned 32-bit number.
        total = (total - 1099511627776) % 2**32 + 1099511627776
        self.assertEqual((total,) * 4, struct.unpack("<4q", made))
        for wrong, text in (
            ("int:70000", "--arg int:70000 does not fit parameter 2"),
            ("int:-32769", "which has 2 bytes"),
        ):
            words = self.profile(2, source, "out:i64:4", values[0], wrong, *values[2:], "f32:1")
            self.assertIn(text, words)
        words = self.profile(2, source, "out:i64:4", *values, "int:1")
        self.assertIn("int:1 does not fit parameter 6", words)
        self.assertIn("which has the type f32", words)

    def test_structs(self):
        p = "struct:&out:f32:4,&in:f32:4:iota,00000040,03000000"  # 2.0f; 3 and padding
        made = self.profile(0, STRUCTS, p, Q, "inout:f32:4:iota", dump="0.0")
        self.assertEqual((2.0, 5.0, 8.0, 0.0), struct.unpack("<4f", made))

    def test_a_struct_that_points_to_a_parameter(self):
        p = "struct:&2,&2,00000040,04000000"
        made = self.profile(0, STRUCTS, p, Q, "inout:f32:4:iota", dump=2)
        self.assertEqual((2.0, 5.0, 8.0, 11.0), struct.unpack("<4f", made))

    def test_a_struct_of_another_size(self):
        words = self.profile(2, STRUCTS, "struct:&2,&2,00000040", Q, "inout:f32:4:iota")
        self.assertIn("has 20 bytes, but parameter 0", words)
        self.assertIn("0: 24 bytes: struct:HEXBYTES", words)

    def test_one_buffer_handed_in_twice(self):
        made = self.profile(0, REVERSE, "inout:i32:4:iota", "same:0", "i32:3", dump=1)
        self.assertEqual((3, 2, 1, 0), struct.unpack("<4i", made))

    def test_aliases_race_as_the_buffer_that_they_are(self):
        source = REVERSE.replace("__syncthreads();", "")
        arguments = ("inout:i32:64:iota", "same:0", "i32:63")
        words = self.profile(1, source, *arguments, threads=64)
        self.assertIn("race", words)
        self.assertIn("to[", words)  # The name of the first of its parameters.

    def test_an_alias_of_an_input_is_one(self):
        source = "__global__ void k(const int* a, int* b) { b[threadIdx.x] = a[0]; }"
        self.assertIn("input_modified", self.profile(1, source, "in:i32:4:iota", "same:0"))
        self.assertIn("out_of_bounds", self.profile(1, source, "out:i32:3", "same:0"))


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
