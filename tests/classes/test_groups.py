# SPDX-License-Identifier: Apache-2.0
"""Group work: one submission under the name of the group or of one member counts for each member.

Canvas's content_zipper.rb names files by the group's name in small letters and the id of one member, who
represents the group. Moodle's downloader.php uses the group's name and its id, or "Default group" without an id
for students without a group.
"""

import csv
import json
import unittest

from class_case import ClassCase
from messy_work import zipped

ONE = 'exercises = ["coalescing/copy"]\nroster = "gradebook.csv"\n'
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
        self.write("class.toml", ONE + rules)
        self.write("gradebook.csv", gradebook)
        for name, text in others.items():
            self.write(name + ".csv", text)
        return self.run_class(code, submissions=self.write("submissions.zip", zipped(files)))

    def points(self):
        self.program(0, "export", self.book, "--format", "csv", "--out", "out.csv")
        with (self.folder / "out.csv").open() as file:
            return {row["student"]: row["points"] for row in csv.DictReader(file)}

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
        self.program(0, "export", self.book, "--format", "csv", "--out", "out.csv")
        with (self.folder / "out.csv").open() as file:
            verdicts = {row["student"]: row["verdict"] for row in csv.DictReader(file)}
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
        self.write("class.toml", ONE)
        self.write("gradebook.csv", "student,email\nada,ada@u.edu\nbob,bob@u.edu\ncyd,cyd@u.edu\n")
        files = {"a/submission_9/copy.cu": self.right, "a/submission_metadata.yml": metadata}
        self.run_class(0, submissions=self.write("submissions.zip", zipped(files)))
        self.assertEqual({"ada": "10", "bob": "10", "cyd": "0"}, self.points())


if __name__ == "__main__":
    unittest.main()
