# SPDX-License-Identifier: Apache-2.0
"""Makes a class's export as a platform writes it, with every kind of mess (messy_work.py).

    python3 tests/classes/messy_export.py LAYOUT FOLDER [--seed N]

It writes the submissions, the platform's gradebook and a class.toml. The forms of names, columns and
times come from the platforms' own programs and documents:

  canvas       github.com/instructure/canvas-lms, lib/content_zipper.rb (get_filename,
               add_upload_submission) and lib/gradebook_exporter.rb: the time of an entry is that of
               the export; the name has no spaces, and keeps letters of any script and "_"
  moodle       github.com/moodle/moodle, mod/assign/classes/downloader.php,
               files/classes/local/archive_writer/zip_writer.php (entries have the time at which the
               export was written) and mod/assign/feedback/offline (the grading worksheet)
  blackboard   the receipts and names that github.com/kwurst/bb-file-cleanup and
               github.com/timdrysdale/gradex-cli read; columns as github.com/nbeaver/offline-grades-upload
  brightspace  community.d2l.com/brightspace/kb/articles/3538-importing-grades
  gradescope   submission_metadata.yml: `:submitters:` with `:name:`, `:sid:`, `:email:`; `:created_at:`
  github       github.com/github/gh-classroom, cmd/gh-classroom/clone/student-repos
  nbgrader     github.com/jupyter/nbgrader, nbgrader/exchange/default/submit.py (timestamp.txt,
               submission_secret.txt)
"""

import argparse
import csv
import dataclasses
import datetime
import io
import os
import pathlib
import random
import re
import subprocess
import unicodedata
import zipfile
import zoneinfo

from messy_work import KINDS, NAMES, zipped

LAYOUTS = ("canvas", "moodle", "blackboard", "brightspace", "gradescope", "github", "nbgrader", "folders")
ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
RULES = """exercises = ["coalescing/copy"]
timezone = "Europe/Berlin"
deadline = 2026-11-20T23:59:00
roster = "gradebook.csv"
[late]
percent_a_day = 10
[columns]
"coalescing/copy" = "{title}"
"""
RECEIPT = """Name: {} ({})
Assignment: Lab 1
Date Submitted: {} o'clock CET
Current Mark: Needs Marking

Submission Field:
There is no student submission text data for this assignment.

Comments:
There are no student comments for this assignment.

Files:
\tOriginal filename: copy.cu
"""
FLAT = ("canvas", "blackboard")  # Their exports have no folders.
NO_TIMES = ("canvas", "moodle")  # Their exports contain no time of submission.


@dataclasses.dataclass
class Student:
    number: int
    name: str
    kind: str
    key: str = ""  # The key in the book.
    files: list = dataclasses.field(default_factory=list)  # Files that the book must name.

    @property
    def login(self):
        return f"user_{self.number:02}"

    @property
    def id(self):
        return 1000 + self.number

    @property
    def email(self):
        return f"{self.login}@uni.edu"

    @property
    def parts(self):
        first, _, last = self.name.rpartition(" ")
        return first, last

    @property
    def work(self):
        return KINDS[self.kind]

    @property
    def time(self):
        """When the work was handed in, in the zone of the class."""
        if self.work.is_late:
            return datetime.datetime(2026, 11, 22, 10, 0, 12, tzinfo=ZONE)
        return datetime.datetime(2026, 11, 20, 22, self.number % 59, 12, tzinfo=ZONE)

    def points(self, layout):
        """Points out of 10; None if a person must decide, and `...` for any grade."""
        if self.work.outcome == "open":
            return None
        if self.work.outcome == "missing":
            return 0
        if self.work.outcome == "pass":
            return 8 if self.work.is_late and layout not in NO_TIMES else 10
        return ...  # Wrong work gets some grade.


