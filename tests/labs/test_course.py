# SPDX-License-Identifier: Apache-2.0
"""`warpgrade check` on the course: skeletons fail, solutions pass, wrong files fail for their reasons.

    python3 tests/labs/test_course.py PROGRAM ROOT [--all] [--part N] [--seed SEED]

Grades all skeletons and solutions. It also grades each wrong file that changed in the last commits, and all wrong
files of an exercise if something else changed that decides their grades (changed_exercises.py); of the others one of
N, by default of 4. The seed, by default the commit, draws them. --all grades every file, as the weekly run does. In a
tree without these commits every exercise counts as changed.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "evidence"))
import graded  # noqa: E402
from changed_exercises import changed_exercises, exercise_of  # noqa: E402

# More than one push has.
COMMITS = 20


def lines_of_git(root, *arguments):
    """The output's lines; None if git cannot tell."""
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else None


def manifests_at(root, base):
    """The parsed manifests and presets of gates, by their paths below labs/, at the commit `base`."""
    files = lines_of_git(root, "ls-tree", "-r", "--name-only", base, "--", "labs") or []
    return {
        file.removeprefix("labs/"): tomllib.loads("\n".join(lines_of_git(root, "show", f"{base}:{file}")))
        for file in files
        if file.endswith("/grader.toml") or file == "labs/gates.toml"
    }


def manifests_now(root):
    files = [root / "labs/gates.toml", *root.glob("labs/*/grader.toml")]
    return {file.relative_to(root / "labs").as_posix(): tomllib.loads(file.read_text()) for file in files}


def changes(root, now):
    """The paths that changed in the last commits, and the exercises that did: all of them if git cannot tell."""
    everything = {(name.split("/")[0], one["id"]) for name, file in now.items() for one in file.get("exercise", [])}
    base = f"HEAD~{COMMITS}"
    if lines_of_git(root, "rev-parse", "--show-toplevel") != [str(root)]:
        return [], everything
    changed = lines_of_git(root, "diff", "--name-only", base, "--", "labs", "solutions")
    new = lines_of_git(root, "ls-files", "--others", "--exclude-standard", "--", "labs", "solutions")
    if changed is None or new is None:
        return [], everything
    paths = changed + new
    return paths, changed_exercises(paths, manifests_at(root, base), now)


def left_out(root, part, seed):
    """The wrong files that this run does not grade."""
    now = manifests_now(root)
    paths, whole = changes(root, now)
    print("all wrong files of:", ", ".join(sorted("/".join(one) for one in whole)) or "no exercise")
    files = [file.relative_to(root) for file in sorted(root.glob("solutions/*/wrong/*.*"))]
    kept = {*map(pathlib.PurePath, paths), *graded.drawn(files, part, seed, str)}

    def is_whole(file):
        lab = file.parts[1]
        exercises = [one["id"] for one in now.get(f"{lab}/grader.toml", {}).get("exercise", [])]
        return (lab, exercise_of(file, exercises)) in whole

    out = [file for file in files if file not in kept and not is_whole(file)]
    print(f"{len(files) - len(out)} of {len(files)} wrong files")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="grade every file")
    graded.add_part(parser, 4)
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
