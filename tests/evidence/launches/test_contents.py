# SPDX-License-Identifier: Apache-2.0
"""fill.cu, run on the simulator, must produce the bytes of `--arg in:...`.

Argument: the program.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import contents
import launches

COUNT = 1000
# As card.py spells them.
TYPES = {"i8": "signed char", "u16": "unsigned short", "i32": "int", "i64": "long long",
         "f16": "__half", "f32": "float", "f64": "double"}
READER = """
template <class T>
__global__ void given(T* out, const T* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < %d) out[i] = in[i];
}
"""


class Contents(unittest.TestCase):
    def bytes_of(self, file, kernel, *arguments):
        """The bytes of the first argument after a launch."""
        out = self.folder / "out.bin"
        launch = launches.Launch("test", "test", str(file), kernel, (4,), (256,), 0,
                                 tuple(map(launches.Argument, arguments)))
        command = launch.profile_command(PROGRAM, "--dump", f"0={out}")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return out.read_bytes()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.reader = self.folder / "reader.cu"
        self.reader.write_text("#include <cuda_fp16.h>\n" + READER % COUNT)

    def test_random_ones_are_the_programs(self):
        for type_, spelled in TYPES.items():
            with self.subTest(type_):
                given = self.bytes_of(self.reader, f"given<{spelled}>", f"out:{type_}:{COUNT}",
                                      f"in:{type_}:{COUNT}:random:7")
                made = self.bytes_of(launches.FOLDER / "fill.cu", f"random<{spelled}>",
                                     f"out:{type_}:{COUNT}", f"u64:{contents.start_of(7)}", f"u64:{COUNT}")
                self.assertEqual(given, made)

    def test_counts_are_the_programs(self):
        for type_ in ("i8", "i32", "f32"):
            with self.subTest(type_):
                given = self.bytes_of(self.reader, f"given<{TYPES[type_]}>", f"out:{type_}:{COUNT}",
                                      f"in:{type_}:{COUNT}:iota")
                made = self.bytes_of(launches.FOLDER / "fill.cu", f"iota<{TYPES[type_]}>",
                                     f"out:{type_}:{COUNT}", f"u64:{COUNT}")
                self.assertEqual(given, made)


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
