# SPDX-License-Identifier: Apache-2.0
"""`warpgrade check` on the course: skeletons fail, solutions pass, wrong files fail for their reasons.

    python3 tests/labs/test_course.py PROGRAM ROOT [--all] [--part N] [--seed SEED]

Grades all skeletons and solutions. If a lab changed in the last commits, it also grades all wrong files of
the lab; otherwise one of N, by default of 3. The seed, by default the commit, draws them. --all grades every
file, as the weekly run does. A tree without these commits counts as changed.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "evidence"))
import graded  # noqa: E402

# More than one push has.
COMMITS = 20


def lines_of_git(root, *arguments):
    """The output's lines; None if git cannot tell."""
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else None


def changed_labs(root):
    """The labs with a file that changed in the last commits; all, if a file of all labs did or nobody knows."""
    every = {file.parent.name for file in root.glob("labs/*/grader.toml")}
    if lines_of_git(root, "rev-parse", "--show-toplevel") != [str(root)]:
        return every
    changed = lines_of_git(root, "diff", "--name-only", f"HEAD~{COMMITS}", "--", "labs", "solutions")
    new = lines_of_git(root, "ls-files", "--others", "--exclude-standard", "--", "labs", "solutions")
    if changed is None or new is None:
        return every
    parts = [pathlib.PurePath(file).parts for file in changed + new]
    return every if any(len(one) < 3 for one in parts) else every & {one[1] for one in parts}


def left_out(root, part, seed):
    """The wrong files that this run does not grade."""
    changed = changed_labs(root)
    print("all wrong files of:", ", ".join(sorted(changed)) or "no lab")
    files = [file.relative_to(root) for file in sorted(root.glob("solutions/*/wrong/*.*"))]
    drawn = set(graded.drawn(files, part, seed, str))
    return [file for file in files if file not in drawn and file.parts[1] not in changed]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="grade every file")
    graded.add_part(parser, 3)
    options = parser.parse_args()
    root = options.root.resolve()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("labs", "solutions"):
            shutil.copytree(root / name, pathlib.Path(folder) / name)
        if not options.all:
            for file in left_out(root, options.part, graded.seed_of(options, root)):
                (pathlib.Path(folder) / file).unlink()
        sys.stdout.flush()
        environment = {**os.environ, "WARPGRADE_ROOT": folder}
        return subprocess.run([options.program.resolve(), "check"], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
