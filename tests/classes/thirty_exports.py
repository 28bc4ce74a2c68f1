# SPDX-License-Identifier: Apache-2.0
"""Thirty messy exports of one class, and what must become of each student's files.

    python3 tests/classes/thirty_exports.py FOLDER

writes them. The exercise is bank_conflicts/predict, whose answers are graded in a moment. An export states the
points of each student before any run: FULL for right work, 0 for what nobody can count as work or for wrong work,
and None for work that only a person can decide. A student whom it does not name must not exist.

Forms of names: Sakai's "Doe, Jane(jdoe)" (sakaiproject/sakai, assignment/impl, zipSubmissions), ILIAS's
"Doe_Jane_jdoe_12" (ILIAS-eLearning/ILIAS, class.ilExSubmission), Teams' "Submitted files/NAME/LAB/Version 2",
Autolab's "jdoe@uni.edu_3_copy.cu" (autolab/Autolab, app/models/submission.rb), Submitty's "LAB/jdoe/3" with
".submit.timestamp" (Submitty/Submitty, submissions), Blackboard's, Canvas's and Moodle's as in messy_export.py.
"""

import bz2
import dataclasses
import gzip
import io
import pathlib
import sys
import tarfile

from messy_work import ROOT, zip_of_raw_names, zipped

RIGHT = (ROOT / "solutions/bank_conflicts/predict.toml").read_bytes()
SKELETON = (ROOT / "labs/bank_conflicts/predict.toml").read_bytes()
WRONG = b"# wrong\n" + SKELETON
FILE = "predict.toml"
FULL = 8
# German, Chinese, Russian, Arabic, Polish and Greek.
PEOPLE = {"jmueller": "Jürgen Müller", "xwang": "王 小红", "ipetrov": "Иван Петров", "ahmed": "أحمد علي",
          "lzak": "Łukasz Żak", "gpapa": "Γιώργος Παπαδόπουλος"}
ALL = dict.fromkeys(PEOPLE, FULL)
ROSTER = "student,name,email\n" + "".join(f"{login},{name},{login}@uni.edu\n" for login, name in PEOPLE.items())
MEBI = 1 << 20


@dataclasses.dataclass
class Export:
    name: str
    files: object  # Path to bytes for a folder; bytes for an archive.
    points: dict  # By the student's key in the book.
    code: int = 0  # The exit code of `class run`.
    archive: str = "class.zip"
    roster: str = ""
    rules: str = ""
    words: tuple = ()  # That the run must print.
    received: tuple = ()  # Ends of paths that the book must have.
    next_is: int | None = None  # Number of the printed command that repairs the call.

    def write(self, folder):
        """Writes the export; returns SUBMISSIONS."""
        home = folder / "in"
        home.mkdir(parents=True)
        rules = 'exercises = ["bank_conflicts/predict"]\n' + self.rules
        if self.roster:
            (folder / "roster.csv").write_text(self.roster)
            rules = 'roster = "roster.csv"\n' + rules
        (folder / "class.toml").write_text(rules)
        if isinstance(self.files, bytes):
            (home / self.archive).write_bytes(self.files)
            (home / "class.toml").write_text(rules.replace('"roster.csv"', '"../roster.csv"'))
            return home / self.archive
        for path, content in self.files.items():
            file = home / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        return home


def mac(files):
    """A zip file as Finder writes it."""
    folders = {path.split("/")[0] for path in files}
    copies = {f"__MACOSX/{path.rpartition('/')[0]}/._{path.rpartition('/')[2]}": b"\0\5\x16\7" for path in files}
    return zipped({**files, **{f"{folder}/.DS_Store": b"\0" for folder in folders}, **copies})


def tar_gz(name, content):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        about = tarfile.TarInfo(name)
        about.size = len(content)
        archive.addfile(about, io.BytesIO(content))
    return out.getvalue()


def each(form, content=RIGHT):
    """A file for each student: `form` gets login, name, first, last and number."""
    out = {}
    for number, (login, name) in enumerate(PEOPLE.items()):
        first, _, last = name.rpartition(" ")
        out[form.format(login=login, name=name, first=first, last=last, number=70 + number)] = content
    return out


def raw(names, encoding, form="{}_{}_assignsubmission_file_/predict.toml"):
    """A zip file whose names are in a code page, and its worksheet of Moodle."""
    files = [(form.format(name, 70 + i).encode(encoding), RIGHT) for i, name in enumerate(names)]
    sheet = "Identifier,Full name,Email address\n"
    sheet += "".join(f"Participant {70 + i},{name},s{i}@uni.edu\n" for i, name in enumerate(names))
    return {"files": zip_of_raw_names(files), "points": dict.fromkeys(names, FULL), "roster": sheet}