class Export:
    def __init__(self, layout, seed=38):
        draw = random.Random(f"{layout} {seed}")
        kinds = list(KINDS)
        draw.shuffle(kinds)
        self.layout = layout
        self.tree = {}  # Path to bytes and time.
        self.students = [Student(i, NAMES[i], kind) for i, kind in enumerate(kinds)]
        for student in self.students:
            self.place(student)

    def place(self, student):
        student.key = self.key(student)
        work = student.work
        if not work.files:
            return
        files = work.files
        if self.layout in FLAT and any("/" in name for name in files):
            student.files += [name for name in files] + ["handed_in.zip"]
            files = {"handed_in.zip": zipped(files)}
        student.files += [*files, *work.names]
        before = student.time - datetime.timedelta(days=1)
        if work.earlier:
            self.earlier(student, work.earlier, before)
        for name, content in files.items():
            self.put(student, name, content, student.time)
        self.add_platforms_own(student, student.time)

    def key(self, student):
        has_login = self.layout in ("canvas", "blackboard", "brightspace", "gradescope", "github", "nbgrader")
        return student.login if has_login else student.name

    def earlier(self, student, files, when):
        for name, content in files.items():
            if self.layout in ("blackboard", "brightspace"):
                self.put(student, name, content, when)
                self.add_platforms_own(student, when)
            elif self.layout == "folders":
                self.put(student, "first try/" + name, content, when)
            elif self.layout == "canvas":  # Canvas numbers the later file: see the next call of put().
                self.tree[self.path(student, name, when)] = (content, when)

    def put(self, student, name, content, when):
        if self.layout == "canvas" and student.work.earlier:
            stem, dot, suffix = name.rpartition(".")
            name = f"{stem}-1{dot}{suffix}"
        self.tree[self.path(student, name, when)] = (content, when)

    def path(self, student, name, when):
        layout = self.layout
        if layout == "canvas":
            # "Doe, Jane" in lower case, with only letters, digits and "_".
            first, last = student.parts
            short = re.sub(r"[^\w]", "", f"{last}{first}".lower()) + ("_x" if student.number % 9 == 0 else "")
            late = "LATE_" if student.work.is_late else ""
            return f"{short}_{late}{student.id}_{5000 + len(self.tree)}_{re.sub(r'[:*?<>|]', '_', name)}"
        if layout == "moodle":
            # A site of Moodle before 4 writes "file_".
            end = "_" if student.number % 2 else ""
            return f"{student.name}_{70 + student.number}_assignsubmission_file{end}/{name}"
        if layout == "blackboard":
            return f"Lab 1_{student.login}_attempt_{when:%Y-%m-%d-%H-%M-%S}_{name}"
        if layout == "brightspace":
            clock = f"{when:%b} {when.day}, {when:%Y} {int(f'{when:%I}')}{when:%M %p}"
            return f"{student.id}-777 - {student.name} - {clock}/{name}"
        if layout == "gradescope":
            return f"assignment_1_export/submission_{900 + student.number}/{name}"
        if layout == "github":
            return f"lab1-submissions/lab1-{student.login}/{name}"
        if layout == "nbgrader":
            return f"submitted/{student.login}/lab1/{name}"
        # A Mac separates letters from their accents; the book joins them.
        form = "NFD" if student.number % 2 else "NFC"
        return f"{unicodedata.normalize(form, student.name)}/{name}"

    def add_platforms_own(self, student, when):
        if self.layout == "blackboard":
            receipt = RECEIPT.format(student.name, student.login, f"{when:%A, %d %B %Y %H:%M:%S}")
            path = f"Lab 1_{student.login}_attempt_{when:%Y-%m-%d-%H-%M-%S}.txt"
            self.tree[path] = (receipt.encode(), when)
        if self.layout == "nbgrader":
            stamp = when.astimezone(datetime.UTC)
            self.tree[f"submitted/{student.login}/lab1/timestamp.txt"] = (f"{stamp:%Y-%m-%d %H:%M:%S}.123456 UTC".encode(), when)
            self.tree[f"submitted/{student.login}/lab1/submission_secret.txt"] = (b"0123456789abcdef", when)

    def metadata(self):
        out = ""
        for one in self.students:
            if one.work.files:
                out += (f"submission_{900 + one.number}:\n  :submitters:\n  - :name: {one.name}\n    :sid: '{one.id}'\n"
                        f"    :email: {one.email}\n  :created_at: {one.time:%Y-%m-%d %H:%M:%S}.123456000 +01:00\n"
                        "  :score: \n  :history: []\n")
        return out.encode()

    @property
    def title(self):
        return {"canvas": "copy (88123)", "moodle": "Grade", "blackboard": "copy [Total Pts: 10 Score] |664617",
                "brightspace": "copy Points Grade <Numeric MaxPoints:10>"}.get(self.layout, "copy")

    def gradebook(self):
        """The platform's gradebook before it is filled in."""
        rows, layout = [], self.layout
        if layout == "canvas":
            rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", self.title, "Current Score"],
                    ["", "", "", "", "", "Manual Posting", ""],
                    ["    Points Possible", "", "", "", "", "10", "(read only)"]]
        elif layout == "moodle":
            rows = [["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum grade",
                     "Grade can be changed", "Last modified (submission)", "Last modified (grade)", "Feedback comments"]]
        elif layout == "blackboard":
            rows = [["Last Name", "First Name", "Username", "Student ID", "Last Access", "Availability", self.title]]
        elif layout == "brightspace":
            rows = [["OrgDefinedId", "Username", "Last Name", "First Name", "Email", self.title, "End-of-Line Indicator"]]
        else:
            rows = [["student", "name", "email", "copy"]]
        for one in self.students:
            first, last = one.parts
            rows.append({
                "canvas": [f"{last}, {first}" if first else last, one.id, f"sis{one.id}", one.login, "Lab A", "", ""],
                "moodle": [f"Participant {70 + one.number}", one.name, one.email, "Submitted", "", "10.00", "Yes", "-", "-", ""],
                "blackboard": [last, first, one.login, f"0{one.id}", "2026-11-19 20:20:47", "Yes", ""],
                "brightspace": [f"#{one.id}", f"#{one.login}", last, first, one.email, "", "#"],
            }.get(layout, [one.key, one.name, one.email, ""]))
        out = io.StringIO()
        csv.writer(out, delimiter="\t" if layout == "blackboard" else ",").writerows(rows)
        if layout == "blackboard":  # UTF-16 with tabs, named .xls.
            return out.getvalue().encode("utf-16")
        return ("\ufeff" if layout in ("canvas", "moodle") else "").encode() + out.getvalue().encode()

    def write(self, folder):
        """Writes everything below `folder`; returns the path to pass as SUBMISSIONS."""
        home = folder / "in"
        home.mkdir(parents=True)
        (folder / "gradebook.csv").write_bytes(self.gradebook())
        (folder / "class.toml").write_text(RULES.format(title=self.title))
        if self.layout == "gradescope":
            self.tree["assignment_1_export/submission_metadata.yml"] = (self.metadata(), None)
        if self.layout == "brightspace":
            self.tree["index.html"] = (b"<html></html>", None)
        if self.layout in ("github", "nbgrader", "folders"):
            for path, (content, when) in self.tree.items():
                file = home / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
                os.utime(file, (when.timestamp(), when.timestamp()))
            if self.layout == "github":
                self.commit(home / "lab1-submissions")
            return home
        export = folder / "submissions.zip"
        with zipfile.ZipFile(export, "w") as archive:
            # All entries are stamped while the platform writes them, after the deadline.
            for n, (path, (content, _)) in enumerate(self.tree.items()):
                about = zipfile.ZipInfo(path, (2026, 11, 25, 12, n // 60, n % 60))
                archive.writestr(about, content, zipfile.ZIP_DEFLATED)
        return export

    def commit(self, folder):
        for one in self.students:
            if one.work.files:
                when = one.time.isoformat()
                env = {**os.environ, "GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
                words = "git init -q && git add -A -f && git -c user.name=x -c user.email=x@y commit -q -m work"
                subprocess.run(words, shell=True, cwd=folder / f"lab1-{one.login}", env=env, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("layout", choices=LAYOUTS)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=38)
    options = parser.parse_args()
    print(Export(options.layout, options.seed).write(options.folder))


if __name__ == "__main__":
    main()
