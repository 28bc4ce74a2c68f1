# SPDX-License-Identifier: Apache-2.0
"""Checks this project's architecture, and that each rule finds what it forbids.

The first class breaks each rule once in a small tree of its own and expects the problem to be
found. The second runs the rules on the project, whose root is the first argument.
"""

import pathlib
import sys
import tempfile
import unittest

import architecture

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"


class Rules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for stage in architecture.STAGES:
            name = stage.split("/")[-1]
            self.write(f"{stage}/{name}.h", LICENCE)
            self.write(f"{stage}/meson.build", f"{name}_src = files(\n)\n")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def write_module(self, path):
        """Writes a module that its stage lists."""
        stage, name = path.rsplit("/", 1)
        self.write(path, LICENCE)
        self.write(f"{stage}/meson.build", f"src = files('{name}')\n")

    def expect(self, *fragments):
        """Expects one problem, which contains all `fragments`; none without fragments."""
        found = architecture.problems(self.root)
        self.assertEqual(1 if fragments else 0, len(found), found)
        for fragment in fragments:
            self.assertIn(fragment, found[0])

    def test_a_tree_that_keeps_the_rules_has_no_problem(self):
        self.write("common/sim/sim.h", LICENCE + '#include "common/run/run.h"\n#include <vector>\n')
        self.expect()

    def test_only_the_plan_of_a_grade_evaluates_expressions(self):
        for text in ("const auto rows = evaluate_count(rows_, variables);", "Expression rows;", "size_case(exercise);"):
            self.write("grader/grade/plan/size.h", LICENCE + text + "\n")
            self.write("grader/grade/judge/size.h", LICENCE + text + "\n")
            self.expect("grader/grade/judge/size.h:2: evaluates an expression")

    def test_a_room_has_its_namespace(self):
        self.write("grader/html/html.h", LICENCE + "namespace warpgrade::grader {\n")
        self.expect("grader/html/html.h: its names", "warpgrade::grader::html")
        self.write("grader/html/html.h", LICENCE + "namespace warpgrade::grader::html {\n")
        self.expect()

    def test_only_the_choosers_ask_for_an_opcode(self):
        questions = ("if (in.opcode == Opcode::add) {}", "case ptx::Opcode::add:")
        for question in questions:
            self.write("common/sim/exec/sum.h", f"{LICENCE}{question}\n")
            self.expect()
        for question in questions:
            self.write("common/timing/sum.h", f"{LICENCE}{question}\n")
            self.expect("common/timing/sum.h:2: asks for an opcode")

    def test_no_stage_parses_ptx_again(self):
        self.write("tests/sim/sum.h", LICENCE + "const auto module = ptx::parse(text, file);\n")
        self.expect()
        self.write("grader/cases/sum.h", LICENCE + "const auto module = ptx::parse(text, file);\n")
        self.expect("grader/cases/sum.h:2: parses PTX")

    def test_a_type_has_a_name_of_its_own_in_its_namespace(self):
        text = LICENCE + "namespace warpgrade::sim {\n\nstruct Place {\n};\n\nclass Later;\n\n}\n"
        self.write("common/sim/place.h", text)
        self.write("common/sim/places.h", text)
        self.write("common/memory/place.h", text.replace("::sim", "::memory"))
        self.expect("common/sim/places.h:4: Place", "common/sim/place.h")

    def test_a_stage_may_not_include_a_later_one(self):
        self.write("common/sim/sim.h", LICENCE + '\n#include "common/memory/memory.h"\n')
        self.expect("common/sim/sim.h:3", "common/sim includes", "common/memory comes later")

    def test_common_may_not_include_the_grader(self):
        self.write("common/base/base.h", LICENCE + '#include "grader/text/text.h"\n')
        self.expect("common/base/base.h:2", "grader/text comes later")

    def test_a_room_may_not_include_a_later_one(self):
        self.write("grader/cases/cases.h", LICENCE + '#include "grader/grade/grade.h"\n')
        self.expect("grader/cases/cases.h:2", "grader/cases includes", "grader/grade comes later")

    def test_a_stage_of_a_grade_may_not_include_a_later_one(self):
        self.write("grader/grade/plan/plan.h", LICENCE)
        self.write("grader/grade/judge/judge.h", LICENCE + '#include "grader/grade/plan/plan.h"\n')
        self.write("grader/grade/grade.h", LICENCE + '#include "grader/grade/judge/judge.h"\n')
        self.expect()
        self.write("grader/grade/plan/target.h", LICENCE + '#include "grader/grade/judge/judge.h"\n')
        self.expect("grader/grade/plan/target.h:2: plan includes", "comes later")
        self.write("grader/grade/plan/target.h", LICENCE + '#include "grader/grade/grade.h"\n')
        self.expect("grader/grade/plan/target.h:2: plan includes", "comes later")

    def test_headers_may_not_include_each_other(self):
        self.write("grader/course/a.h", LICENCE + '#include "grader/course/b.h"\n')
        self.write("grader/course/b.h", LICENCE + '#include "grader/course/c.h"\n')
        self.write("grader/course/c.h", LICENCE)
        self.expect()
        self.write("grader/course/c.h", LICENCE + '#include "grader/course/a.h"\n')
        self.expect("grader/course/a: includes itself by way of grader/course/b, grader/course/c")

    def test_a_source_counts_for_its_header_in_a_cycle(self):
        self.write("grader/course/meson.build", "course_src = files('b.cpp')\n")
        self.write("grader/course/a.h", LICENCE + '#include "grader/course/b.h"\n')
        self.write("grader/course/b.h", LICENCE)
        self.write("grader/course/b.cpp", LICENCE + '#include "grader/course/a.h"\n')
        self.expect("grader/course/a: includes itself by way of grader/course/b")

    def test_an_include_is_written_from_the_root(self):
        self.write("common/sim/sim.h", LICENCE + '#include "other.h"\n')
        self.expect("common/sim/sim.h:2", '"other.h" must be written from the root')

    def test_an_included_file_exists(self):
        self.write("common/sim/sim.h", LICENCE + '#include "common/base/none.h"\n')
        self.expect('there is no file "common/base/none.h"')

    def test_a_source_file_begins_with_its_licence(self):
        self.write("labs/a/copy.cu", "// Copies.\n" + LICENCE)
        self.expect("labs/a/copy.cu:1", "SPDX")

    def test_an_empty_file_has_no_licence(self):
        self.write("tests/a.py", "")
        self.expect("tests/a.py:1", "SPDX")

    def test_a_script_names_its_interpreter_before_its_licence(self):
        self.write("run", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n")
        self.expect()
        self.write("run", "#!/bin/sh\necho\n")
        self.expect("run:1", "SPDX")

    def test_800_lines_are_allowed_and_801_are_not(self):
        self.write("common/base/base.h", LICENCE + "\n" * 799)
        self.expect()
        self.write("common/base/base.h", LICENCE + "\n" * 800)
        self.expect("common/base/base.h: 801 lines", "split it")

    def test_a_long_file_may_say_why_in_its_head(self):
        self.write("common/base/base.h", LICENCE + "// Past 800 lines: one table.\n" + "\n" * 900)
        self.expect()
        self.write("common/base/base.h", LICENCE + "\n" * 900 + "// Past 800 lines: one table.\n")
        self.expect("common/base/base.h: 902 lines")

    def test_file_lists_are_sorted(self):
        self.write("common/base/meson.build", "a = 1\nbase_src = files(\n  'b.h',\n  'a.h',\n)\n")
        self.expect("common/base/meson.build:2", "'a.h' must not come after 'b.h'")

    def test_lists_without_a_name_are_sorted_too(self):
        self.write("common/base/meson.build", "# Isn't quoted.\nx(\n  files('b.h', 'a.h'),\n)\n")
        self.expect("common/base/meson.build:3", "'a.h' must not come after 'b.h'")

    def test_an_included_file_may_be_generated(self):
        self.write("common/sim/meson.build", "custom_target(output: 'path.h')\n")
        self.write("common/sim/sim.h", LICENCE + '#include "common/sim/path.h"\n')
        self.expect()

    def test_file_lists_name_each_file_once(self):
        self.write("common/base/meson.build", "base_src = files('a.h', 'a.h')\n")
        self.expect("'a.h' must not come after 'a.h'")

    def test_each_source_of_a_stage_is_listed(self):
        self.write("grader/report/report.cpp", LICENCE)
        self.expect("grader/report/report.cpp: not listed in any meson.build")

    def test_each_test_is_listed(self):
        self.write("tests/sim/test_warp.cpp", LICENCE)
        self.expect("tests/sim/test_warp.cpp: not listed in any meson.build")

    def test_a_source_in_a_folder_of_a_stage_is_listed_with_its_path(self):
        self.write("common/sim/exec/alu.cpp", LICENCE)
        self.expect("common/sim/exec/alu.cpp: not listed in any meson.build")
        self.write("common/sim/meson.build", "sim_src = files('exec/alu.cpp')\n")
        self.expect()

    def test_a_manifest_has_at_most_45_lines_for_each_exercise(self):
        manifest = LICENCE.replace("//", "#") + 2 * "[[exercise]]\n" + 87 * "# A line.\n"
        self.write("labs/one/grader.toml", manifest)
        self.expect()
        self.write("labs/one/grader.toml", manifest + "# A line.\n")
        self.expect("labs/one/grader.toml: 91 lines for 2 exercises; at most 45 for each")

    def test_build_folders_hidden_ones_and_golden_data_are_not_looked_at(self):
        self.write("build-debug/x.cpp", "")
        self.write(".venv/x.py", "")
        self.write("subprojects/fmt/x.h", "")
        self.write("tests/evidence/golden/x.cu", "")
        self.expect()


class Project(unittest.TestCase):
    longMessage = False
    root = pathlib.Path(__file__).resolve().parents[2]

    def test_keeps_its_architecture(self):
        found = architecture.problems(self.root)
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_has_sources_to_look_at(self):
        self.assertIn(self.root / "common/base/diagnostic.h", architecture.source_files(self.root))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Project.root = pathlib.Path(sys.argv.pop(1))
    unittest.main()
