# SPDX-License-Identifier: Apache-2.0
"""What tests of the program from the outside share: the call of the program in a temporary folder,
and kernels to grade and profile. Arguments of such a test: the program, then the root of the project.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, ROOT = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
SIGNATURE = "__global__ void copy(float* out, const float* in, int width, int height)"
RIGHT = (
    SIGNATURE
    + """ {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
"""
)
DOUBLE_IT = """__global__ void twice(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2.0f * in[i];
}
template <int Factor> __global__ void times(int* out, short n) { out[threadIdx.x] = Factor * n; }
"""


class ProgramCase(unittest.TestCase):
    maxDiff = None
    root = ROOT  # of the course that the program uses

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def environment(self):
        return {**os.environ, "WARPGRADE_ROOT": str(self.root), "XDG_CACHE_HOME": str(self.folder / "cache")}

    def run_program(self, *arguments, root=None, cwd=None, **environment):
        environment = {**self.environment(), **({"WARPGRADE_ROOT": str(root)} if root else {}), **environment}
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd or self.folder, env=environment,
                              capture_output=True, text=True, check=False)

    def expect(self, code, done, *texts):
        """Expects the exit code and texts of the output, which has no colours; returns the output."""
        output = done.stdout + done.stderr
        self.assertEqual(code, done.returncode, output)
        for text in texts:
            self.assertIn(text, output)
        self.assertNotIn("\x1b", output, "colours without a terminal")
        return output

    def output(self, code, *arguments, **more):
        """The output of a call that must end with `code`."""
        return self.expect(code, self.run_program(*arguments, **more))


def main():
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
