# SPDX-License-Identifier: Apache-2.0
"""Submissions that are folders, and a course's include folders, from the command line.

Arguments: the program, then the root of the project. Submissions for coalescing/copy of the
project, and for forms/scale of tests/labs/forms, are written into a temporary folder.
"""

import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from program_case import RIGHT, ROOT, SIGNATURE, ProgramCase, main

BODY = RIGHT.removeprefix(SIGNATURE)


class Folders(ProgramCase):
    def setUp(self):
        super().setUp()
        self.ada = self.folder / "ada"
        self.write("secret.h", "secret_word\n")

    def grade(self, code, *options):
        report = self.folder / "grade.json"
        words = self.output(
            *(code, "grade", "coalescing/copy", "--backend", "sim", "--device", "k40"),
            *(*options, "--json", report),
        )
        found = json.loads(report.read_text())["exercises"][0] if code < 2 else None
        report.unlink(missing_ok=True)
        return words, found

    def test_a_folder_is_a_submission_with_the_file_of_the_exercise_in_it(self):
        self.write("ada/copy.cu", '#include "parts/body.h"\n' + SIGNATURE + " { BODY }\n")
        self.write("ada/parts/body.h", '#include "../last.h"\n')
        body = " ".join(BODY.split())
        self.write("ada/last.h", f"#define BODY {body}\n")
        _, found = self.grade(0, "--file", "ada")
        self.assertEqual("ada/copy.cu", found["file"][-11:])
        self.assertEqual("pass", found["verdict"])
        self.assertEqual("pass", self.grade(0, "--folder", self.ada)[1]["verdict"])

    def test_a_folder_may_hold_the_labs(self):
        self.write("ada/coalescing/copy.cu", '#include "../common.h"\n' + SIGNATURE + " BODY\n")
        self.write("ada/common.h", f"#define BODY {' '.join(BODY.split())}\n")
        self.assertEqual("pass", self.grade(0, "--file", "ada/")[1]["verdict"])

    def test_a_folder_may_hold_several_exercises(self):
        self.write("ada/coalescing/copy.cu", SIGNATURE + BODY)
        self.write("ada/padded.cu", SIGNATURE + BODY)
        report = self.folder / "all.json"
        words = self.output(
            *(3, "grade", "coalescing", "bank_conflicts/padded", "--folder", "ada"),
            *("--backend", "sim", "--device", "k40", "--json", report),
        )
        self.assertIn("ada holds neither transpose.cu nor", words)
        found = {one["exercise"]: one for one in json.loads(report.read_text())["exercises"]}
        self.assertEqual("pass", found["copy"]["verdict"])
        self.assertEqual(("error", "transpose.cu"), tuple(found["transpose"][one] for one in ("verdict", "file")))
        self.assertEqual("compile", found["padded"]["reason"])
        self.assertIn("no such folder", self.output(2, "grade", "coalescing", "--folder", "eve"))

    def test_the_file_may_lie_anywhere_in_the_folder(self):
        file = self.write("ada/src/mine.cu", '#include "../common.h"\n' + SIGNATURE + " BODY\n")
        self.write("ada/common.h", f"#define BODY {' '.join(BODY.split())}\n")
        for name in ("src/mine.cu", "ada/src/mine.cu", file):
            self.assertEqual("pass", self.grade(0, "--folder", "ada", "--file", name)[1]["verdict"])
        words, found = self.grade(1, "--file", file)  # A file reaches only its own folder.
        self.assertEqual("compile", found["reason"])
        self.assertIn('cannot open source file "../common.h"', words)

    def test_a_file_that_only_includes_its_kernel_is_graded_and_places_are_the_included_files(self):
        file = self.write("ada/copy.cu", '#include "kernel.cuh"\n')
        self.write("ada/kernel.cuh", "\n\n\n" + SIGNATURE + BODY)
        words, found = self.grade(0, "--file", file)
        self.assertEqual("pass", found["verdict"])
        self.assertIn("copy is taken from a file that it includes", " ".join(words.split()))
        self.write("ada/kernel.cuh", "\n\n\n" + SIGNATURE + "{ out[0] = in[width * height]; }\n")
        diagnostic = self.grade(1, "--file", file)[1]["diagnostics"][0]
        self.assertEqual("out_of_bounds", diagnostic["kind"])
        self.assertEqual(("kernel.cuh", 4), (pathlib.Path(diagnostic["file"]).name, diagnostic["line"]))

    def test_nothing_outside_the_folder_is_reached(self):
        (self.ada / "src").mkdir(parents=True)
        (self.ada / "link.h").symlink_to("../secret.h")
        (self.ada / "up").symlink_to("..")
        for include in ("../../secret.h", "../link.h", "../up/secret.h", self.folder / "secret.h"):
            self.write("ada/src/copy.cu", f'#include "{include}"\n' + RIGHT)
            words, found = self.grade(1, "--folder", "ada", "--file", "src/copy.cu")
            self.assertEqual("compile", found["reason"])
            self.assertIn("and files of its own folder, nothing else", words)
            self.assertNotIn("secret_word", words)

    def test_a_link_out_of_the_folder_is_no_submission(self):
        self.ada.mkdir()
        (self.ada / "copy.cu").symlink_to(ROOT / "solutions/coalescing/copy.cu")
        words, found = self.grade(1, "--file", "ada")
        self.assertEqual(("compile", 0), (found["reason"], found["points"]))
        self.assertIn("a link to a file outside the submission's folder", words)

    def test_what_is_not_there_is_wrong_usage(self):
        self.write("ada/other.cu", RIGHT)
        words, _ = self.grade(2, "--file", "ada")
        self.assertIn("ada holds neither copy.cu nor coalescing/copy.cu", words)
        self.assertIn("no such folder", self.grade(2, "--folder", "eve")[0])
        self.assertIn("no such file", self.grade(2, "--folder", "ada", "--file", "x.cu")[0])
        self.assertIn("no such file", self.grade(2, "--folder", "ada", "--file", "secret.h")[0])
        self.output(2, "grade", "coalescing/copy", "--solutions", "--folder", "ada")

    def test_the_courses_headers_reach_a_submission_anywhere(self):
        course = ROOT / "tests/labs/forms"
        solved = (course / "solutions/forms/scale.cu").read_text()
        file = self.write("elsewhere/scale.cu", solved)
        words = self.output(
            0, "grade", "forms/scale", "--backend", "sim", "--file", file, root=course
        )
        self.assertIn("fetch (include/course/scaling.h:", words)

    def test_an_include_folder_that_is_not_there_is_found(self):
        course = self.folder / "course"
        shutil.copytree(ROOT / "tests/labs/forms", course)
        shutil.rmtree(course / "labs/include")
        for command in (["check"], ["grade", "forms/scale", "--backend", "sim"]):
            words = self.output(2, *command, root=course)
            self.assertIn("labs/forms/grader.toml:5:19: include folder `../include`", words)
            self.assertIn("the folder does not exist", words)

    def test_profile_takes_include_folders(self):
        self.write("course/include/course/one.h", "constexpr int kOne = 1;\n")
        self.write("more/two.h", "#define TWO 2\n")
        file = self.write(
            "ada/src/k.cu",
            '#include <course/one.h>\n#include "../two.h"\n'
            "__global__ void k(int* out) { out[threadIdx.x] = kOne + TWO; }\n",
        )
        launch = ("--kernel", "k", "--grid", "1", "--block", "4", "--arg", "out:i32:4")
        dump = self.folder / "dump.bin"
        self.output(
            *(0, "profile", file, "-I", "course/include", "-Imore", *launch, "--dump", f"0={dump}")
        )
        self.assertEqual(b"\3\0\0\0" * 4, dump.read_bytes())
        words = self.output(1, "profile", file, "-I", "more", *launch)
        self.assertIn('cannot open source file "course/one.h"', words)
        self.assertIn("the include folders of the course (more), nothing else", words)
        self.assertIn("-I none: no such folder",
                      self.output(2, "profile", file, "-I", "none", *launch))


if __name__ == "__main__":
    main()
