# SPDX-License-Identifier: Apache-2.0
"""Which exercises `course` grades in full after a change. Arguments: none."""
import copy
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from changed_exercises import changed_exercises, exercise_of  # noqa: E402

COURSE = {
    "gates.toml": {
        "loads": {"min": 28, "guards": ["sectors"], "meaning": "Bytes used."},
        "sectors": {"max": 2},
        "stores": {"like": "loads"},
        "speed": {"min": 0.3},
    },
    "copies/grader.toml": {
        "title": "Copies",
        "cases": {"small": {"n": 1}, "large": {"n": 2}},
        "exercise": [
            {"id": "copy", "cases": ["small"], "gates": [{"use": "loads", "points": 3}], "hints": ["Think."]},
            {"id": "copy_fast", "like": "copy", "cases": ["large"]},
            {"id": "turn", "cases": ["large", {"name": "one", "n": 3}], "gates": [{"use": "speed"}]},
        ],
    },
    "sums/grader.toml": {"exercise": [{"id": "sum", "cases": [{"name": "a", "n": 4}], "gates": [{"use": "stores"}]}]},
}
COPIES = {("copies", "copy"), ("copies", "copy_fast"), ("copies", "turn")}
SUMS = {("sums", "sum")}


def after(change):
    """The changed exercises if `change` edits the course."""
    now = copy.deepcopy(COURSE)
    change(now)
    paths = [f"labs/{name}" for name in now if now[name] != COURSE.get(name)]
    return changed_exercises(paths, COURSE, now)


class ChangedExercises(unittest.TestCase):
    def exercise(self, course, at):
        return course["copies/grader.toml"]["exercise"][at]

    def test_nothing_changed(self):
        self.assertEqual(set(), after(lambda course: None))

    def test_an_exercise_and_those_that_are_like_it(self):
        change = lambda course: self.exercise(course, 0).update(kernel="copy(int n)")  # noqa: E731
        self.assertEqual({("copies", "copy"), ("copies", "copy_fast")}, after(change))

    def test_one_alone(self):
        self.assertEqual({("copies", "turn")}, after(lambda course: self.exercise(course, 2).update(ulps=2)))

    def test_points_of_a_gate(self):
        change = lambda course: self.exercise(course, 2)["gates"][0].update(points=1)  # noqa: E731
        self.assertEqual({("copies", "turn")}, after(change))

    def test_texts_decide_nothing(self):
        def change(course):
            course["copies/grader.toml"]["title"] = "All copies"
            self.exercise(course, 0)["hints"] = ["Think again."]
            self.exercise(course, 2)["gates"][0]["next"] = "Go on."
            course["gates.toml"]["loads"]["meaning"] = "Bytes that are used."

        self.assertEqual(set(), after(change))

    def test_a_set_of_cases_and_the_exercises_that_name_it(self):
        change = lambda course: course["copies/grader.toml"]["cases"]["small"].update(n=5)  # noqa: E731
        self.assertEqual({("copies", "copy"), ("copies", "copy_fast")}, after(change))

    def test_a_preset_and_all_that_use_it_inherit_from_it_or_have_it_as_guard(self):
        self.assertEqual({("copies", "turn")}, after(lambda course: course["gates.toml"]["speed"].update(min=1)))
        like = COPIES - {("copies", "turn")} | SUMS
        self.assertEqual(like, after(lambda course: course["gates.toml"]["sectors"].update(max=3)))
        self.assertEqual(SUMS, after(lambda course: course["gates.toml"]["stores"].update(min=3)))
        self.assertEqual(like, after(lambda course: course["gates.toml"].pop("sectors")))

    def test_a_new_preset_that_nobody_uses(self):
        self.assertEqual(set(), after(lambda course: course["gates.toml"].update(new={"min": 1})))

    def test_a_new_lab(self):
        new = {"exercise": [{"id": "first"}]}
        self.assertEqual({("new", "first")}, after(lambda course: course.update({"new/grader.toml": new})))

    def test_what_a_lab_shares(self):
        for path in ("labs/copies/reference.cu", "labs/copies/include/copies.cuh", "labs/copies/include/copy.cuh"):
            self.assertEqual(COPIES, changed_exercises([path], COURSE, COURSE), path)

    def test_files_that_are_compared_at_each_run(self):
        paths = ["labs/copies/copy.cu", "solutions/copies/turn.cu", "labs/sums/skeletons.toml",
                 "solutions/copies/wrong/copy_twice.cu", "solutions/copies/further/copies.cu"]
        self.assertEqual(set(), changed_exercises(paths, COURSE, COURSE))

    def test_a_file_of_all_labs(self):
        self.assertEqual(COPIES | SUMS, changed_exercises(["labs/all.cuh"], COURSE, COURSE))

    def test_the_exercise_of_a_wrong_file_has_the_longest_id(self):
        of = lambda name: exercise_of(pathlib.PurePath(name), ["copy", "copy_fast", "turn"])  # noqa: E731
        self.assertEqual("copy_fast", of("copy_fast_twice.cu"))
        self.assertEqual("copy", of("copy_faster.cu"))
        self.assertIsNone(of("copyist.cu"))


if __name__ == "__main__":
    unittest.main()
