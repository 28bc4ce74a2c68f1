# SPDX-License-Identifier: Apache-2.0
"""Assigns work to students: students who are not in the roster, keys that a later roster changes, the actions
in `class status`, the text of `class explain`, and work of groups.

One submission under the name of a group or of one member counts for each member. Canvas's content_zipper.rb names
files by the group's name in small letters and the id of one member, who represents the group. Moodle's
downloader.php uses the group's name and its id, or "Default group" without an id for students without a group.
"""

import json
import os
import unittest

from class_case import ClassCase
from messy_work import zipped

ONE = 'exercises = ["coalescing/copy"]\n'
ROSTER = ONE + 'roster = "roster.csv"\n'
BY = ("--by", "eve", "--why", "asked her")


class PeopleTest(ClassCase):
    def hand_in(self, student, text=None, name="coalescing/copy.cu"):
        self.write(f"{student}/{name}", self.skeleton if text is None else text)

    def points(self, exercise="copy"):
        return {row["student"]: row["points"] for row in self.exported() if row["exercise"] == exercise}

    def with_roster(self, *students, head="student,name\n"):
        self.write("class.toml", ROSTER)
        self.write("roster.csv", head + "".join(student + "\n" for student in students))

    def test_work_of_a_student_who_is_not_in_the_roster_makes_no_zero(self):
        self.with_roster("ada,Ada King", "bob,Bob Ray", "cyd,Cyd Lee")
        self.hand_in("ada")
        self.hand_in("bobb", self.right)
        words = self.run_class(3)
        self.assertIn("bobb: is not in the roster", words)
        self.assertIn(f"class match {self.book} bobb bob", words)
        self.assertEqual({"ada": "0", "bob": "", "bobb": "10", "cyd": ""}, self.points())
        row = next(row for row in self.exported() if row["student"] == "bob")
        self.assertEqual(("error", "tool"), (row["verdict"], row["reason"]))
        self.assertIn("not in the roster", row["open_reason"])
        first = self.program(0, "status", self.book).splitlines()[:3]
        self.assertIn("1 student with work is not in the roster", first[0])
        self.assertEqual("  bobb: maybe bob", first[1])
        self.assertIn("bobb bob", first[2])
        page = self.folder / "page.html"
        self.program(0, "export", self.book, "--format", "html", "--out", page)
        self.assertIn("1 student with work is not in the roster", page.read_text())
        # The decision counts at once, and in every later run.
        said = self.program(0, "match", self.book, "bobb", "bob", *BY)
        self.assertIn("open, now 10 of 10 points", said)
        for _ in range(2):
            self.assertEqual({"ada": "0", "bob": "10", "cyd": "0"}, self.points())
            self.assertTrue(self.program(0, "status", self.book).startswith("Nothing needs you."))
            self.run_class(0)
        # Another decision, and then its removal.
        self.program(0, "match", self.book, "bobb", "cyd", *BY)
        self.assertEqual({"ada": "0", "bob": "0", "cyd": "10"}, self.points())
        self.program(0, "match", self.book, "bobb", "--remove")
        self.assertEqual({"ada": "0", "bob": "", "bobb": "10", "cyd": ""}, self.points())
        self.run_class(3)

    def test_a_guest_is_a_student_of_their_own(self):
        self.with_roster("ada,Ada", "bob,Bob")
        self.hand_in("ada")
        self.hand_in("test_student", self.right)
        self.run_class(3)
        self.program(0, "match", self.book, "test_student", "--guest")
        self.assertEqual({"ada": "0", "bob": "0", "test_student": "10"}, self.points())
        self.run_class(0)
        self.assertEqual({"ada": "0", "bob": "0", "test_student": "10"}, self.points())

    def test_only_exercises_that_came_are_open(self):
        self.with_roster("ada,Ada", "bob,Bob")
        self.write("class.toml", ROSTER.replace('"]', '", "bank_conflicts/predict"]'))
        self.hand_in("ada", self.answers, "bank_conflicts/predict.toml")
        self.hand_in("b", self.right)
        self.run_class(3)
        # Ada may have handed in twice under two names.
        self.assertEqual({"ada": "", "b": "10", "bob": ""}, self.points())
        self.assertEqual({"b": "0", "bob": "0"}, {s: p for s, p in self.points("predict").items() if s != "ada"})

    def test_a_stranger_without_work_needs_nobody(self):
        self.with_roster("ada,Ada", "bob,Bob")
        self.hand_in("ada")
        (self.submissions / "empty").mkdir()
        self.assertIn("empty: is not in the roster, and no work was received", self.run_class(0))
        self.assertEqual("0", self.points()["bob"])

    def test_work_that_cannot_be_read_of_a_stranger_makes_no_zero(self):
        self.with_roster("ada,Ada", "bob,Bob")
        self.hand_in("ada")
        self.write("b/copy.zip", b"PK\x03\x04 damaged")
        self.run_class(3)
        self.assertEqual({"ada": "0", "b": "", "bob": ""}, self.points())
        self.program(0, "match", self.book, "b", "bob")
        self.assertEqual({"ada": "0", "bob": ""}, self.points())
        self.assertIn("b/copy.zip", self.program(0, "explain", self.book, "bob"))

    def test_the_gradebook_has_no_zero_for_whom_it_may_be(self):
        self.write("class.toml", ROSTER)
        self.write("roster.csv", "Student,ID,SIS User ID,SIS Login ID,Section,copy (7)\n    Points Possible,,,,,10\n"
                   '"Lovelace, Ada",1,S1,ada,A,\n"Doe, Bob",2,S2,bob,A,\n')
        self.hand_in("ada")
        self.hand_in("bob.doe2", self.right)
        self.run_class(3)
        self.program(0, "export", self.book, "--format", "canvas", "--out", "canvas.csv")
        self.assertIn('"Doe, Bob",2,S2,bob,A,\n', (self.folder / "canvas.csv").read_text().replace("\r", ""))
        for page in ("moodle", "nbgrader"):
            self.program(0, "export", self.book, "--format", page, "--out", "x.csv")
            for line in (self.folder / "x.csv").read_text().splitlines():
                self.assertFalse(line.startswith("bob,") and line.rstrip().endswith(("0", "0.0")), line)
        feedback = self.folder / "feedback"
        self.program(0, "feedback", self.book, feedback)
        self.assertNotIn("bob.doe2", (feedback / "bob/feedback.txt").read_text())

    def test_a_wrong_match_is_refused_with_the_nearest_name(self):
        self.with_roster("ada,Ada", "bob,Bob")
        self.hand_in("bobb")
        self.run_class(3)
        self.assertIn("did you mean `bobb`", self.program(2, "match", self.book, "bobbb", "bob"))
        self.assertIn("did you mean `bob`", self.program(2, "match", self.book, "bobb", "bop"))
        self.assertIn(" bobb bob  # Bob\n", self.program(0, "match", self.book, "bobb"))
        self.program(2, "match", self.book, "bobb", "bob", "--guest")

    def test_decisions_follow_a_key_that_the_roster_changes(self):
        self.write("class.toml", ONE)
        for student in ("ada", "bob"):
            self.hand_in(student)
        self.run_class(0)
        self.program(0, "adjust", self.book, "ada", "coalescing/copy", "--points", "7", *BY)
        self.program(0, "adjust", self.book, "bob", "coalescing/copy", "--bonus", "2", *BY)
        # First a roster, then one with other keys; students have work or none.
        self.with_roster("S1,ada,Ada King", "S2,bob,Bob Ray", "S3,cyd,Cyd Lee", head="student,login,name\n")
        self.run_class(0)
        self.assertEqual({"S1": "7", "S2": "2", "S3": "0"}, self.points())
        self.program(0, "excuse", self.book, "S3", *BY)
        self.with_roster("1001,ada,Ada King", "1002,bob,Bob Ray", "1003,cyd,Cyd Lee", head="student,login,name\n")
        self.run_class(0)
        self.assertEqual({"1001": "7", "1002": "2", "1003": ""}, self.points())
        row = next(row for row in self.exported() if row["student"] == "1001")
        self.assertEqual(("eve", "asked her"), (row["adjusted_by"], row["adjusted_why"]))
        self.write("class.toml", ONE)
        self.run_class(0)
        self.assertEqual({"ada": "7", "bob": "2"}, {s: p for s, p in self.points().items() if s != "1003"})

    def test_a_match_follows_a_key_that_the_roster_changes(self):
        self.with_roster("S1,ada", "S2,bob", head="student,login\n")
        self.hand_in("ada")
        self.hand_in("b0b", self.right)
        self.run_class(3)
        self.program(0, "match", self.book, "b0b", "S2")
        self.with_roster("1001,ada", "1002,bob", head="student,login\n")
        self.run_class(0)
        self.assertEqual({"1001": "0", "1002": "10"}, self.points())

    def test_work_of_another_export_follows_the_key(self):
        self.write("class.toml", ONE)
        self.hand_in("ada", self.right)
        self.run_class(0)
        other = self.folder / "other"
        other.mkdir()
        (other / "roster.csv").write_text("student,login\nS1,ada\nS2,bob\n")
        (other / "class.toml").write_text(ROSTER)
        (other / "bob/coalescing").mkdir(parents=True)
        (other / "bob/coalescing/copy.cu").write_text(self.skeleton)
        self.run_class(0, submissions=other)
        self.assertEqual({"S1": "10", "S2": "0"}, self.points())

    def test_status_begins_with_what_needs_a_person(self):
        self.write("class.toml", ONE)
        self.hand_in("ada")
        self.hand_in("bob", b"PK\x03\x04 damaged", "work.zip")
        self.write("cyd/x/y.cu", "// nothing\n")
        self.run_class(3)
        lines = self.program(0, "status", self.book).splitlines()
        self.assertEqual("2 files were received and not graded:", lines[0])
        self.assertTrue(lines[1].startswith("  bob/work.zip: "), lines)
        self.assertTrue(lines[2].startswith("  cyd/x/y.cu: "), lines)
        self.assertTrue(lines[3].startswith(f"  next: warpgrade class run {self.book} {self.submissions}"), lines)
        # Users of the wrapper read the command that they have to type.
        words = self.program(0, "status", self.book, WARPGRADE_CALL="./warpgrade")
        self.assertIn("  next: ./warpgrade class run", words)

    def test_work_that_could_not_be_judged_is_first_with_its_command(self):
        self.write("class.toml", ONE)
        self.hand_in("ada")
        self.run_class(3, WARPGRADE_COMPILER="/nowhere/compiler")
        lines = self.program(0, "status", self.book).splitlines()
        self.assertEqual("1 submission could not be judged:", lines[0])
        self.assertIn("ada: coalescing/copy: ", lines[1])
        self.assertTrue(lines[2].endswith("--retry"), lines)

    def test_only_an_unknown_student_is_wrong_usage(self):
        self.with_roster("nobody1,N", "ada,Ada")
        self.hand_in("ada")
        self.assertIn("did you mean `nobody1`", self.run_class(2, "--only", "nobody"))
        self.write("class.toml", ONE)
        self.assertIn("unknown student nobody", self.run_class(2, "--only", "nobody"))
        self.run_class(0, "--only", "ada")

    def test_explain_names_every_file_time_and_deduction(self):
        self.write("class.toml", ONE + 'timezone = "Europe/Berlin"\ndeadline = "2026-11-20 23:59"\n[late]\npercent_a_day = 10\n')
        for name, text, time in (("copy.cu", self.right, 1795300000), ("copy (1).cu", self.skeleton, 1795100000)):
            path = self.write(f"ada/coalescing/{name}", text)
            os.utime(path, (time, time))
        self.write("ada/notes.pdf", "%PDF")
        self.write("ada/.DS_Store", "x")
        self.hand_in("bob")
        self.run_class(0)
        self.program(0, "adjust", self.book, "ada", "coalescing/copy", "--bonus", "1", *BY)
        words = self.program(0, "explain", self.book, "ada", "--json", "ada.json")
        for part in ("Files received: 4", "ada/notes.pdf", "unused", "ignored", "copy (1).cu",
                     "deadline: 2026-11-20 23:59:00 CET", "10 of 10 points, pass", "because it was late", "counts",
                     "does not count (policy: latest)", "bonus of 1 points: asked her (eve)"):
            self.assertIn(part, words)
        self.assertNotIn("bob", words)
        data = json.loads((self.folder / "ada.json").read_text())
        self.assertEqual("warpgrade.class_explain/1", data["schema"])
        self.assertEqual(4, len(data["files"]))
        exercise = data["exercises"][0]
        self.assertEqual([False, True], [one["counts"] for one in exercise["attempts"]])
        self.assertEqual("2026-11-20T22:59:00Z", exercise["deadline"])
        row = next(row for row in self.exported() if row["student"] == "ada")
        self.assertEqual(float(row["points"]), exercise["points"])
        self.assertIn("did you mean `ada`", self.program(2, "explain", self.book, "adaa"))

    def test_every_problem_names_student_file_and_reason(self):
        self.write("class.toml", ONE)
        self.hand_in("ada")
        self.write("ada/huge.cu", b"x" * (5 << 20))
        self.write("bob/notes.docx", "x")
        self.run_class(3)
        lines = (self.folder / "book.db.problems.txt").read_text().splitlines()
        self.assertTrue(any(line.startswith("ada/huge.cu: ") for line in lines), lines)
        self.assertTrue(any(line.startswith("bob/notes.docx: ") for line in lines), lines)
        for student, source in self.ask("SELECT student, source FROM attempt"):
            self.assertTrue(source.startswith(student), source)


