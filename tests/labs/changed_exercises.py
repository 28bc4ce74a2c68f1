# SPDX-License-Identifier: Apache-2.0
"""The exercises whose wrong files can get other grades, since a file that they depend on changed.

In: the files of the course that changed, and the manifests (`grader.toml`) and presets of gates (`gates.toml`)
before and after. Out: exercises as pairs of a lab and an id. An exercise depends on its own table, on the ones that
it is like, on its sets of cases, on the presets that its gates use, and on the lab's reference and headers. Titles,
hints and texts of gates decide no grade. Skeletons, solutions and values of skeletons are compared at each run.
"""
import pathlib

TEXTS = {"title", "summary", "order", "hints", "hints_rot13", "hint_for", "meaning", "next"}


def without_texts(table):
    return {key: value for key, value in table.items() if key not in TEXTS}


def with_likes(tables, name):
    """The table, the one that it is like, and so on."""
    found = {}
    while name is not None and name not in found and name in tables:
        found[name] = tables[name]
        name = tables[name].get("like")
    return found


def presets_of(gates, presets):
    """The presets that gates use, those that these inherit from, and their guards; None for a missing one."""
    todo = [name for gate in gates for name in [gate.get("use"), *gate.get("guards", [])] if name is not None]
    found = {}
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found[name] = without_texts(presets[name]) if name in presets else None
        preset = presets.get(name, {})
        todo += [*preset.get("guards", []), *([preset["like"]] if "like" in preset else [])]
    return found


def parts_of(manifest, exercise, presets):
    """Everything in a manifest and the presets that an exercise's grades depend on."""
    tables = with_likes({one["id"]: one for one in manifest.get("exercise", [])}, exercise)
    gates = [gate for table in tables.values() for gate in table.get("gates", [])]
    cases = [case for table in tables.values() for case in table.get("cases", []) if isinstance(case, str)]
    own = {name: without_texts(table) for name, table in tables.items()}
    for table in own.values():
        table["gates"] = [without_texts(gate) for gate in table.get("gates", [])]
    return {
        "lab": {key: value for key, value in without_texts(manifest).items() if key not in ("exercise", "cases")},
        "exercises": own,
        "cases": {name: manifest.get("cases", {}).get(name) for name in cases},
        "presets": presets_of(gates, presets),
    }


def changed_exercises(paths, before, now):
    """Pairs (lab, exercise). `before` and `now` map "gates.toml" and each "LAB/grader.toml" to a parsed file."""
    files = {}
    for path in map(pathlib.PurePath, paths):
        if path.parts[2:3] not in (("wrong",), ("further",)):
            files.setdefault(path.parts[1] if len(path.parts) > 2 else None, []).append(path)
    everything = any(path.as_posix() != "labs/gates.toml" for path in files.get(None, []))
    changed = set()
    for name, manifest in now.items():
        lab, _, file = name.rpartition("/")
        if file != "grader.toml":
            continue
        exercises = [one["id"] for one in manifest["exercise"]]
        # Not for one exercise: what the lab's kernels share.
        shared = any(not is_for_one(path, exercises) for path in files.get(lab, []))
        for exercise in exercises:
            parts = [
                parts_of(course.get(name, {}), exercise, course.get("gates.toml", {})) for course in (before, now)
            ]
            if everything or shared or parts[0] != parts[1]:
                changed.add((lab, exercise))
    return changed


def is_for_one(path, exercises):
    """Whether a change of the file changes no other file's grade, or is in the manifest."""
    return path.name in ("grader.toml", "skeletons.toml") or len(path.parts) == 3 and path.stem in exercises


def exercise_of(file, exercises):
    """The exercise of a wrong file: the longest id that begins its name; None if there is none."""
    return max((one for one in exercises if file.stem.startswith(one + "_")), key=len, default=None)
