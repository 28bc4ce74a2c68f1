# SPDX-License-Identifier: Apache-2.0
"""Prints the names of one of N tests of a suite, other ones for each commit, one per line.

    python3 tests/evidence/part_of_suite.py [--part N] [--seed SEED] BUILD SUITE

The seed, by default the commit, draws them. With WARPGRADE_WHOLE=1 in the environment, as in the weekly run, all are
printed. BUILD is a build folder with the suite.
"""
import argparse
import json
import os
import pathlib
import sys

import graded

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    graded.add_part(parser, 2)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("suite")
    options = parser.parse_args()
    tests = json.loads((options.build / "meson-info/intro-tests.json").read_text())
    names = [test["name"] for test in tests if options.suite in {suite.split(":")[-1] for suite in test["suite"]}]
    if os.environ.get("WARPGRADE_WHOLE") != "1":
        names = graded.drawn(names, options.part, options.seed or graded.commit_of(ROOT), str)
    print("\n".join(names))


if __name__ == "__main__":
    sys.exit(main())
