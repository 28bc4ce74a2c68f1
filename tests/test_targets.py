#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the targets that ninja must build for a selection of tests, one per line.

Arguments: the build folder, then those of `meson test`. If these are only `--suite NAME`, or only
names of tests, the targets are those of these tests. Otherwise the target is `all`.
"""
import json
import pathlib
import sys


def selected(tests, arguments):
    """The tests that only suites, or only names, select; otherwise none."""
    if arguments and not any(one.startswith("-") for one in arguments):
        return [test for test in tests if test["name"] in arguments]
    if len(arguments) % 2 or set(arguments[::2]) != {"--suite"}:
        return []
    suites = set(arguments[1::2])
    return [test for test in tests if suites & {suite.split(":")[-1] for suite in test["suite"]}]


def targets(build, arguments):
    """The files, relative to `build`, that the selected tests run or receive."""
    made = {
        target["id"]: [pathlib.Path(file).relative_to(build) for file in target["filename"]]
        for target in json.loads((build / "meson-info/intro-targets.json").read_text())
    }
    needed = set()
    for test in selected(json.loads((build / "meson-info/intro-tests.json").read_text()), arguments):
        for target in test["depends"]:
            needed.update(made.get(target, []))
    if needed:  # The wrapper makes it the compiler of all tests.
        needed.update(file for files in made.values() for file in files if file.name == "kept_compiler")
    return sorted(map(str, needed))


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    print("\n".join(targets(build, sys.argv[2:])) or "all")


if __name__ == "__main__":
    main()
