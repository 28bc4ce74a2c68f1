# SPDX-License-Identifier: Apache-2.0
"""Options without a meaning, names of all kinds, and outputs that cannot be written.

Arguments: the program, then the root of the project.
"""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from program_case import DOUBLE_IT, PROGRAM, RIGHT, ROOT, ProgramCase, main

LAUNCH = "--grid 2 --block 64 --arg out:f32:128 --arg in:f32:128:iota --arg i32:128".split()
OCCUPANCY = ["occupancy", "--device", "titan_black"]


class Program(ProgramCase):
    def setUp(self):
        super().setUp()
        self.submission = self.write("right.cu", RIGHT)
        self.kernel = self.write("twice.cu", DOUBLE_IT)
        self.cache = self.folder / "cache"

    def run_program(self, *arguments, shell=None, **more):
        """Runs the program; `shell` follows the command on bash's command line."""
        command = [PROGRAM, *map(str, arguments)]
        if shell is not None:
            command = ["bash", "-o", "pipefail", "-c", '"$@" ' + shell, "bash", *command]
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
            **more,
        )

    def grade(self, *options, **more):
        return self.run_program(
            *("grade", "coalescing/copy", "--backend", "sim", "--device", "k40"),
            *("--file", self.submission, *options),
            **more,
        )

    def profile(self, *options, **more):
        return self.run_program("profile", self.kernel, "--kernel", "twice", *options, **more)

    def read(self, name):
        return json.loads((self.folder / name).read_text())


class Profiles(Program):
    """Profiles of a user's own card."""

    TEXT = 'like = "rtx4060"\nproduct = "A laptop"\nsm_count = 20\n'

    def test_are_taken_wherever_a_device_is_named(self):
        card = self.write("laptop.toml", self.TEXT)
        shown = self.run_program("devices", card)
        self.assertEqual(0, shown.returncode, shown.stderr)
        self.assertIn("A laptop", shown.stdout)
        self.assertIn("8.9", shown.stdout)
        kernel = ["profile", self.kernel, "--kernel", "twice", *LAUNCH]
        launched = self.run_program(*kernel, "--device", card, "--json", "out.json")
        self.assertEqual(0, launched.returncode, launched.stderr)
        report = json.loads((self.folder / "out.json").read_text())
        self.assertEqual("laptop", report["device"])
        limits = ["--block", "256", "--registers", "32", "--shared", "0"]
        fit = self.run_program("occupancy", "--device", card, *limits)
        self.assertIn("6 blocks an SM, 48 of 48 warps", fit.stdout)

    def test_with_a_mistake_are_refused_with_its_place(self):
        card = self.write("laptop.toml", self.TEXT.replace("sm_count", "sm_cuont"))
        done = self.run_program("devices", "laptop.toml")
        self.assertEqual(2, done.returncode)
        self.assertEqual(
            "warpgrade: laptop.toml:3:12: `sm_cuont`: unknown key, did you mean `sm_count`?\n",
            done.stderr,
        )
        self.assertEqual(2, self.grade("--device", card).returncode)

    def test_that_are_not_there_are_named(self):
        done = self.run_program("devices", "none.toml")
        self.assertEqual((2, "warpgrade: none.toml: no such file\n"), (done.returncode, done.stderr))

    def test_are_not_measured_without_a_gpu_or_a_fitting_name(self):
        done = self.run_program("devices", "--from-gpu", "here.txt")
        self.expect(2, done, "here.txt: the name of a profile's file ends with .toml")
        self.expect(2, self.run_program("devices", "--from-gpu", "here.toml", "h200"), "excludes")
        if not os.path.exists("/dev/nvidiactl"):
            done = self.run_program("devices", "--from-gpu", "here.toml")
            self.expect(3, done, "no GPU to measure")
            self.assertFalse((self.folder / "here.toml").exists())


