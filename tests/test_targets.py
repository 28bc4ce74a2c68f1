#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what ninja has to build for a selection of tests, a target a line.

Arguments: the build folder, then those of `meson test`. Where they are nothing but `--suite NAME`,
these are the targets of the suites' tests; for everything else it is `all`.
"""
import json
import pathlib
import sys


def suites_of(arguments):
    """The names of a selection by suites alone; empty for any other."""
    if len(arguments) % 2 or set(arguments[::2]) != {"--suite"}:
        return set()
    return set(arguments[1::2])


def targets(build, suites):
    """The files, relative to `build`, that tests of these suites run or are given."""
    made = {
        target["id"]: [pathlib.Path(file).relative_to(build) for file in target["filename"]]
        for target in json.loads((build / "meson-info/intro-targets.json").read_text())
    }
    needed = set()
    for test in json.loads((build / "meson-info/intro-tests.json").read_text()):
        if suites & {suite.split(":")[-1] for suite in test["suite"]}:
            for target in test["depends"]:
                needed.update(made.get(target, []))
    return sorted(map(str, needed))


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    suites = suites_of(sys.argv[2:])
    print("\n".join(suites and targets(build, suites)) or "all")


if __name__ == "__main__":
    main()
