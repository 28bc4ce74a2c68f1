# SPDX-License-Identifier: Apache-2.0
"""Makes the submissions of a whole class, for `warpgrade class run`.

    python3 tests/evidence/classes/make_class.py FOLDER [--students N] [--seed S] [--labs LAB...]

FOLDER/STUDENT/LAB/EXERCISE.cu or .toml comes from the course's solutions, its wrong solutions,
skeletons, changes of solutions by one operator or number, garbage and hostile files, in shares that
SHARES has. Each file has its student's name in a comment, so that no two are the same content, but
for one in ten, who hands in what another has. The same seed makes the same class. Some students
hand in nothing, some an archive; a roster stands beside.
"""

import argparse
import pathlib
import random
import re
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHARES = {"solution": 50, "wrong": 15, "mutant": 15, "skeleton": 8, "garbage": 3, "hostile": 2, "none": 7}
CHANGES = (("+", "-"), ("-", "+"), ("<", "<="), ("*", "+"), ("32", "31"), ("0", "1"), ("width", "height"))
HOSTILE = (
    '#include "/etc/passwd"\n',
    '#include "../../../../../../etc/hostname"\n',
    "#if __has_include(</etc/passwd>)\n#error there\n#endif\n",
    'asm(".incbin \\"/etc/passwd\\"");\n',
    "template <int N> struct A { A<N + 1> a; };\nA<0> bomb;\n",
    'extern "C" __global__ void copy(float* o, const float* i, int w, int h) { while (true) { o[0] += 1; } }\n',
    "__device__ char huge[1 << 30];\n",
    '#line 1 "/etc/passwd"\n#error forged\n',
    "\x00\x01\x02\x1b[2J\n",
)


def exercises(labs):
    """(lab, exercise, suffix) of the course, by name."""
    for manifest in sorted((ROOT / "labs").glob("*/grader.toml")):
        lab = manifest.parent.name
        if labs and lab not in labs:
            continue
        for one in tomllib.loads(manifest.read_text())["exercise"]:
            suffix = next(s for s in (".cu", ".toml") if (manifest.parent / (one["id"] + s)).is_file())
            yield lab, one["id"], suffix


def mutant(text, draw):
    """`text` with one place changed, behind its comments."""
    places = [(m.start(), old, new) for old, new in CHANGES for m in re.finditer(re.escape(old), text)]
    places = [p for p in places if p[0] > text.find("{")]
    if not places:
        return text
    at, old, new = draw.choice(places)
    return text[:at] + new + text[at + len(old):]


def submission(draw, lab, exercise, suffix):
    """The bytes of a submission, or None."""
    kind = draw.choices(list(SHARES), list(SHARES.values()))[0]
    solution = ROOT / "solutions" / lab / (exercise + suffix)
    if kind == "none":
        return None
    if kind == "garbage":
        return bytes(draw.randrange(256) for _ in range(draw.randrange(2000)))
    if kind == "hostile" and suffix == ".cu":
        return draw.choice(HOSTILE).encode()
    if kind == "skeleton":
        return (ROOT / "labs" / lab / (exercise + suffix)).read_bytes()
    if kind == "wrong":
        wrong = sorted((ROOT / "solutions" / lab / "wrong").glob(exercise + "_*" + suffix))
        return draw.choice(wrong or [solution]).read_bytes()
    if kind == "mutant":
        return mutant(solution.read_text(), draw).encode()
    return solution.read_bytes()


def write_student(folder, student, number, draw, all_exercises):
    files = {}
    for lab, exercise, suffix in all_exercises:
        content = submission(draw, lab, exercise, suffix)
        if content is None:
            continue
        if draw.randrange(10) > 0:
            sign = b"// " if suffix == ".cu" else b"# "
            content += b"\n" + sign + student.encode() + b"\n"
        files[f"{lab}/{exercise}{suffix}"] = content
    home = folder / student
    home.mkdir(parents=True)
    if number % 50 == 49:  # hands in nothing
        return
    if number % 20 == 19:
        with zipfile.ZipFile(home / "work.zip", "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return
    for name, content in files.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_bytes(content)


def make(folder, students, seed, labs=()):
    all_exercises = list(exercises(labs))
    names = [f"student{i:03}" for i in range(students)]
    for number, student in enumerate(names):
        write_student(folder, student, number, random.Random(f"{seed} {student}"), all_exercises)
    (folder / "roster.csv").write_text("student,name\n" + "".join(f"{n},Name {n}\n" for n in names))
    (folder / "class.toml").write_text('roster = "roster.csv"\n')
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--labs", nargs="*", default=())
    options = parser.parse_args()
    make(options.folder, options.students, options.seed, options.labs)


if __name__ == "__main__":
    main()
