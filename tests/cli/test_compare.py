# SPDX-License-Identifier: Apache-2.0
"""`warpgrade profile` for several cards and for two versions of a kernel, from the outside."""

import json
import pathlib
import re
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1])]

from program_case import DOUBLE_IT, ProgramCase, main

LAUNCH = "--kernel twice --grid 8 --block 128 --arg out:f32:1024 --arg in:f32:1024:iota --arg i32:1024".split()
# Each lane loads a word of another sector.
STRIDED = DOUBLE_IT.replace("in[i]", "in[i * 8 % n]")


class Compare(ProgramCase):
    def setUp(self):
        super().setUp()
        self.write("a.cu", STRIDED)
        self.write("b.cu", DOUBLE_IT)

    def test_several_cards_are_a_table_that_agrees_with_each_profile(self):
        text = self.output(0, "profile", "b.cu", *LAUNCH, "--device", "h200,t4", "--html", "cards.html")
        page = (self.folder / "cards.html").read_text()
        for device in ("h200", "t4"):
            alone = json.loads(self.output(0, "profile", "b.cu", *LAUNCH, "--device", device, "--json", "-"))
            (row,) = re.findall(rf"^  {device} .*$", text, re.MULTILINE)
            self.assertIn(f"  {alone['time']['bound_by']}  ", row)
            self.assertIn(f"{alone['occupancy']['warps_per_sm']} warps, limited by {alone['occupancy']['limited_by']}", row)
            self.assertIn(f">{device}</th>", page)

    def test_all_cards_have_a_row_and_one_that_cannot_launch_has_its_reason(self):
        large = [*LAUNCH[:2], "--grid", "1", "--block", "1024", *LAUNCH[6:]]
        text = self.output(0, "profile", "b.cu", *large, "--device", "all")
        self.assertRegex(text, r"\n  g80 +- +.*\b512\b")
        names = re.findall(r"^(\w+)  ", self.output(0, "devices"), re.MULTILINE)[1:]
        self.assertEqual(sorted(names), sorted(re.findall(r"^  (\w+)  ", text, re.MULTILINE)[1:]))
        self.output(2, "profile", "b.cu", *large, "--device", "g80,gtx280")

    def test_a_fault_is_shown_and_decides_the_exit_code(self):
        short = [word.replace("out:f32:1024", "out:f32:512") for word in LAUNCH]
        text = self.output(1, "profile", "b.cu", *short, "--device", "h200,t4")
        self.assertIn("out_of_bounds", text)
        self.assertRegex(text, r"\n  t4 +- +out_of_bounds")
        self.assertIn("out_of_bounds", self.output(1, "profile", "a.cu", "b.cu", *short))

    def test_two_versions_are_side_by_side_with_their_lines(self):
        fresh = self.output(0, "profile", "a.cu", "b.cu", *LAUNCH, "--html", "both.html")
        self.output(0, "profile", "a.cu", *LAUNCH, "--json", "a.json")
        earlier = self.output(0, "profile", "b.cu", *LAUNCH, "--compare", "a.json")
        for text in (fresh, earlier):
            # A warp's 32 words are in 32 sectors, or in 4.
            self.assertRegex(text, r"\n +3 +3  global load +32 +32 +32 +4  if .*\[i \* 8 % n\]; -> if .*in\[i\];\n")
            self.assertRegex(text, r"l1tex__t_sectors_pipe_lsu_mem_global_op_ld\.sum +1,024 +128 +0\.12\n")
        self.assertEqual(fresh.split("\n", 1)[1].rsplit("page", 1)[0], earlier.split("\n", 1)[1])
        page = (self.folder / "both.html").read_text()
        self.assertIn("<th scope=\"row\">l1tex__t_sectors", re.sub(r"</?a[^>]*>", "", page))

    def test_what_cannot_be_combined_is_refused(self):
        self.write("x.json", "{}")
        for more, text in (
            (["--device", "h200,t4", "--dump", "0=x"], "--dump excludes several devices"),
            (["b.cu", "--device", "h200,t4"], "several devices exclude a comparison"),
            (["b.cu", "--compare", "x.json"], "excludes"),
            (["--compare", "x.json"], "x.json: not a report"),
            (["--device", "h200,"], "unknown device ''"),
        ):
            with self.subTest(more):
                self.assertIn(text, self.output(2, "profile", "a.cu", *more[:1 if more[0] == "b.cu" else 0], *LAUNCH,
                                                *more[1 if more[0] == "b.cu" else 0:]))


if __name__ == "__main__":
    main()