class Options(Program):
    def test_that_are_empty_are_refused(self):
        for arguments in (
            ["grade", "coalescing/copy", "--file", ""],
            ["grade", "coalescing/copy", "--file="],
            ["grade", "coalescing/copy", "--json", ""],
            ["grade", "coalescing/copy", "--device", ""],
            ["grade", ""],
            ["profile", "", "--kernel", "twice", *LAUNCH],
            ["profile", self.kernel, "--kernel", "", *LAUNCH],
            ["profile", self.kernel, "--kernel", "twice", *LAUNCH, "--json", ""],
            ["study", ""],
            ["study", "banks", "--csv", ""],
            ["devices", ""],
            ["pack", ""],
            ["calibrate", "--json", ""],
        ):
            with self.subTest(arguments=arguments[:1] + arguments[-2:]):
                self.expect(2, self.run_program(*arguments))
        self.expect(2, self.run_program("grade", "--file", ""), "--file: must not be empty")

    def test_that_are_no_number_from_the_least_on_are_refused(self):
        for option, value in (
            *(("--seed", text) for text in ("-1", "9" * 23, "1.5", "7x", "0x", " 7")),
            *(("--repeat", text) for text in ("0", "-1")),
        ):
            with self.subTest(option=option, value=value):
                self.expect(
                    2, self.grade(option, value), f"{option}: {value}: must be a whole number from"
                )
        for option in ("--block", "--registers", "--shared"):
            numbers = {"--block": "512", "--registers": "16", "--shared": "0"}
            for value in ("-1", str(2**32)):
                with self.subTest(option=option, value=value):
                    words = [word for pair in (numbers | {option: value}).items() for word in pair]
                    self.expect(2, self.run_program(*OCCUPANCY, *words), option, "to 4294967295")
        self.expect(2, self.profile(*LAUNCH, "--shared", "-1"), "--shared: -1")

    def test_with_leading_zeros_are_decimal(self):
        self.expect(0, self.grade("--seed", "010"), "seed 10\n")
        self.expect(0, self.grade("--seed", str(2**64 - 1)), f"seed {2**64 - 1}\n")
        done = self.run_program(*OCCUPANCY, *"--block 0512 --registers 016 --shared 02048".split())
        self.expect(0, done, "4 blocks an SM, 64 of 64 warps")
        launch = "--grid 02 --block 064 --arg out:f32:0128 --arg in:f32:0128:iota --arg i32:0128"
        self.expect(0, self.profile(*launch.split(), "--json", "zeros.json"))
        self.expect(0, self.profile(*LAUNCH, "--json", "plain.json"))
        zeros, plain = self.read("zeros.json"), self.read("plain.json")
        for key in ("grid", "block", "metrics", "resources"):
            self.assertEqual(plain[key], zeros[key])


class Hints(Program):
    def shown(self, *arguments):
        """The number of hints that the command shows."""
        done = self.run_program("hint", *arguments)
        self.expect(0, done)
        return sum(line.startswith("hint ") for line in done.stdout.splitlines())

    def test_come_one_at_a_time_and_are_remembered(self):
        self.assertEqual(1, self.shown("coalescing/copy"))
        self.assertEqual(2, self.shown("coalescing/copy", "--next"))
        self.assertEqual(2, self.shown("coalescing/copy"))
        self.assertEqual(3, self.shown("coalescing/copy", "--next"))
        self.assertEqual(1, self.shown("coalescing/transpose"))

    def test_come_all_at_once_where_all_are_asked_for(self):
        self.assertEqual(4, self.shown("coalescing/copy", "--all"))
        self.assertEqual(4, self.shown("coalescing/copy", "--next"))

    def test_are_those_of_one_exercise(self):
        done = self.run_program("hint", "coalescing")
        self.expect(2, done, "name one, such as coalescing/copy")
        self.expect(2, self.run_program("hint", "coalescing/copy", "--next", "--all"), "excludes")


class Names(Program):
    def test_of_any_kind_are_no_options_of_the_compiler(self):
        for name in ("-dash.cu", "--device-debug", "-", "@file.cu", "a b.cu"):
            with self.subTest(name=name):
                self.write(name, RIGHT)
                self.submission = name
                done = self.run_program(
                    *("grade", "coalescing/copy", "--backend", "sim", "--device", "k40"),
                    f"--file={name}",
                )
                self.expect(0, done, f"PASS  3 of 3 points  {name}\n")
                self.write(name, RIGHT.replace("threadIdx.x;", "threadIdx.x"))
                done = self.run_program(
                    *("grade", "coalescing/copy", "--backend", "sim", f"--file={name}")
                )
                self.expect(1, done, f"\n{name}:3:", "compile_error")

    def test_of_outputs_may_be_as_long_as_names_can_be(self):
        name = "j" * 250 + ".json"
        self.expect(0, self.grade("--json", name))
        self.assertEqual("pass", self.read(name)["exercises"][0]["verdict"])