GROUPS = 'exercises = ["coalescing/copy"]\nroster = "gradebook.csv"\n'
CANVAS = ("Student,ID,SIS User ID,SIS Login ID,Section,copy (7)\n    Points Possible,,,,,10\n"
          '"King, Ada",11,s11,ada,A,\n"Ray, Bob",12,s12,bob,A,\n"Lee, Cyd",13,s13,cyd,A,\n"Oz, Dan",14,s14,dan,A,\n')
CANVAS_GROUPS = ("name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id\n"
                 "Ada King,11,s11,ada,A,Team 1: Fast,901,\nBob Ray,12,s12,bob,A,Team 1: Fast,901,\n"
                 "Cyd Lee,13,s13,cyd,A,Team 2,902,\nDan Oz,14,s14,dan,A,,,\n")
MOODLE = ("Identifier,Full name,Email address,Status,Group,Grade,Maximum grade\n"
          "Participant 71,Ada King,ada@u.edu,Submitted,Team 1,,10.00\nParticipant 72,Bob Ray,bob@u.edu,Submitted,Team 1,,10.00\n"
          "Participant 73,Cyd Lee,cyd@u.edu,No submission,Team 2,,10.00\nParticipant 74,Dan Oz,dan@u.edu,Submitted,Default group,,10.00\n")


