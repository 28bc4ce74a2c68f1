# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy with the checks of .clang-tidy over common/ and grader/.

Arguments: the root of the project, a build folder with compile_commands.json, and optionally texts: then only
sources whose name contains one of them are checked. A build folder set up with -Dunity=on has most sources of a
room in one unit and takes a third of the time. Prints each finding once, then a summary line. Exits with 1 if
there are findings, and with 77 if clang-tidy 14 or later is missing.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

OLDEST = 14
FINDING = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (warning|error): (?P<text>.+)$")


def find_clang_tidy():
    """The program, or None."""
    for name in (os.environ.get("WARPGRADE_CLANG_TIDY"), "clang-tidy", "clang-tidy-14"):
        program = name and shutil.which(name)
        if not program:
            continue
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        version = re.search(r"version (\d+)", done.stdout)
        if version and int(version[1]) >= OLDEST:
            return program
    return None


def units(root, build, only):
    """The program's sources, as the compiler gets them."""
    commands = json.loads((build / "compile_commands.json").read_text())
    for command in commands:
        made = pathlib.PurePath(command["output"])
        name = f"{made.parent.name} {command['file']}"
        if made.parts[0] in ("common", "grader") and (
            not only or any(text in name for text in only)
        ):
            yield str((pathlib.Path(command["directory"]) / command["file"]).resolve())


def tidy(program, root, build, unit):
    """The findings of one unit, and its message if it could not be read."""
    ours = f"^{re.escape(str(root))}/(common|grader)/|/\\.\\./(common|grader)/"
    done = subprocess.run(
        [program, "--quiet", "-p", build, f"--header-filter={ours}", unit],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
    )
    found = {}
    was_read = False
    for match in filter(None, map(FINDING.match, done.stdout.splitlines())):
        was_read = True
        file = os.path.relpath(build / match["file"], root)
        found[f"{file}:{match['line']}:{match['column']}: {match['text']}"] = None
    if done.returncode < 0 or (done.returncode != 0 and not was_read):
        found[f"{unit}: {done.stderr.strip() or done.stdout.strip()}"] = None
    return found


def main():
    root, build = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    program = find_clang_tidy()
    if program is None:
        print(f"clang-tidy {OLDEST} or later is missing")
        return 77
    todo = sorted(set(units(root, build, sys.argv[3:])))
    found = {}
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for some in pool.map(lambda unit: tidy(program, root, build, unit), todo):
            for finding in some:
                if finding not in found:
                    print(finding, flush=True)
                found[finding] = None
    print(f"{len(todo)} units, {len(found)} findings", flush=True)
    return 1 if found or not todo else 0


if __name__ == "__main__":
    sys.exit(main())
