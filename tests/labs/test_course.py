# SPDX-License-Identifier: Apache-2.0
"""`warpgrade check` on the course: skeletons fail, solutions pass, wrong files fail for their reasons.

    python3 tests/labs/test_course.py PROGRAM ROOT [--all] [--part N] [--seed SEED]

Grades all skeletons and solutions. It also grades each wrong file that changed in the last commits, and all wrong
files of a lab if another of its files or a preset of its gates changed; of the others one of N, by default of 4. The
seed, by default the commit, draws them. --all grades every file, as the weekly run does. A tree without these commits
counts as changed.
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

# More than one push has.
COMMITS = 20
GATES = pathlib.PurePath("labs/gates.toml")


def lines_of_git(root, *arguments):
    """The output's lines; None if git cannot tell."""
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else None


def changed_presets(before, now):
    """The presets that differ, and those that inherit from them or have them as guards."""
    changed = {name for name in before.keys() | now.keys() if before.get(name) != now.get(name)}
    while True:
        more = {name for name, gate in now.items() if changed & {gate.get("like"), *gate.get("guards", [])}} - changed
        if not more:
            return changed
        changed |= more


def uses_of(manifest):
    """The presets that a lab's gates use."""
    exercises = tomllib.loads(manifest.read_text())["exercise"]
    gates = [gate for exercise in exercises for gate in exercise.get("gates", [])]
    return {name for gate in gates for name in [gate.get("use"), *gate.get("guards", [])]}


def changes(root):
    """The labs whose wrong files are all graded, and the other wrong files that changed. All labs if git cannot tell."""
    manifests = {file.parent.name: file for file in root.glob("labs/*/grader.toml")}
    base = f"HEAD~{COMMITS}"
    if lines_of_git(root, "rev-parse", "--show-toplevel") != [str(root)]:
        return set(manifests), set()
    changed = lines_of_git(root, "diff", "--name-only", base, "--", "labs", "solutions")
    new = lines_of_git(root, "ls-files", "--others", "--exclude-standard", "--", "labs", "solutions")
    if changed is None or new is None:
        return set(manifests), set()
    paths = {pathlib.PurePath(file) for file in changed + new}
    wrong = {path for path in paths if path.parts[2:3] == ("wrong",)}
    # `check` grades skeletons and solutions at each run and compares the values in skeletons.toml.
    labs = {path.parts[1] for path in paths - wrong if len(path.parts) > 2 and path.name != "skeletons.toml"}
    shared = {path for path in paths if len(path.parts) == 2}
    if shared - {GATES}:
        return set(manifests), set()
    if shared:
        before = lines_of_git(root, "show", f"{base}:{GATES}") or []
        presets = changed_presets(tomllib.loads("\n".join(before)), tomllib.loads((root / GATES).read_text()))
        labs |= {lab for lab, manifest in manifests.items() if presets & uses_of(manifest)}
    return labs & manifests.keys(), wrong


def left_out(root, part, seed):
    """The wrong files that this run does not grade."""
    labs, wrong = changes(root)
    print("all wrong files of:", ", ".join(sorted(labs)) or "no lab")
    files = [file.relative_to(root) for file in sorted(root.glob("solutions/*/wrong/*.*"))]
    kept = wrong | set(graded.drawn(files, part, seed, str))
    return [file for file in files if file not in kept and file.parts[1] not in labs]


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