class GroupsTest(ClassCase):
    def run_export(self, files, rules, gradebook, code=0, **others):
        self.write("class.toml", GROUPS + rules)
        self.write("gradebook.csv", gradebook)
        for name, text in others.items():
            self.write(name + ".csv", text)
        return self.run_class(code, submissions=self.write("submissions.zip", zipped(files)))

    def points(self):
        return {row["student"]: row["points"] for row in self.exported()}

    def test_canvas_names_a_member_or_the_group_and_every_member_has_the_points(self):
        wanted = {"ada": "10", "bob": "10", "cyd": "0", "dan": "0"}
        rules = 'groups = "groups.csv"\n'
        # The second name is the group's, with the id of the member who represents it.
        for name in ("raybob_12_900_copy.cu", "team1fast_12_900_copy.cu", "team1fast_LATE_12_900_copy.cu"):
            self.run_export({name: self.right}, rules, CANVAS, groups=CANVAS_GROUPS)
            self.assertEqual(wanted, self.points(), name)
            self.program(0, "export", self.book, "--format", "canvas", "--out", "canvas.csv")
            text = (self.folder / "canvas.csv").read_text()
            for row in ('"King, Ada",11,s11,ada,A,10', '"Ray, Bob",12,s12,bob,A,10', '"Lee, Cyd",13,s13,cyd,A,0'):
                self.assertIn(row + "\n", text)
            words = self.program(0, "explain", self.book, "ada", "--json", "ada.json")
            self.assertIn("Group Team 1: Fast: ada, bob", words)
            self.assertIn("copy.cu", words)
            self.assertEqual(["Team 1: Fast: ada, bob"], json.loads((self.folder / "ada.json").read_text())["groups"])
            self.book.unlink()

    def test_moodle_names_the_group_and_its_worksheet_has_the_members(self):
        files = {"Team 1_55_assignsubmission_file/copy.cu": self.right,
                 "Default group_assignsubmission_file/copy.cu": self.skeleton}
        self.run_export(files, 'groups = "gradebook.csv"\n', MOODLE)
        self.assertEqual({"Ada King": "10", "Bob Ray": "10", "Cyd Lee": "0", "Dan Oz": "0"}, self.points())
        verdicts = {row["student"]: row["verdict"] for row in self.exported()}
        self.assertEqual({"Ada King": "pass", "Bob Ray": "pass", "Cyd Lee": "missing", "Dan Oz": "fail"}, verdicts)
        self.assertIn("in the submissions as Team 1", self.program(0, "explain", self.book, "Bob Ray"))

    def test_brightspace_and_a_table_of_groups(self):
        gradebook = ("OrgDefinedId,Username,Last Name,First Name,Email,copy Points Grade <Numeric MaxPoints:10>,"
                     "End-of-Line Indicator\n#1,#ada,King,Ada,a@u,,#\n#2,#bob,Ray,Bob,b@u,,#\n#3,#cyd,Lee,Cyd,c@u,,#\n")
        self.run_export({"77-777 - Group A - Nov 20, 2026 1159 PM/copy.cu": self.right},
                        '[groups]\n"Group A" = ["ada", "b@u"]\n"Group B" = ["Cyd Lee"]\n', gradebook)
        self.assertEqual({"ada": "10", "bob": "10", "cyd": "0"}, self.points())

    def test_folders_of_groups_need_no_roster(self):
        self.write("class.toml", 'exercises = ["coalescing/copy"]\n[groups]\n"team one" = ["ada", "bob"]\nred = ["cyd"]\n')
        self.write("Team One/copy.cu", self.right)
        self.write("cyd/copy.cu", self.skeleton)
        self.run_class(0)
        self.assertEqual({"ada": "10", "bob": "10", "cyd": "0"}, self.points())

    def test_the_latest_attempt_of_any_member_counts_for_all(self):
        head = "77-777 - {} - Nov {}, 2026 1159 PM/copy.cu"
        self.write("class.toml", 'exercises = ["coalescing/copy"]\n[groups]\nred = ["Ada King", "Bob Ray"]\n')
        files = {head.format("Ada King", 19): self.skeleton, head.format("Bob Ray", 20): self.right}
        self.run_class(0, submissions=self.write("submissions.zip", zipped(files)))
        self.assertEqual({"Ada King": "10", "Bob Ray": "10"}, self.points())

    def test_a_file_that_cannot_be_read_is_open_for_all_and_listed_once(self):
        words = self.run_export({"Team 1_55_assignsubmission_file/work.zip": b"PK\x03\x04 damaged"},
                                'groups = "gradebook.csv"\n', MOODLE, 3)
        self.assertIn("1 file was received and not graded", words)
        self.assertEqual({"Ada King": "", "Bob Ray": "", "Cyd Lee": "0", "Dan Oz": "0"}, self.points())
        lines = self.program(0, "status", self.book).splitlines()
        self.assertEqual("1 file was received and not graded:", lines[0])
        self.assertTrue(lines[1].startswith("  Ada King, Bob Ray: "), lines)

    def test_a_member_whom_the_roster_does_not_have_makes_no_zero(self):
        words = self.run_export({"teamx_99_1_copy.cu": self.right}, '[groups]\n"Team X" = ["ada", "bop"]\n', CANVAS, 3)
        self.assertIn("bop: is not in the roster", words)
        self.assertEqual({"ada": "10", "bop": "10", "bob": "", "cyd": "", "dan": ""}, self.points())
        self.program(0, "match", self.book, "teamx_99", "bob")
        self.program(0, "status", self.book)

    def test_a_changed_group_leaves_nothing_behind(self):
        by = ("--by", "eve", "--why", "asked")
        files = {"Team 1_55_assignsubmission_file/copy.cu": self.right}
        self.run_export(files, 'groups = "gradebook.csv"\n', MOODLE)
        self.program(0, "adjust", self.book, "Bob Ray", "coalescing/copy", "--points", "7", *by)
        self.run_export(files, 'groups = "gradebook.csv"\n', MOODLE.replace("Bob Ray,bob@u.edu,Submitted,Team 1", "Bob Ray,bob@u.edu,Submitted,Team 2"))
        self.assertEqual({"Ada King": "10", "Bob Ray": "7", "Cyd Lee": "0", "Dan Oz": "0"}, self.points())
        # The change goes with a student who leaves the course; the others keep their points.
        self.run_export(files, 'groups = "gradebook.csv"\n', "".join(line for line in MOODLE.splitlines(True) if "Bob" not in line))
        self.assertEqual("10", self.points()["Ada King"])

    def test_a_file_without_a_column_of_groups_is_refused(self):
        words = self.run_export({"team1_99_1_copy.cu": self.right}, 'groups = "gradebook.csv"\n', CANVAS, 2)
        self.assertIn("need a column `group`", words)
        self.assertIn("at least one member", self.run_export({"a": ""}, '[groups]\nred = []\n', CANVAS, 2))

    def test_gradescopes_submitters_have_the_points(self):
        metadata = ("submission_9:\n  :submitters:\n  - :name: Ada King\n    :sid: '11'\n    :email: ada@u.edu\n"
                    "  - :name: Bob Ray\n    :sid: '12'\n    :email: bob@u.edu\n  :created_at: 2026-11-20 10:00:00 +01:00\n")
        self.write("class.toml", GROUPS)
        self.write("gradebook.csv", "student,email\nada,ada@u.edu\nbob,bob@u.edu\ncyd,cyd@u.edu\n")
        files = {"a/submission_9/copy.cu": self.right, "a/submission_metadata.yml": metadata}
        self.run_class(0, submissions=self.write("submissions.zip", zipped(files)))
        self.assertEqual({"ada": "10", "bob": "10", "cyd": "0"}, self.points())


if __name__ == "__main__":
    unittest.main()
