# SPDX-License-Identifier: Apache-2.0
"""`warpgrade profile FILE.ptx`: PTX of Triton, of Numba and by hand, in the folder ptx beside this file.

Arguments: the program, then the root of the project. Expected results are computed here from the
inputs; expected counters are worked out by hand from the accesses.
"""

import array
import csv
import json
import math
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest

FILES = pathlib.Path(__file__).resolve().parent / "ptx"
sys.path.insert(0, str(FILES))
from launches import LAUNCHES  # noqa: E402

CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum"


class Ptx(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, code, file, *options, env=()):
        done = subprocess.run(
            [PROGRAM, "profile", str(file), *map(str, options)],
            cwd=self.folder,
            env={**os.environ, "WARPGRADE_ROOT": str(ROOT), **dict(env)},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(code, done.returncode, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def profile(self, file, kernel, grid, block, *options, dump=0, outputs="f", env=()):
        """The report and the elements of the buffer of parameter `dump`."""
        more = ["--device", "a100", "--json", "report.json", "--dump", f"{dump}=out.bin"]
        launch = ["--kernel", kernel, "--grid", grid, "--block", block]
        self.run_program(0, FILES / file, *launch, *options, *more, env=env)
        out = array.array(outputs)
        out.frombytes((self.folder / "out.bin").read_bytes())
        return json.loads((self.folder / "report.json").read_text()), out

    def floats(self, name, count):
        """A file of random floats, and these."""
        numbers = array.array("f", (random.Random(name).uniform(-4, 4) for _ in range(count)))
        (self.folder / name).write_bytes(numbers.tobytes())
        return numbers

    def lines(self, report, operation):
        return {(one["file"], one["line"]) for one in report["lines"] if one["operation"] == operation}

    def test_a_sum_of_triton(self):
        x, y = self.floats("x", 1000), self.floats("y", 1000)
        arguments = ["--arg", "in:f32:1000:file:x", "--arg", "in:f32:1000:file:y", "--arg", "out:f32:1000"]
        report, out = self.profile("triton_add.ptx", "add", 4, 128, *arguments, "--arg", "i32:1000",
                                   "--arg", "i64:0", "--arg", "i64:0", dump=2)
        self.assertEqual(out, array.array("f", (a + b for a, b in zip(x, y))))
        # 1,000 floats are 125 sectors of 8.
        self.assertEqual(report["metrics"][SECTORS.format("ld")], 250)
        self.assertEqual(report["metrics"][SECTORS.format("st")], 125)
        self.assertEqual(self.lines(report, "global store"), {("triton_kernels.py", 20)})

    def test_a_softmax_of_triton(self):
        x = self.floats("x", 750)
        report, out = self.profile("triton_softmax.ptx", "softmax", 3, 128, "--shared", 16, "--arg", "out:f32:750",
                                   "--arg", "in:f32:750:file:x", "--arg", "i32:250", "--arg", "i64:0", "--arg", "i64:0")
        for row in range(3):
            values = x[250 * row: 250 * row + 250]
            exponentials = [math.exp(one - max(values)) for one in values]
            for got, one in zip(out[250 * row: 250 * row + 250], exponentials):
                self.assertAlmostEqual(got, one / sum(exponentials), delta=1e-6)
        self.assertEqual(self.lines(report, "global load"), {("triton_kernels.py", 28)})
        # The reductions are Triton's own code, which the kernel calls in lines 29 and 30.
        self.assertEqual(self.lines(report, "shared store"), {("triton_kernels.py", 29), ("triton_kernels.py", 30)})
        self.assertEqual(17, report["resources"]["registers_per_thread"])  # ptxas 13.0 -v --gpu-name sm_80

    def test_a_matrix_product_of_triton(self):
        # Halves 1 and 0: row i of a selects row (i * 5) % 32 of b, whose elements are small and exact.
        a = [1 if k == i * 5 % 32 else 0 for i in range(32) for k in range(32)]
        b = [(k * 7 + j * 3) % 64 for k in range(32) for j in range(32)]
        for name, values in (("a", a), ("b", b)):
            (self.folder / name).write_bytes(struct.pack("<1024e", *values))
        report, out = self.profile("triton_matmul.ptx", "matmul", "1,1", 128, "--shared", 4096,
                                   "--arg", "in:f16:1024:file:a", "--arg", "in:f16:1024:file:b",
                                   "--arg", "out:f32:1024", *("--arg", "i32:32") * 3, *("--arg", "i64:0") * 2, dump=2)
        self.assertEqual(list(out), [b[32 * (i * 5 % 32) + j] for i in range(32) for j in range(32)])
        self.assertEqual({file for file, _ in self.lines(report, "global load")}, {"triton_kernels.py"})

    def test_a_kernel_of_numba_has_the_name_of_its_function(self):
        x = self.floats("x", 100)
        shape = ["--arg", "i64:100", "--arg", "i64:4"]
        both = ["--arg", "i64:0", "--arg", "i64:0", *shape, "--arg", "out:f32:100", *shape,
                "--arg", "i64:0", "--arg", "i64:0", *shape, "--arg", "in:f32:100:file:x", *shape]
        report, out = self.profile("numba_scale.ptx", "scale", 1, 128, *both, "--arg", "f32:3", "--arg", "i32:100",
                                   dump=4)
        self.assertEqual(out, array.array("f", (3 * one for one in x)))
        self.assertEqual(self.lines(report, "global store"), {("numba_kernels.py", 16)})
        # Numba's PTX 9.5 is newer than ptxas 13.0, which therefore cannot report registers.
        self.assertIn("Registers are unknown", report["note"])

    def test_a_bank_conflict_is_at_its_line_of_python(self):
        shape = ["--arg", "i64:1024", "--arg", "i64:4"]
        both = ["--arg", "i64:0", "--arg", "i64:0", *shape, "--arg", "out:f32:1024", *shape,
                "--arg", "i64:0", "--arg", "i64:0", *shape, "--arg", "in:f32:1024:iota", *shape]
        report, _ = self.profile("numba_transpose.ptx", "transpose", 1, "32,32", *both, dump=4)
        # Each of 32 warps reads 32 words of one bank: 32 wavefronts, 31 more than without conflicts.
        self.assertEqual(report["metrics"][CONFLICTS.format("ld")], 32 * 31)
        worst = max(report["lines"], key=lambda one: one["wavefronts"])
        self.assertEqual((worst["file"], worst["line"], worst["wavefronts"]), ("numba_kernels.py", 24, 1024))

    def test_code_without_places_is_at_its_line_of_the_text(self):
        report, out = self.profile("hand.ptx", "strided", 1, 32, "--arg", "out:u32:32", "--arg", "in:u32:32:iota",
                                   outputs="I")
        self.assertEqual(list(out), list(range(32)))
        # Lanes k and k + 16 share bank 2 * k: two wavefronts for each access.
        self.assertEqual(report["metrics"][CONFLICTS.format("st")], 1)
        self.assertEqual({line for _, line in self.lines(report, "shared store")}, {23})
        self.assertEqual(256, report["resources"]["static_shared_bytes"])

    def test_without_ptxas_registers_are_unknown(self):
        (self.folder / "empty").mkdir()
        env = {"PATH": str(self.folder / "empty"), "WARPGRADE_CUDA_HOME": str(self.folder / "empty")}
        report, _ = self.profile("hand.ptx", "strided", 1, 32, "--arg", "out:u32:32", "--arg", "in:u32:32:iota",
                                 outputs="I", env=env)
        self.assertIn("ptxas is not installed", report["note"])
        self.assertEqual(256, report["resources"]["static_shared_bytes"])

    def test_counters_are_those_of_an_h200(self):
        with (FILES / "h200_counters.csv").open(newline="", encoding="utf-8") as text:
            for row in csv.DictReader(line for line in text if not line.startswith("#")):
                kernel, registers = row.pop("kernel"), row.pop("registers")
                launch = LAUNCHES[kernel]
                arguments = [word for one in launch.arguments for word in ("--arg", one)]
                extents = ["--grid", ",".join(map(str, launch.grid)), "--block", ",".join(map(str, launch.block))]
                self.run_program(0, FILES / f"{kernel}.ptx", "--kernel", kernel.split("_")[1], *extents,
                                 "--shared", launch.shared, "--device", "h200", *arguments, "--json", "counted.json")
                report = json.loads((self.folder / "counted.json").read_text())
                # ptxas 13.0 cannot read the PTX 9.5 of Numba.
                if kernel.startswith("triton"):
                    self.assertEqual(int(registers), report["resources"]["registers_per_thread"], kernel)
                self.assertEqual({metric: int(count) for metric, count in row.items()},
                                 {metric: report["metrics"][metric] for metric in row}, kernel)

    def changed(self, old, new):
        text = (FILES / "hand.ptx").read_text()
        self.assertIn(old, text)
        (self.folder / "changed.ptx").write_text(text.replace(old, new))
        return "changed.ptx"

    ARGUMENTS = ("--kernel", "strided", "--grid", 1, "--block", 32, "--arg", "out:u32:32", "--arg", "in:u32:32:iota",
                 "--device", "a100")

    def test_a_device_older_than_the_target_is_a_wrong_call(self):
        text = self.run_program(2, self.changed(".target sm_80", ".target sm_90"), *self.ARGUMENTS)
        self.assertIn("PTX for sm_90, which a device of sm_80 cannot run", text)

    def test_an_architecture_specific_target_needs_that_device(self):
        file = self.changed(".target sm_80", ".target sm_90a")
        self.run_program(2, file, *self.ARGUMENTS[:-1], "b200")
        self.run_program(0, file, *self.ARGUMENTS[:-1], "h100")

    def test_an_instruction_that_the_simulator_lacks_has_its_line(self):
        sum_of_addresses = "\tadd.s64 %rd4, %rd1, %rd3;"
        unknown = "\tvavrg4.u32.u32.u32 %r2, %r2, %r2, %r2;"
        file = self.changed(sum_of_addresses, unknown + sum_of_addresses)
        text = self.run_program(3, file, *self.ARGUMENTS)
        self.assertIn("changed.ptx:25", text)
        self.assertIn("vavrg4", text)

    def test_a_struct_by_value_has_addresses(self):
        text = (FILES / "hand.ptx").read_text()
        for old, new in [(".param .u64 out, .param .u64 in", ".param .align 8 .b8 both[16]"), ("[out]", "[both]"),
                         ("[in]", "[both+8]")]:
            self.assertIn(old, text)
            text = text.replace(old, new)
        (self.folder / "struct.ptx").write_text(text)
        _, out = self.profile(self.folder / "struct.ptx", "strided", 1, 32, "--arg",
                              "struct:&out:u32:32,&in:u32:32:iota", dump="0.0", outputs="I")
        self.assertEqual(list(out), list(range(32)))

    def test_a_declaration_that_the_simulator_lacks_has_its_line(self):
        entry = ".visible .entry strided"
        for old, new, message in [
            (entry, ".global .texref image;\n" + entry, "PTX line 8: textures are not simulated"),
            (".address_size 64", ".address_size 32", "only 64-bit addresses are supported"),
        ]:
            text = self.run_program(3, self.changed(old, new), *self.ARGUMENTS)
            self.assertIn("changed.ptx: unsupported:", text)
            self.assertIn(message, text)

    def test_what_ptxas_refuses_is_an_error_with_its_line(self):
        text = self.run_program(1, self.changed("shl.b32 %r1, %r1, 3;", "shl.f32 %r1, %r1, 3;"), *self.ARGUMENTS)
        self.assertIn("changed.ptx:21", text)

    def test_a_required_block_is_the_only_one(self):
        text = self.run_program(2, FILES / "triton_add.ptx", "--kernel", "add", "--grid", 4, "--block", 64, "--device",
                                "a100", *("--arg", "in:f32:9:iota") * 2, "--arg", "out:f32:9", "--arg", "i32:9",
                                *("--arg", "i64:0") * 2)
        self.assertIn(".reqntid requires 128", text)

    def test_text_that_is_no_ptx(self):
        (self.folder / "changed.ptx").write_text("int main() {}\n")
        self.assertIn("not PTX", self.run_program(1, "changed.ptx", *self.ARGUMENTS))


if __name__ == "__main__":
    PROGRAM, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