def blackboard(*students):
    return zipped({f"{title}_{student}_attempt_2026-11-20-23-58-1{i}_predict.toml": content
                   for i, (title, student, content) in enumerate(students)})


LEE = "student,name\nanna_lee,Anna Lee\nlee,Bo Lee\nbob,Bob Ek\n"
VENV = {f"env/lib/python3.11/site-packages/pkg{i}/__init__.py": b"" for i in range(400)}
LIBRARY = {"work/lib/libcuda_toy.so": bytes(24 * MEBI), FILE: RIGHT, "report.pdf": bytes(2 * MEBI)}


def levels():
    lab = each("Lab 1/{login}/predict.toml")
    yield Export("finder", mac(lab), ALL)
    yield Export("explorer", zip_of_raw_names([(f"Lab 1\\{name}\\predict.toml".encode("cp850"), RIGHT)
                                               for name in ("Jürgen Müller", "Søren Ålund")]),
                 {"Jürgen Müller": FULL, "Søren Ålund": FULL})
    sakai = each("Lab 1/{last}, {first}({login})/Submission attachment(s)/predict.toml")
    sakai |= each("Lab 1/{last}, {first}({login})/timestamp.txt", b"20261120235800000")
    sakai |= each("Lab 1/{last}, {first}({login})/Feedback Attachment(s)/predict.toml", WRONG)
    yield Export("sakai", zipped({**sakai, "Lab 1/grades.csv": b"x"}), ALL, roster=ROSTER)
    teams = each("Submitted files/{name}/Lab 1/Version 10/predict.toml")
    teams |= each("Submitted files/{name}/Lab 1/Version 2/predict.toml", WRONG)
    teams |= each("Submitted files/{name}/Lab 1/Version 9/predict.toml", SKELETON)
    teams |= each("Working files/{name}/Lab 1/predict.toml", WRONG)
    yield Export("teams", zipped(teams), dict.fromkeys(PEOPLE.values(), FULL))
    ilias = each("Lab 1/Abgaben/{last}_{first}_{login}_{number}/predict.toml")
    yield Export("ilias", zipped(ilias), ALL, roster=ROSTER)
    yield Export("google drive", mac(each("Lab 1/{name}/predict.toml")), dict.fromkeys(PEOPLE.values(), FULL),
                 archive="Lab 1-20261120T120000Z-001.zip")
    submitty = each("lab1/{login}/10/predict.toml") | each("lab1/{login}/2/predict.toml", WRONG)
    submitty |= each("lab1/{login}/10/.submit.timestamp", b"2026-11-20 23:58:00+0100\n")
    submitty |= each("lab1/{login}/user_assignment_settings.json", b"{}")
    yield Export("submitty", zipped(submitty), ALL, words=("layout: submitty",))
    yield Export("a lone student of submitty", zipped({"lab1/ada/3/predict.toml": RIGHT, "lab1/ada/2/predict.toml": WRONG,
                                                       "lab1/ada/3/.submit.timestamp": b"2026-11-20 23:58:00+0100\n"}),
                 {"ada": FULL})
    yield Export("a lone student", mac({"Lab 1/ada/predict.toml": RIGHT}), {"ada": FULL}, next_is=0)
    yield Export("an assignment alone", {"Übungsblatt 3/predict.toml": RIGHT}, {}, 2, words=("level = 0", "Übungsblatt 3"))
    yield Export("labs alone", zipped({"bank_conflicts/predict.toml": RIGHT, "coalescing/copy.cu": RIGHT}), {}, 2,
                 words=("level = 0",))
    yield Export("a lab among students", zipped({**each("{login}/predict.toml"), "Lab 2/predict.toml": RIGHT}), ALL, 3,
                 words=("Lab 2",))
    yield Export("archives without a roster", zipped(each("Woche/{login}.zip", zipped({FILE: RIGHT}))), ALL, next_is=1)
    yield Export("a tar.gz of a zip", tar_gz("class.zip", mac(lab)), ALL, archive="class.tar.gz")
    sections = {f"Section {i % 2}/{login}/predict.toml": RIGHT for i, login in enumerate(PEOPLE)}
    yield Export("sections", zipped({**sections, "Section 1/guest/predict.toml": RIGHT}),
                 {**ALL, "guest": FULL}, 3, roster=ROSTER, words=("guest: is not in the roster",))
    yield Export("sections without a roster", zipped(sections), ALL, words=("level = 1",), next_is=0)
    yield Export("archives in a folder", zipped(each("Lab 1/{login}.zip", zipped({FILE: RIGHT}))), ALL, roster=ROSTER)
    yield Export("a folder of archives", {f"{login}.zip": zipped({FILE: RIGHT}) for login in PEOPLE}, ALL, roster=ROSTER)
    yield Export("an archive in a folder", {"export/class.zip": zipped(each("{login}/predict.toml"))}, {}, 2,
                 words=("it is not clear", "unpack"))
    strange = each("Group A/{login}x/predict.toml") | each("Group B/{login}y/predict.toml")
    yield Export("nobody of the roster", zipped(strange), {}, 2, roster=ROSTER, words=("level = 1", "level = 0"))


