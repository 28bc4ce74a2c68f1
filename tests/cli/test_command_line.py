# SPDX-License-Identifier: Apache-2.0
"""The program from the outside: exit codes, messages and JSON, for good input and for bad.

Arguments: the program, then the root of the project. Submissions are written into a temporary
folder and graded for coalescing/copy on the simulator.
"""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from program_case import DOUBLE_IT, PROGRAM, RIGHT, ROOT, SIGNATURE, ProgramCase, main


class CommandLine(ProgramCase):
    def grade(self, content, *options):
        """Grades `content` as coalescing/copy; returns the process and the exercise's JSON."""
        file, report = self.write("submission.cu", content), self.folder / "report.json"
        done = self.run_program(
            *("grade", "coalescing/copy", "--file", file, "--backend", "sim"),
            *("--json", report, *options),
        )
        self.assertTrue(report.is_file(), done.stdout + done.stderr)
        graded = json.loads(report.read_text(encoding="utf-8"))
        self.assertEqual("warpgrade.grade/1", graded["schema"])
        (exercise,) = graded["exercises"]
        return done, exercise

    def expect_failure(self, content, reason, *texts, kind=None):
        done, exercise = self.grade(content)
        self.expect(1, done, "FAIL", *texts)
        self.assertEqual(("fail", reason), (exercise["verdict"], exercise["reason"]))
        self.assertEqual(0, exercise["points"])
        if kind:
            self.assertIn(kind, [diagnostic["kind"] for diagnostic in exercise["diagnostics"]])
        return exercise

    # Grading

    def test_what_is_kept_of_copies_changes_no_report(self):
        kept = self.folder / "cache/warpgrade/copy_times.json"
        done, first = self.grade(RIGHT)
        self.assertTrue(kept.is_file())
        self.assertEqual({"h200", "k40"}, json.loads(kept.read_text())["devices"].keys())
        self.assertEqual((done.stdout, first), (self.grade(RIGHT)[0].stdout, self.grade(RIGHT)[1]))
        kept.write_text("{")
        self.assertEqual(first, self.grade(RIGHT)[1])
        homeless = self.run_program(
            *("grade", "coalescing/copy", "--file", self.write("right.cu", RIGHT)),
            XDG_CACHE_HOME="", HOME="",
        )
        self.expect(0, homeless, "PASS")
        self.assertFalse((self.folder / ".cache").exists())
        shutil.rmtree(self.folder / "cache")
        self.write("cache", "no folder")
        self.assertEqual(first, self.grade(RIGHT)[1])

    def test_a_right_submission_passes(self):
        done, exercise = self.grade(RIGHT)
        self.expect(0, done, "PASS", "1 of 1 exercise passed", "seed ")
        self.assertEqual("pass", exercise["verdict"])
        self.assertEqual("none", exercise["reason"])
        self.assertEqual(exercise["max_points"], exercise["points"])
        self.assertGreater(exercise["fraction_of_copy"], 0)

    def test_the_same_seed_gives_the_same_grade(self):
        reports = []
        for _ in range(2):
            self.grade(RIGHT, "--seed", "7")
            reports.append(json.loads((self.folder / "report.json").read_text()))
            self.assertRegex(reports[-1].pop("time"), r"^[0-9-]{10}T[0-9:]{8}Z$")
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(7, reports[0]["seed"])

    def test_skeletons_fail_earn_nothing_and_have_something_to_try(self):
        done = self.run_program("grade", "--backend", "sim", "--json", self.folder / "all.json")
        self.expect(1, done, "FAIL", "next", "hint 1 of")
        report = json.loads((self.folder / "all.json").read_text())
        self.assertEqual(
            {}, {e["exercise"]: e["points"] for e in report["exercises"] if e["points"] != 0}
        )

    def test_a_breakpoint_and_odd_bytes_in_a_comment(self):
        done, exercise = self.grade(RIGHT.replace("{", "{ __brkpt();", 1))
        self.expect(1, done, "no debugger is there")
        self.assertEqual("trap", exercise["diagnostics"][0]["kind"])
        odd = b"// Gr\xc3\xb6\xc3\x9fe \xff\xfe\x80\n" + RIGHT.encode()
        done, exercise = self.grade(odd)
        self.assertEqual("pass", exercise["verdict"], done.stdout)

    def test_the_terminal_says_why_on_which_line(self):
        wrong = RIGHT.replace("in[row * width + column]", "in[column * height + row]")
        done, exercise = self.grade(wrong)
        self.expect(1, done, "wrong in case", "expected", "got", "5 | ")
        self.assertEqual("incorrect", exercise["reason"])
        self.assertFalse(exercise["correct"])

    # Bad submissions

    def test_no_such_command(self):
        self.expect(2, self.run_program("graed"), "unknown command `graed`, did you mean `grade`?")

    def test_no_such_file(self):
        done = self.run_program("grade", "coalescing/copy", "--file", "not_there.cu")
        self.expect(2, done, "not_there.cu")

    def test_file_without_the_kernel(self):
        self.expect_failure(
            "__global__ void other() {}\n",
            "compile",
            "copy(float*, const float*, int, int)",
            kind="compile_error",
        )

    def test_syntax_error(self):
        broken = RIGHT.replace("threadIdx.x;", "threadIdx.x", 1)
        done, exercise = self.grade(broken)
        self.expect(1, done, "submission.cu:3", "^")
        self.assertEqual("compile", exercise["reason"])
        self.assertEqual(3, exercise["diagnostics"][0]["line"])

    def test_wrong_parameter_list(self):
        swapped = SIGNATURE.replace("float* out, const float* in", "const float* in, float* out")
        self.expect_failure(swapped + " {}\n", "compile", "copy(float*, const float*, int, int)")

    def test_wrong_parameter_list_of_an_extern_c_kernel(self):
        self.expect_failure('extern "C" __global__ void copy(float* out) {}\n', "compile")

    def test_include_of_a_missing_file(self):
        self.expect_failure('#include "not_there.h"\n' + RIGHT, "compile", "not_there.h")

    def test_host_code_is_left_out_and_named(self):
        host = '#include "not_there.h"\n#include <vector>\nint main() { std::vector<int> v; }\n'
        done, exercise = self.grade(host + RIGHT)
        self.assertEqual("pass", exercise["verdict"], done.stdout)
        self.expect(0, done, 'left out as host code: "not_there.h" (line 1) and main (line 3)\n')

    def test_control_characters_do_not_reach_the_terminal(self):
        done, _ = self.grade(b"#error \x1b[2J\x07 red\n" + RIGHT.encode())
        self.expect(1, done)
        self.assertNotIn("\x07", done.stdout)

    # Bad environments

    def test_a_report_that_cannot_be_written_is_still_shown(self):
        file = self.write("right.cu", RIGHT)
        for path, reason in (
            ("/dev/full", "No space left on device"),
            (self.folder / "none" / "report.json", "No such file or directory"),
        ):
            done = self.run_program(
                *("grade", "coalescing/copy", "--file", file, "--backend", "sim", "--json", path)
            )
            self.expect(3, done, "PASS", f"{path}: cannot be written: {reason}")

    def test_a_full_disk_behind_standard_output(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [PROGRAM, "devices"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        self.assertEqual(3, done.returncode)
        self.assertIn("standard output cannot be written", done.stderr)

    def test_a_read_only_working_folder(self):
        file = self.write("right.cu", RIGHT)
        closed = self.folder / "closed"
        closed.mkdir()
        closed.chmod(0o555)
        done = self.run_program(
            *("grade", "coalescing/copy", "--file", file, "--backend", "sim"), cwd=closed
        )
        self.expect(0, done, "PASS")
        self.assertEqual([], list(closed.iterdir()))

    def test_no_gpu(self):
        if os.path.exists("/dev/nvidiactl"):
            self.skipTest("there is a GPU")
        done = self.run_program("grade", "coalescing/copy", "--backend", "gpu")
        self.expect(3, done, "--backend gpu: no GPU to run on")
        self.expect(3, self.run_program("calibrate"), "no GPU to calibrate")
        # Without a choice of backend, the program grades and reports the missing counters.
        file = self.write("right.cu", RIGHT)
        done = self.run_program("grade", "coalescing/copy", "--file", file, "--counters")
        self.expect(0, done, "PASS", "No counters of the card: this machine has no NVIDIA driver")

    # Manifests

    def manifest_with(self, before, after):
        shutil.copytree(ROOT / "labs", self.folder / "course" / "labs")
        path = self.folder / "course/labs/coalescing/grader.toml"
        text = path.read_text()
        self.assertIn(before, text)
        path.write_text(text.replace(before, after, 1))
        return self.folder / "course"

    def test_unknown_key(self):
        root = self.manifest_with("points = ", "poinst = ")
        done = self.run_program("grade", root=root)
        self.expect(2, done, "labs/coalescing/grader.toml:", "unknown key `", "did you mean `")

    def test_gate_on_an_unknown_metric(self):
        root = self.manifest_with('use = "speed", ', 'use = "speed", metric = "fraction_of_coyp", ')
        done = self.run_program("grade", root=root)
        self.expect(2, done, "no metric `fraction_of_coyp`, did you mean `fraction_of_copy`?")

    # Usage

    def test_wrong_usage(self):
        for arguments in (
            ["grad"],
            ["grade", "--nothing"],
            ["grade", "--backend", "cpu"],
            ["grade", "--backend", "sim", "--counters"],
            ["grade", "--seed", "x"],
            ["grade", "--file", "a.cu"],
            ["grade", "--device", "h20"],
            ["devices", "h20"],
            ["occupancy", "--device", "h200", "--block", "0", "--registers", "1", "--shared", "0"],
            ["profile", "a.cu"],
        ):
            with self.subTest(arguments=arguments):
                self.assertEqual(2, self.run_program(*arguments).returncode)

    def test_names_that_are_nearly_right(self):
        done = self.run_program("grade", "coalescin")
        self.expect(2, done, "there is no lab or exercise `coalescin`, did you mean `coalescing`?")
        done = self.run_program("grade", "nothing-like-it")
        self.expect(2, done, "there is no lab or exercise `nothing-like-it`; `warpgrade list` prints all\n")
        done = self.run_program("grade", "coalescing/transpos")
        self.expect(2, done, "no exercise of coalescing `transpos`, did you mean `transpose`?")

    def test_without_a_command_the_next_step_is_shown(self):
        self.expect(0, self.run_program(), "grade")

    def test_what_a_profiler_runs_is_not_for_people(self):
        self.assertNotIn("counted-launch", self.run_program("--help").stdout)
        done = self.run_program("counted-lunch")
        self.expect(2, done, "unknown command `counted-lunch`; commands")
        self.assertNotIn("counted-launch", done.stderr)

    # Profiling

    def profile(self, *options, kernel="twice"):
        file = self.write("twice.cu", DOUBLE_IT)
        return self.run_program("profile", file, "--kernel", kernel, *options)

    def test_profile_runs_counts_and_dumps(self):
        report, dump = self.folder / "profile.json", self.folder / "out.bin"
        launch = "--grid 2 --block 64 --arg out:f32:128 --arg in:f32:128:iota --arg i32:128".split()
        done = self.profile(*launch, "--json", report, "--dump", f"0={dump}")
        self.expect(0, done, "global load", "global store", "bound by")
        self.assertEqual([2.0 * i for i in range(128)], list(struct.unpack("<128f", dump.read_bytes())))
        profile = json.loads(report.read_text())
        self.assertEqual("warpgrade.profile/1", profile["schema"])
        self.assertEqual([2, 1, 1], profile["grid"])
        self.assertEqual([64, 1, 1], profile["block"])
        # 128 floats are 4 warps; each aligned request of 32 floats is 4 sectors.
        metrics = profile["metrics"]
        for operation in ("ld", "st"):
            name = f"pipe_lsu_mem_global_op_{operation}.sum"
            self.assertEqual(4, metrics["l1tex__t_requests_" + name])
            self.assertEqual(16, metrics["l1tex__t_sectors_" + name])
        self.assertEqual({3}, {line["line"] for line in profile["lines"]})
        self.assertEqual(1024, profile["time"]["bytes"])
        self.assertGreater(profile["simulation"]["thread_instructions"], 128)

    def test_profile_of_a_template_instance(self):
        dump = self.folder / "out.bin"
        file = self.write("twice.cu", DOUBLE_IT.replace("short", "int"))
        done = self.run_program(
            *("profile", file, "--kernel", "times<3>", "--grid", "1", "--block", "4"),
            *("--arg", "out:i32:4", "--arg", "i32:-2", "--dump", f"0={dump}"),
        )
        self.expect(0, done)
        self.assertEqual((-6,) * 4, struct.unpack("<4i", dump.read_bytes()))

    def test_profile_refuses_what_does_not_fit(self):
        launch = ["--grid", "1", "--block", "32"]
        buffers = ["--arg", "out:f32:32", "--arg", "in:f32:32:zeros"]
        for code, text, options in (
            (2, "takes 3 arguments, but 2 --arg are given", [*launch, *buffers]),
            (2, "has 8 bytes, but parameter 2", [*launch, *buffers, "--arg", "i64:32"]),
            (2, "more than 8 GiB", [*launch, "--arg", "out:f32:99999999999"]),
            (2, "--grid 1,1,65536", ["--grid", "1,1,65536", "--block", "32"]),
            (2, "2^27 is the most", ["--grid", "2147483647", "--block", "1024"]),
            (2, "--block 2048", ["--grid", "1", "--block", "2048"]),
            (2, "--grid 0", ["--grid", "0", "--block", "32"]),
            (2, "--grid x", ["--grid", "x", "--block", "32"]),
            (2, "parameter 1 is not a buffer", [*launch, "--arg", "i32:1", "--dump", "1=x"]),
            (2, "unknown device", [*launch, "--device", "h20", *buffers, "--arg", "i32:32"]),
        ):
            with self.subTest(text=text):
                self.expect(code, self.profile(*options), text)

    def test_profile_of_a_program_that_fails(self):
        report = self.folder / "profile.json"
        launch = "--grid 1 --block 64 --arg out:f32:32 --arg in:f32:64:iota --arg i32:64".split()
        self.expect(1, self.profile(*launch, "--json", report), "out_of_bounds", "twice.cu:3")
        (finding,) = json.loads(report.read_text())["diagnostics"]
        self.assertEqual("out_of_bounds", finding["kind"])
        self.expect(1, self.profile(*launch, kernel="thrice"), "compile_error", "thrice")


if __name__ == "__main__":
    main()