class Inputs(Program):
    def test_that_cannot_be_read_are_named_with_the_reason(self):
        (self.folder / "folder.toml").mkdir()
        (self.folder / "copy_times.json").mkdir()
        long = "x" * 300
        for code, text, arguments in (
            (2, "folder.toml: cannot be read: Is a directory", ["study", "folder.toml"]),
            (2, f"{self.folder}/: cannot be read: Is a dir", ["study", f"{self.folder}/"]),
            (2, "none.toml: cannot be read: No such file", ["study", "none.toml"]),
            (2, "cannot read 'none.cu': No such file", ["grade", "coalescing/copy", "--file", "none.cu"]),
            (3, f"{long}: cannot be written: File name too long", ["pack", long, "--skip-build"]),
            (2, "right.cu is there and no empty folder", ["pack", "right.cu", "--skip-build"]),
            (3, "right.cu/x: cannot be written: Not a dir", ["pack", "right.cu/x", "--skip-build"]),
        ):
            with self.subTest(arguments=arguments):
                done = self.run_program(*arguments)
                self.expect(code, done, text)
                self.assertNotIn("filesystem error", done.stderr)
                self.assertNotIn("basic_filebuf", done.stderr)

    def test_that_are_only_kept_to_be_fast_may_be_anything(self):
        (self.cache / "warpgrade/copy_times.json").mkdir(parents=True)
        self.expect(0, self.grade(), "PASS  3 of 3")


class Course(Program):
    """A course with files that this machine cannot read or compile."""

    def setUp(self):
        super().setUp()
        self.course = self.folder / "course"
        shutil.copytree(ROOT / "labs", self.course / "labs")

    def environment(self):
        return {**super().environment(), "WARPGRADE_ROOT": str(self.course)}

    def verdicts(self, *selections):
        done = self.run_program(
            *("grade", *selections, "--backend", "sim", "--device", "k40", "--json", "all.json")
        )
        report = self.read("all.json")["exercises"]
        return done, {one["exercise"]: (one["verdict"], one["reason"]) for one in report}

    def test_grades_those_that_can_be_read(self):
        (self.course / "labs/bank_conflicts/padded.cu").unlink()
        (self.course / "labs/bank_conflicts/padded.cu").mkdir()
        (self.course / "labs/bank_conflicts/predict.toml").unlink()
        (self.course / "labs/coalescing/copy.cu").write_text(RIGHT)
        selections = [f"bank_conflicts/{one}" for one in ("padded", "predict", "swizzled")]
        done, verdicts = self.verdicts(*selections, "coalescing/copy")
        self.expect(
            3, done, "padded.cu': it is a folder", "predict.toml': No such file", "NOT GRADED"
        )
        self.assertEqual(
            {
                "padded": ("error", "tool"),
                "predict": ("error", "tool"),
                "swizzled": ("fail", "mechanism"),
                "copy": ("pass", "none"),
            },
            verdicts,
        )

    def test_blames_no_file_for_a_compiler_that_is_killed(self):
        real = pathlib.Path(PROGRAM).parent.parent / "common/compile/warpgrade_compiler"
        compiler = self.write(
            "compiler",
            f'#!/bin/sh\nf=$(mktemp)\ncat >$f\ngrep -q KILL_ME $f && kill -KILL $$\nexec {real} <$f\n',
        )
        compiler.chmod(0o755)
        (self.course / "labs/coalescing/copy.cu").write_text("// KILL_ME\n" + RIGHT)
        os.environ["WARPGRADE_COMPILER"] = str(compiler)
        self.addCleanup(os.environ.pop, "WARPGRADE_COMPILER")
        done, verdicts = self.verdicts("coalescing/copy", "coalescing/transpose")
        self.expect(3, done, "was killed from outside, twice (signal 9")
        self.assertEqual(("error", "tool"), verdicts["copy"])
        self.assertEqual(("pass", "none"), verdicts["transpose"])

    def test_says_that_no_gate_is_for_a_device(self):
        done = self.run_program("grade", "coalescing/copy", "--backend", "sim", "--device", "g80")
        self.expect(0, done, "No gate of this exercise is for g80: only the result is graded here.")
        self.assertNotIn("No gate of this", self.grade().stdout)


