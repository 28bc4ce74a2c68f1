# SPDX-License-Identifier: Apache-2.0
"""Code that a device runs and the simulator does not: exit code 3, never a grade.

Arguments: the program, then the root of the project. Each kernel is graded for coalescing/copy and
profiled on the simulator. The message names the student's line. If no thread executes the code, the
launch counts as any other.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from program_case import RIGHT, SIGNATURE, ProgramCase, main

VIDEO = 'asm volatile("vadd4.s32.s32.s32 %0, %0, %0, %0;" : "+r"(height));'
# The third line of a kernel, and a part of the message.
NOT_SIMULATED = (
    (VIDEO, "'vadd4.s32.s32.s32' is not supported"),
    ("if (threadIdx.x == 3) " + VIDEO, "'vadd4.s32.s32.s32' is not supported"),
    ("child<<<1, 32>>>();", "a kernel launches a kernel here"),
    ("child<<<dim3(2, 2), 32, 64, 0>>>();", "a kernel launches a kernel"),
    ("out[0] = tex1Dfetch<float>(cudaTextureObject_t(1), 0);", "textures are not simulated"),
    ("out[0] = tex2D<float>(cudaTextureObject_t(1), 0, 0);", "textures are not simulated"),
    ("out[0] = tex2Dgather<float4>(cudaTextureObject_t(1), 0, 0).x;", "textures are not"),
    ("surf1Dread(out, cudaSurfaceObject_t(1), 0);", "surfaces are not simulated"),
    ("surf2Dwrite(1.0f, cudaSurfaceObject_t(1), 0, 0);", "surfaces are not simulated"),
    ("cooperative_groups::this_grid().sync();", "needs a cooperative launch"),
)


class NotSimulated(ProgramCase):
    def reported(self, source, *arguments):
        """Runs the program on `source` as submission.cu; returns the process and its JSON report."""
        self.write("submission.cu", source)
        done = self.run_program(*arguments, "--backend", "sim", "--device", "h200", "--json", "report.json")
        return done, json.loads((self.folder / "report.json").read_text(encoding="utf-8"))

    def expect_line_3(self, done, diagnostics, message):
        self.assertEqual(3, done.returncode, done.stdout + done.stderr)
        self.assertEqual(["unsupported"], [one["kind"] for one in diagnostics], done.stdout)
        self.assertIn(message, diagnostics[0]["message"])
        self.assertEqual(3, diagnostics[0]["line"], done.stdout)
        self.assertTrue(diagnostics[0]["file"].endswith("submission.cu"), diagnostics)

    def test_it_is_never_a_grade_and_names_the_line(self):
        grade = ("grade", "coalescing/copy", "--file", "submission.cu")
        profile = ("profile", "submission.cu", "--kernel", "copy", "--grid", "1", "--block", "32")
        arguments = ("out:f32:64", "in:f32:64:iota", "i32:8", "i32:8")
        profile += tuple(word for one in arguments for word in ("--arg", one))
        for statement, message in NOT_SIMULATED:
            source = "__global__ void child() {}\n" + SIGNATURE + " {\n  " + statement + "\n}\n"
            if "cooperative_groups" in statement:
                source = source.replace("__global__ void child() {}", "#include <cooperative_groups.h>")
            with self.subTest(statement=statement):
                done, report = self.reported(source, *grade)
                (exercise,) = report["exercises"]
                self.assertIn("NOT GRADED", done.stdout)
                self.assertEqual(("error", "tool"), (exercise["verdict"], exercise["reason"]))
                self.expect_line_3(done, exercise["diagnostics"], message)
                done, report = self.reported(source, *profile)
                self.expect_line_3(done, report["diagnostics"], message)

    def test_code_that_no_thread_executes_does_not_matter(self):
        body = RIGHT.replace("{", "{\n  if (width < 0) " + VIDEO, 1)
        done, _ = self.reported(body, "grade", "coalescing/copy", "--file", "submission.cu")
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)

    def test_a_trap_of_the_student_is_no_barrier_of_the_grid(self):
        statement = "if (width != -1) __trap(); cooperative_groups::this_grid().sync();"
        source = "#include <cooperative_groups.h>\n" + SIGNATURE + " {\n  " + statement + "\n}\n"
        done, report = self.reported(
            source, "grade", "coalescing/copy", "--file", "submission.cu"
        )
        self.assertEqual(1, done.returncode, done.stdout + done.stderr)
        (exercise,) = report["exercises"]
        self.assertEqual(["trap"], [one["kind"] for one in exercise["diagnostics"]])


if __name__ == "__main__":
    main()
