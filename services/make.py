#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes what a course service wants to be given, out of this tree.

    services/make.py gradescope autograder.zip LAB/EXERCISE...
    services/make.py autolab FOLDER LAB/EXERCISE...

gradescope: the zip to upload as the autograder, with setup.sh and run_autograder in its root.
autolab: autograde-Makefile and autograde.tar, for the assessment's folder.

Both hold the grader and the labs with their secret cases, and neither solutions nor tests: do not
hand them to students. Exit code 2: wrong usage.
"""

import io
import pathlib
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SERVICES = ROOT / "services"
COURSE = (
    *("LICENSE", ".commit", "common", "grader", "handouts", "labs", "meson.build"),
    *("meson_options.txt", "subprojects", "warpgrade"),
)
OLDEST = (1980, 1, 1, 0, 0, 0)  # of a zip; the same tree makes the same file


def fail(message):
    print(f"make.py: {message}", file=sys.stderr)
    sys.exit(2)


def is_source(path):
    """Whether a file of the course goes along: nothing built, nothing that Meson has unpacked."""
    parts = path.relative_to(ROOT).parts
    unpacked = parts[0] == "subprojects" and len(parts) > 2 and parts[1] != "packagefiles"
    return path.is_file() and "__pycache__" not in parts and not unpacked


def course_files():
    """Pairs of a name in the course and the file with its content."""
    for name in COURSE:
        path = ROOT / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if is_source(file):
                yield f"course/{file.relative_to(ROOT).as_posix()}", file


def files(exercises, *more):
    """Names, contents and whether they can be run, of all that goes into an archive."""
    yield "exercises", "".join(f"{one}\n" for one in exercises).encode(), False
    for file in (SERVICES / "grade_submission", *more):
        yield file.name, file.read_bytes(), True
    for name, file in course_files():
        yield name, file.read_bytes(), bool(file.stat().st_mode & 0o100)


def make_gradescope(out, exercises):
    folder = SERVICES / "gradescope"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, runs in files(exercises, folder / "setup.sh", folder / "run_autograder"):
            entry = zipfile.ZipInfo(name, OLDEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            archive.writestr(entry, content)


def make_autolab(out, exercises):
    out.mkdir(parents=True, exist_ok=True)
    makefile = (SERVICES / "autolab/autograde-Makefile").read_bytes()
    (out / "autograde-Makefile").write_bytes(makefile)
    with tarfile.open(out / "autograde.tar", "w") as archive:
        for name, content, runs in files(exercises):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            entry.mode = 0o755 if runs else 0o644
            archive.addfile(entry, io.BytesIO(content))


def main(arguments):
    makers = {"gradescope": make_gradescope, "autolab": make_autolab}
    if len(arguments) < 3 or arguments[0] not in makers:
        fail(f"usage: {' | '.join(makers)} OUT LAB/EXERCISE...; see the head of {__file__}")
    service, out, *exercises = arguments
    for one in exercises:
        if one.count("/") != 1 or not any((ROOT / "labs").glob(f"{one}.*")):
            fail(f"unknown exercise {one}: labs/{one}.cu does not exist")
    try:
        makers[service](pathlib.Path(out), exercises)
    except OSError as error:
        print(f"make.py: {out}: cannot be written: {error.strerror}", file=sys.stderr)
        sys.exit(3)
    print(f"{out}: {len(exercises)} exercises")


if __name__ == "__main__":
    main(sys.argv[1:])
