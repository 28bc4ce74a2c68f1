# SPDX-License-Identifier: Apache-2.0
"""Runs one of N tests of a GoogleTest program that has a test for each file of a corpus, other ones for each commit.

    python3 tests/evidence/part_of_tests.py [--part N] [--seed SEED] [--whole-if PATH]... PROGRAM [GTEST OPTION]...

The seed, by default the commit, draws them; tests without a file run always. All tests run if one of the PATHs, which
are relative to the project's root, changed in the last commits, if git cannot tell, or with WARPGRADE_WHOLE=1 in the
environment, as in the weekly run.
"""
import argparse
import os
import pathlib
import subprocess
import sys

import graded

# More than one push has.
COMMITS = 20
ROOT = pathlib.Path(__file__).resolve().parents[2]


def tests_of(program, options):
    """Names of the tests that `options` select."""
    command = [program, *(one for one in options if one.startswith("--gtest_filter=")), "--gtest_list_tests"]
    suite, names = "", []
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        name = line.split("#")[0].rstrip()
        if line.startswith("  "):
            names.append(suite + name.strip())
        elif name.endswith("."):
            suite = name
    return names


def have_changed(root, paths):
    """Whether one of the files changed in the last commits; true if git cannot tell."""
    command = ["git", "-C", root, "diff", "--quiet", f"HEAD~{COMMITS}", "--", *paths]
    return bool(paths) and subprocess.run(command, capture_output=True, check=False).returncode != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    graded.add_part(parser, 3)
    parser.add_argument("--whole-if", action="append", default=[], metavar="PATH")
    parser.add_argument("program", type=pathlib.Path)
    arguments, gtest_options = parser.parse_known_args()
    program = arguments.program.resolve()
    names = tests_of(program, gtest_options)
    if os.environ.get("WARPGRADE_WHOLE") != "1" and not have_changed(ROOT, arguments.whole_if):
        of_files = [name for name in names if "/" in name]
        left_out = set(of_files) - set(graded.drawn(of_files, arguments.part, graded.seed_of(arguments, ROOT), str))
        gtest_options = [one for one in gtest_options if not one.startswith("--gtest_filter=")]
        kept = [name for name in names if name not in left_out]
        print(f"{len(kept)} of {len(names)} tests", flush=True)
        gtest_options.append("--gtest_filter=" + ":".join(kept))
    os.execv(program, [program, *gtest_options])


if __name__ == "__main__":
    sys.exit(main())