def attempts():
    many = {f"{login}_{number}_predict.toml": RIGHT if number == 10 else WRONG if number == 2 else SKELETON
            for number in (10, 2, 1) for login in PEOPLE}
    yield Export("autolab", zipped(many), ALL, words=("layout: autolab",))
    yield Export("autolab with addresses", zipped({path.replace("_", "@uni.edu_", 1): content
                                                   for path, content in many.items()}), ALL, roster=ROSTER)
    yield Export("a rule with attempts", zipped({f"try{n}/{login}-{FILE}": RIGHT if n == 10 else WRONG
                                                 for n in (10, 9) for login in PEOPLE}), ALL,
                 rules="name = '^try(?<attempt>\\d+)/(?<student>\\w+)-(?<exercise>\\w+)\\.toml$'\n")
    ties = each("{login}/predict.toml") | {"ahmed/predict.toml": RIGHT}
    del ties["lzak/predict.toml"], ties["xwang/predict.toml"]
    ties |= {"lzak/a/predict.toml": WRONG, "lzak/b/predict.toml": RIGHT}
    ties |= {"xwang/a/predict.toml": RIGHT, "xwang/b/predict.toml": RIGHT}  # The same content.
    yield Export("nothing orders two files", zipped(ties), {**ALL, "lzak": None}, 3,
                 words=("nothing says which is the latest",))
    untouched = {"jmueller/predict.toml": SKELETON, "jmueller/predict_v2.toml": RIGHT,
                 "xwang/predict.toml": SKELETON, "xwang/final.zip": zipped({"final/predict.toml": RIGHT}),
                 "ahmed/predict.toml": SKELETON, "ahmed/final.zip": b"no zip",
                 "lzak/predict.toml": SKELETON, "gpapa/predict.toml": RIGHT, "gpapa/old/predict.toml": SKELETON}
    yield Export("skeletons beside work", zipped(untouched),
                 {"jmueller": None, "xwang": None, "ahmed": None, "lzak": 0, "gpapa": FULL}, 3,
                 words=("predict_v2.toml", "untouched skeleton"))


