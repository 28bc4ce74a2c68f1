# SPDX-License-Identifier: Apache-2.0
"""Makes the export of a class of 30 as a platform writes it, with every kind of mess.

    python3 tests/evidence/classes/make_export.py LAYOUT FOLDER

LAYOUT is one of LAYOUTS. The forms of names come from the platforms' own documents:
Canvas "Download Submissions" (community.canvaslms.com; NAME[_LATE]_USER_FILE_NAME), Moodle
mod/assign/locallib.php (NAME_ID_assignsubmission_file_), Blackboard "Assignment File Download"
(help.blackboard.com; ASSIGNMENT_LOGIN_attempt_TIME_NAME, and a .txt), Brightspace "Download
submissions" (USER-FOLDER - NAME - TIME), Gradescope "Export submissions" (submission_metadata.yml),
GitHub Classroom `gh classroom clone student-repos`, and nbgrader's submitted/STUDENT/ASSIGNMENT.
Each student has one kind of work; EXPECTED says what must become of it in coalescing/copy.
"""

import argparse
import io
import os
import pathlib
import subprocess
import tarfile
import unicodedata
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
LAYOUTS = ("canvas", "moodle", "blackboard", "brightspace", "gradescope", "github", "nbgrader", "folders")
NAMES = (
    "Jane Doe", "Zoë Döe", "Jürgen Müller", "Seán Ó Briain", "李明", "王小红", "山田太郎", "Иван Петров",
    "Мария Й", "أحمد علي", "김민수", "Nguyễn Văn", "Ana-Maria Popescu", "Bo", "Łukasz Żak", "Ole Ås",
    "Ines Peña", "Ida", "Tom O'Neil", "Uma", "Vic", "Will", "Xia", "Yan", "Zed", "Abe", "Ben", "Cid", "Dee", "Eli",
)
# What must become of each kind of work: a verdict, "graded" for pass or fail, or "open".
EXPECTED = {
    "right": "pass", "skeleton": "fail", "case": "pass", "numbered": "pass", "my name": "pass", "cpp": "pass",
    "main": "pass", "zip": "pass", "nested": "pass", "tar": "pass", "damaged": "open", "empty": "graded",
    "utf16": "graded", "huge": "open", "pdf": "open", "wrong name": "open", "mac": "pass", "build": "pass",
    "two": "pass",
}


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def tarred(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)  # Its time is 1970: only the archive's own may count.
            archive.addfile(about, io.BytesIO(content))
    return out.getvalue()


def work(kind, flat):
    """The files of a hand-in of that kind by name."""
    right = (ROOT / "solutions/coalescing/copy.cu").read_bytes()
    skeleton = (ROOT / "labs/coalescing/copy.cu").read_bytes()
    inner = zipped({"coalescing/copy.cu": right})
    files = {
        "right": {"copy.cu": right}, "skeleton": {"copy.cu": skeleton}, "case": {"Copy.CU": right},
        "numbered": {"copy (1).cu": right}, "my name": {"my copy.cu": right}, "cpp": {"copy.cpp": right},
        "main": {"main.cu": right}, "zip": {"work.zip": inner}, "nested": {"all.zip": zipped({"work.zip": inner})},
        "tar": {"work.tar.gz": tarred({"./coalescing/copy.cu": right})}, "damaged": {"work.zip": inner[:40]},
        "empty": {"copy.cu": b""}, "utf16": {"copy.cu": right.decode().encode("utf-16")},
        "huge": {"copy.cu": right + b" " * (5 << 20)}, "pdf": {"report.pdf": b"%PDF-1.7 report"},
        "wrong name": {"solution.cu": b"__global__ void other(int* x) {}\n"},
        "mac": {"work.zip": zipped({"copy.cu": right, "__MACOSX/._copy.cu": b"x", ".DS_Store": b"x"})},
        "build": {"copy.cu": right, "build/copy.cu": skeleton},
        "two": {"copy.cu": right, "notes.txt": b"notes", "copy_old.cu": skeleton},
    }[kind]
    return {(name.replace("/", "-") if flat else name): content for name, content in files.items()
            if not (flat and "/" in name)}


