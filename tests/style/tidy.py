# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy with the checks of .clang-tidy over common/ and grader/.

Arguments: the root of the project, a build folder with compile_commands.json, and optionally texts: then only
sources whose name contains one of them are checked. A build folder set up with -Dunity=on has most sources of a
room in one unit and takes a third of the time. Prints each finding once, then a summary line. Exits with 1 if
there are findings, and with 77 if clang-tidy 14 or later is missing.

A unit without findings is recorded in ~/.cache/warpgrade/tidy, under a digest of everything that clang-tidy
reads: its version, the checks, the compiler's options, the unit and all its headers. It is not checked again
while that stays the same.
"""

import concurrent.futures
import contextlib
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

OLDEST = 14
DAYS_KEPT = 30
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
            yield str((pathlib.Path(command["directory"]) / command["file"]).resolve()), command


def headers_of(command):
    """The files that the compiler reads for a unit, by its own list; None if it refuses the unit."""
    words, skip = [], False
    for word in shlex.split(command["command"]):
        if not skip and word not in ("-o", "-c", "-MD", "-MQ", "-MF"):
            words.append(word)
        skip = not skip and word in ("-o", "-MQ", "-MF")
    done = subprocess.run([*words, "-M"], capture_output=True, text=True, check=False, cwd=command["directory"])
    if done.returncode != 0:
        return None
    names = shlex.split(done.stdout.partition(":")[2].replace("\\\n", " "))
    return sorted({os.path.join(command["directory"], name) for name in names})


class Clean:
    """The units that had no findings."""

    def __init__(self, program, root):
        version = subprocess.run([program, "--version"], capture_output=True, check=False).stdout
        self.checks = version + (root / ".clang-tidy").read_bytes()
        cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
        self.folder = pathlib.Path(cache) / "warpgrade/tidy"

    def record_of(self, command):
        """The file that exists if the unit is known to be clean; None if its headers are unknown."""
        digest = hashlib.sha256(self.checks)
        digest.update(f"\n{command['directory']}\n{command['command']}\n".encode())
        headers = headers_of(command)
        if not headers:
            return None
        try:
            for name in headers:
                content = pathlib.Path(name).read_bytes()
                digest.update(f"{name} {len(content)}\n".encode() + content)
        except OSError:
            return None
        return self.folder / digest.hexdigest()

    def add(self, record):
        # Without a place for records, each run checks everything.
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            record.touch()

    def forget_old(self):
        oldest = time.time() - DAYS_KEPT * 24 * 3600
        with contextlib.suppress(OSError):
            for file in self.folder.iterdir():
                if file.stat().st_mtime < oldest:
                    file.unlink()


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
    todo = dict(sorted(units(root, build, sys.argv[3:]), key=lambda one: one[0]))
    clean = Clean(program, root)
    clean.forget_old()
    found = {}
    known = 0

    def check(unit):
        record = clean.record_of(todo[unit])
        if record and record.exists():
            clean.add(record)  # dates it anew
            return None
        some = tidy(program, root, build, unit)
        if record and not some:
            clean.add(record)
        return some

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for some in pool.map(check, todo):
            known += some is None
            for finding in some or ():
                if finding not in found:
                    print(finding, flush=True)
                found[finding] = None
    print(f"{len(todo)} units, {known} of them known to be clean, {len(found)} findings", flush=True)
    return 1 if found or not todo else 0


if __name__ == "__main__":
    sys.exit(main())