def people():
    yield Export("blackboard without receipts", blackboard(("Lab 1", "anna_lee", RIGHT), ("Lab 1", "lee", WRONG),
                                                           ("Lab 1", "bob", RIGHT)),
                 {"anna_lee": FULL, "lee": 0, "bob": FULL}, roster=LEE)
    yield Export("blackboard with two assignments", blackboard(("Lab 1", "anna_lee", RIGHT), ("Lab_2", "bob", RIGHT)),
                 {"anna_lee": None, "lee": None, "bob": FULL}, 3, roster=LEE, words=("`anna_lee` or `lee`",))
    sheet = "Identifier,Full name\nParticipant 71,Tom O'Neil\nParticipant 72,Zoë D'Arc\n"
    yield Export("moodle drops signs", zipped({"Tom ONeil_71_assignsubmission_file/predict.toml": RIGHT,
                                               "Zoë DArc_72_assignsubmission_file/predict.toml": RIGHT}),
                 {"Tom O'Neil": FULL, "Zoë D'Arc": FULL}, roster=sheet)
    classroom = "identifier,github_username,github_id,name\n" + "".join(f"{n},{k},1,\n" for k, n in PEOPLE.items())
    yield Export("github's roster", each("lab1-{login}/predict.toml"), ALL, roster=classroom,
                 rules='layout = "github"\n')
    canvas = "Student,ID,SIS Login ID,Section,predict (1)\n    Points Possible,,,,10\n\"Müller, Jürgen\",70,jmueller,A,\n"
    yield Export("github's logins with signs", zipped({"lab1-jane-doe/predict.toml": RIGHT, "lab1-bob/predict.toml": RIGHT}),
                 {"jane-doe": None, "doe": None, "bob": FULL}, 3, roster="student\njane-doe\ndoe\nbob\n",
                 rules='layout = "github"\n', words=("`jane-doe` or `doe`",))
    marks = {f"Lab/\u200f{PEOPLE['ahmed']}\u200e/predict.toml": RIGHT, "Lab/王\u3000小红/predict.toml": RIGHT,
             "Lab/Jürgen\u00a0Müller/predict.toml": RIGHT, "Lab/LZak /predict.toml": SKELETON, "Lab/lzak/predict.toml": RIGHT}
    yield Export("marks, spaces and capitals", zipped(marks),
                 {"ahmed": FULL, "xwang": FULL, "jmueller": FULL, "lzak": None}, 3, roster=ROSTER)
    canvas = "Student,ID,SIS Login ID,Section,predict (1)\n    Points Possible,,,,10\n\"Müller, Jürgen\",70,jmueller,A,\n"
    yield Export("canvas without names", zipped({"anon_Ab3dE_5_predict.toml": RIGHT}), {"jmueller": None, "anon_Ab3dE": FULL}, 3,
                 roster=canvas, words=("anon_Ab3dE",))
    yield Export("canvas's test student", zipped({"müllerjürgen_70_5_predict.toml": RIGHT,
                                                  "studenttest_99_6_predict.toml": WRONG}),
                 {"jmueller": FULL}, roster=canvas + '"Student, Test",99,test,A,\n')
    yield Export("cp852", **raw(["Łukasz Żak", "Jürgen Müller", "Zoë Čapek"], "cp852", "{}_{}_assignsubmission_file/predict.toml"))
    yield Export("cp1250", **raw(["Łukasz Żak", "Jiří Dvořák"], "cp1250"))
    yield Export("cp857", **raw(["Ayşe Yıldız", "Gül Öztürk"], "cp857"))
    yield Export("cp737", **raw(["Γιώργος Παππάς", "Ελένη"], "cp737"))
    yield Export("cp1251", **raw(["Иван Петров", "Юлия Щукина"], "cp1251"))


def files():
    texts = {"jmueller": RIGHT.decode().encode("utf-16"), "xwang": b"\n", "ipetrov": b"{\\rtf1 answers}",
             "ahmed": b"<!DOCTYPE html><html>", "lzak": b"version https://git-lfs.github.com/spec/v1\n",
             "gpapa": zipped({"word/document.xml": b"<w/>"})}
    yield Export("no source text", zipped({f"{login}/predict.toml": text for login, text in texts.items()}),
                 {**dict.fromkeys(PEOPLE), "jmueller": FULL}, 3, words=("Git LFS", "RTF", "HTML", "no text"))
    packed = {"jmueller/predict.toml.gz": gzip.compress(RIGHT), "xwang/predict.toml.bz2": bz2.compress(RIGHT),
              "lzak/predict.toml": RIGHT, "lzak/~$predict.toml": b"Lukasz", "gpapa/~$predict.toml": b"G"}
    yield Export("packed and locked", zipped(packed), {"jmueller": FULL, "xwang": FULL, "lzak": FULL, "gpapa": None}, 3)
    heavy = zipped({**VENV, **LIBRARY, **{f"work/{i}.npy": b"" for i in range(2000)}})
    yield Export("environments and reports", zipped(each("{login}/work.zip", heavy)), ALL,
                 received=("site-packages/", "report.pdf", "libcuda_toy.so"))
    reports = {f"s{i:02}/{name}": content for i in range(40)
               for name, content in {FILE: RIGHT, "report.pdf": bytes(5 * MEBI)}.items()}
    yield Export("limits are per student", zipped(reports), {f"s{i:02}": FULL for i in range(40)})
    yield Export("no layout fits", zipped({"a.toml": RIGHT, "b.toml": RIGHT}), dict.fromkeys(PEOPLE), 3, roster=ROSTER,
                 words=("guessed: 0 of 2 files fit",))
    mixed = zipped({"abgabe/predict.toml": RIGHT.decode().encode("utf-16-le"), "__MACOSX/abgabe/._predict.toml": b"x"})
    names = [("Jürgen Müller", 70), ("Łukasz Żak", 71), ("王 小红", 72)]
    yield Export("all at once", mac({f"Lab 1/{name}_{n}_assignsubmission_file_/Abgabe (1).zip": mixed for name, n in names}),
                 {name: FULL for name, _ in names}, archive="class.zip",
                 roster="Identifier,Full name\n" + "".join(f"Participant {n},{name}\n" for name, n in names))


def exports():
    return [*levels(), *attempts(), *people(), *files()]


def main():
    for export in exports():
        print(export.write(pathlib.Path(sys.argv[1]) / export.name))


if __name__ == "__main__":
    main()
