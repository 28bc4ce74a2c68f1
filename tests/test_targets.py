#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the targets that ninja must build for a selection of tests, one per line.

Arguments: the build folder, then those of `meson test`. If these are only `--suite NAME`, the
targets are those of the suites' tests. Otherwise the target is `all`.
"""
import json
import pathlib
import sys


def suites_of(arguments):
    """The suites' names if only suites select the tests; otherwise empty."""
    if len(arguments) % 2 or set(arguments[::2]) != {"--suite"}:
        return set()
    return set(arguments[1::2])


def targets(build, suites):
    """The files, relative to `build`, that tests of these suites run or receive."""
    made = {
        target["id"]: [pathlib.Path(file).relative_to(build) for file in target["filename"]]
        for target in json.loads((build / "meson-info/intro-targets.json").read_text())
    }
    needed = set()
    for test in json.loads((build / "meson-info/intro-tests.json").read_text()):
        if suites & {suite.split(":")[-1] for suite in test["suite"]}:
            for target in test["depends"]:
                needed.update(made.get(target, []))
    if needed:  # The wrapper makes it the compiler of all tests.
        needed.update(file for files in made.values() for file in files if file.name == "kept_compiler")
    return sorted(map(str, needed))


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    suites = suites_of(sys.argv[2:])
    print("\n".join(suites and targets(build, suites)) or "all")


if __name__ == "__main__":
    main()