def students():
    kinds = list(EXPECTED)
    return [(name, kinds[i % len(kinds)], i) for i, name in enumerate(NAMES)]


def login(i):
    return f"user{i:02}"


def placed(layout, name, i, files):
    """The paths in the export, and the student's key in the book."""
    out = {}
    if layout == "canvas":
        short = "".join(c for c in name.lower() if c.isalnum())
        for n, (file, content) in enumerate(files.items()):
            out[f"{short}_{'LATE_' if i % 7 == 6 else ''}{1000 + i}_{5000 + 10 * i + n}_{file}"] = content
        return out, f"{short}_{1000 + i}"
    if layout == "moodle":
        return {f"{name}_{70 + i}_assignsubmission_file_/{f}": c for f, c in files.items()}, name
    if layout == "blackboard":
        head = f"Lab 1_{login(i)}_attempt_2026-11-20-23-{i:02}-12"
        out = {f"{head}_{file}": content for file, content in files.items()}
        out[head + ".txt"] = f"Name: {name} ({login(i)})\nAssignment: Lab 1\n".encode()
        return out, login(i)
    if layout == "brightspace":
        folder = f"{1000 + i}-777 - {name} - Nov 20, 2026 11{i:02} PM"
        return {f"{folder}/{f}": c for f, c in files.items()}, name
    if layout == "gradescope":
        return {f"assignment_1_export/submission_{900 + i}/{f}": c for f, c in files.items()}, login(i)
    if layout == "github":
        return {f"lab1-submissions/lab1-{login(i)}/{f}": c for f, c in files.items()}, login(i)
    if layout == "nbgrader":
        out = {f"submitted/{login(i)}/lab1/{f}": c for f, c in files.items()}
        out[f"submitted/{login(i)}/lab1/timestamp.txt"] = b"2026-11-20 23:58:12.123456 UTC\n"
        return out, login(i)
    # A Mac separates letters from their accents; the book joins them.
    folder = unicodedata.normalize("NFD", name) if i % 2 else name
    return {f"{folder}/{f}": c for f, c in files.items()}, name


def metadata():
    out = ""
    for i, name in enumerate(NAMES):
        out += f"submission_{900 + i}:\n  :submitters:\n  - :name: {name}\n    :sid: '{i}'\n"
        out += f"    :email: {login(i)}@uni.edu\n  :created_at: 2026-11-20 23:58:12.123456000 Z\n"
    return out.encode()


def make(layout, folder):
    """Writes the export below `folder`: what to name as SUBMISSIONS, and for each student's key the kind of
    work and the names of the files."""
    flat = layout in ("canvas", "blackboard")
    tree, expected = {}, {}
    for name, kind, i in students():
        files = work(kind, flat)
        paths, key = placed(layout, name, i, files)
        tree.update(paths)
        expected[key] = (kind, list(paths))
    if layout == "gradescope":
        tree["assignment_1_export/submission_metadata.yml"] = metadata()
    if layout == "brightspace":
        tree["index.html"] = b"<html></html>"
    folder.mkdir(parents=True, exist_ok=True)
    if layout in ("github", "nbgrader", "folders"):
        for path, content in tree.items():
            file = folder / "in" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        if layout == "github":
            commit(folder / "in/lab1-submissions")
        return folder / "in", expected
    export = folder / "in" / "submissions.zip"
    export.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(export, "w") as archive:
        for n, (path, content) in enumerate(tree.items()):
            archive.writestr(zipfile.ZipInfo(path, (2026, 11, 20, 12, n % 60, 0)), content)
    return export, expected


def commit(folder):
    env = {**os.environ, "GIT_COMMITTER_DATE": "2026-11-20T23:58:12Z", "GIT_AUTHOR_DATE": "2026-11-20T23:58:12Z"}
    for one in folder.iterdir():
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "work"]):
            user = ["-c", "user.name=x", "-c", "user.email=x@y"]
            subprocess.run(["git", *user, "-C", one, *words], env=env, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("layout", choices=LAYOUTS)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    print(make(options.layout, options.folder)[0])


if __name__ == "__main__":
    main()
