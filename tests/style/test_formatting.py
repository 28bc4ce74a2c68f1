# SPDX-License-Identifier: Apache-2.0
"""Checks that clang-format 14 would change no .cpp or .h file.

Argument: the root of the project. Other releases break lines in other places, so the test accepts
only version 14: $WARPGRADE_CLANG_FORMAT, clang-format-14, the one in .venv, or clang-format.
Without any the test is skipped (77); `./warpgrade test` installs one.
"""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "structure"))
import architecture  # noqa: E402

FILES_A_PROCESS = 25


def find_clang_format(root):
    """The program, or None."""
    names = [os.environ.get("WARPGRADE_CLANG_FORMAT"), "clang-format-14"]
    for name in [*names, str(root / ".venv/bin/clang-format"), "clang-format"]:
        program = name and shutil.which(name)
        if not program:
            continue
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        if " version 14." in done.stdout:
            return program
    return None


def findings(program, files):
    """The changes that clang-format would make, one per line."""

    def check(some):
        done = subprocess.run(
            [program, "--dry-run", "-Werror", *some], capture_output=True, text=True, check=False
        )
        found = [line for line in done.stderr.splitlines() if ": error: " in line]
        return found or [done.stderr] if done.returncode else []

    chunks = [files[i : i + FILES_A_PROCESS] for i in range(0, len(files), FILES_A_PROCESS)]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return [line for found in pool.map(check, chunks) for line in found]


class Formatting(unittest.TestCase):
    longMessage = False

    def test_is_that_of_clang_format_14(self):
        files = [file for file in architecture.source_files(ROOT) if file.suffix in (".cpp", ".h")]
        self.assertLess(100, len(files))
        found = findings(PROGRAM, files)
        how = f"{len(found)} places; mend them with: {PROGRAM} -i FILE"
        self.assertFalse(found, "\n".join(["", *found, how]))

    def test_of_a_file_in_another_form_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / ".clang-format").write_bytes((ROOT / ".clang-format").read_bytes())
            file = pathlib.Path(folder) / "a.cpp"
            file.write_text("int a = 1;\n")
            self.assertEqual([], findings(PROGRAM, [file]))
            file.write_text("int  a = 1;\n")
            self.assertEqual(1, len(findings(PROGRAM, [file])))


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    PROGRAM = find_clang_format(ROOT)
    if PROGRAM is None:
        print("clang-format 14 is missing; ./warpgrade test installs it")
        sys.exit(77)
    unittest.main()