class Reports(Program):
    def test_cut_lines_that_are_too_long_to_read(self):
        word = "/* \u00e4\u6f22 */ "
        long = RIGHT.replace("out[row * width", word * 20000 + "out[row * width")
        self.write("right.cu", long)
        done = self.grade()
        self.expect(0, done, "PASS")
        wrong = long.replace("row < height", "row <= height").replace("in[row", "in[1 + row")
        self.write("right.cu", wrong)
        done = self.grade()
        self.expect(1, done, "out_of_bounds", "...")
        self.assertLess(max(map(len, done.stdout.splitlines())), 300)
        launch = "--grid 1,1 --block 32,8 --arg out:f32:1024 --arg in:f32:1024:iota"
        launch += " --arg i32:32 --arg i32:32"
        self.write("right.cu", long)
        done = self.run_program("profile", "right.cu", "--kernel", "copy", *launch.split())
        self.expect(0, done, "global load", "...")
        self.assertLess(max(map(len, done.stdout.splitlines())), 300)


class Outputs(Program):
    def test_are_written_to_what_a_link_leads_to(self):
        (self.folder / "deep").mkdir()
        for target in ("deep/old.json", "deep/new.json"):
            link = self.folder / "link.json"
            link.unlink(missing_ok=True)
            link.symlink_to(target)
            if "old" in target:
                self.write(target, "old")
            self.expect(0, self.grade("--json", link))
            self.assertTrue(link.is_symlink())
            self.assertEqual("pass", self.read(target)["exercises"][0]["verdict"])
        self.assertEqual({"old.json", "new.json"}, set(os.listdir(self.folder / "deep")))

    def test_go_where_standard_output_goes(self):
        # Through a link in this folder, so that a bug cannot replace a device file of the machine.
        (self.folder / "stdout").symlink_to("/proc/self/fd/1")
        for shell in ("", "| cat", ">both.txt; cat both.txt", ">>both.txt; cat both.txt"):
            with self.subTest(shell=shell):
                done = self.grade("--json", "stdout", shell=shell)
                self.expect(0, done, '"warpgrade.grade/1"', "PASS  3 of 3")
                self.assertTrue((self.folder / "stdout").is_symlink())

    def test_go_into_a_pipe_that_has_a_name(self):
        os.mkfifo(self.folder / "pipe")
        done = self.grade("--json", "pipe", shell='& cat pipe >read.json; wait $!')
        self.expect(0, done, "PASS")
        self.assertEqual("pass", self.read("read.json")["exercises"][0]["verdict"])
        self.assertTrue(stat.S_ISFIFO((self.folder / "pipe").stat().st_mode))

    def test_that_are_files_do_not_depend_on_standard_output(self):
        for shell, code in (("| true", 0), (">&-", 3), (">/dev/full", 3)):
            with self.subTest(shell=shell):
                for name in ("grade.json", "profile.json", "dump.bin", "study.csv"):
                    (self.folder / name).unlink(missing_ok=True)
                done = self.grade("--json", "grade.json", shell=shell)
                self.expect(code, done, "standard output cannot be written" if code else "")
                self.assertEqual("pass", self.read("grade.json")["exercises"][0]["verdict"])
                files = ("--json", "profile.json", "--dump", "0=dump.bin")
                self.expect(code, self.profile(*LAUNCH, *files, shell=shell))
                self.assertEqual("twice", self.read("profile.json")["kernel"].split("(")[0])
                self.assertEqual(512, (self.folder / "dump.bin").stat().st_size)
                done = self.run_program("study", "banks", "--csv", "study.csv", shell=shell)
                self.expect(code, done)
                self.assertIn("stride", (self.folder / "study.csv").read_text())

    def test_that_cannot_be_written_cost_no_other(self):
        done = self.profile(*LAUNCH, "--json", "none/x.json", "--dump", "0=dump.bin")
        self.expect(3, done, "none/x.json: cannot be written", "bound by")
        self.assertEqual(512, (self.folder / "dump.bin").stat().st_size)
        done = self.profile(*LAUNCH, "--json", "none/x.json", "--dump", "0=none/y", shell=">&-")
        self.expect(3, done, "none/x.json: ", "none/y: ", "standard output cannot be written")

    def test_of_errors_may_be_closed_too(self):
        for shell in ("2>/dev/full", "2>&-"):
            self.expect(2, self.run_program("nope", shell=shell))
            self.expect(3, self.grade("--json", "none/x.json", shell=shell))


if __name__ == "__main__":
    main()
