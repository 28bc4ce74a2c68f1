# SPDX-License-Identifier: Apache-2.0
"""The operators on small sources, the draw, the table of the tree, and what run.py makes of grades."""

import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CORPUS = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(CORPUS), str(CORPUS.parent)]
import machine  # noqa: E402
import mutate  # noqa: E402
import run  # noqa: E402
from operators import OPERATORS  # noqa: E402
from tokens import Source, without_comments  # noqa: E402

KERNEL = "__global__ void k(float* out, const float* in, int width, int height) {\n%s\n}\n"


def changes(operator, body):
    """{(old, new)} that an operator makes of a kernel's body."""
    source = Source(KERNEL % body)
    found = [(source.text.startswith(old, offset), old, new)
             for offset, old, new in OPERATORS[operator](source)]
    assert all(is_there for is_there, _, _ in found)
    return {(old, new) for _, old, new in found}


class Operators(unittest.TestCase):
    def expect(self, operator, body, *expected):
        self.assertEqual(set(expected), changes(operator, body))

    def test_every_operator_has_a_test(self):
        for name in OPERATORS:
            self.assertTrue(hasattr(self, f"test_{name}"), name)

    def test_arithmetic(self):
        self.expect("arithmetic", "float* a = b + c * d; e /= f;", ("+", "-"), ("*", "+"),
                    ("/=", "*="))

    def test_comparison(self):
        self.expect("comparison", "if (a < b && f<4>(c) != d) e = static_cast<int>(g);",
                    ("<", "<="), ("&&", "||"), ("!=", "=="))

    def test_delete_statement(self):
        self.expect("delete_statement", "int a = 1; if (a) b[a] = f(a); else return; return a;",
                    ("b[a] = f(a);", ";"), ("return;", ";"))

    def test_drop_barrier(self):
        self.expect("drop_barrier", "f(a); __syncthreads(); if (a) __syncwarp(3);",
                    ("__syncthreads();", ";"), ("__syncwarp(3);", ";"))

    def test_exchange_variable(self):
        self.expect("exchange_variable", "for (unsigned i = 0; 8; ) { out[0] = i; }\nint j;",
                    ("i", "width"), ("i", "height"), ("out", "in"))
        self.expect("exchange_variable", "float4 a; ++width; const int b = 3; b + a; ++width;",
                    ("width", "height"), ("b", "width"), ("b", "height"))

    def test_exchange_xy(self):
        self.expect("exchange_xy", "a = threadIdx.x + blockDim.y + value.x;", ("x", "y"), ("y", "x"))

    def test_index(self):
        self.expect("index", "float a[4]; a[i] = in[i * 2];", ("i", "i + 1"),
                    ("i * 2", "(i * 2) + 1"))

    def test_literal(self):
        self.expect("literal", "a = 7u + 0x0f; b = 1.0f;", ("7u", "8u"), ("7u", "6u"),
                    ("0x0f", "0x10"), ("0x0f", "0xe"))

    def test_narrow_type(self):
        self.expect("narrow_type", "float sum = 0; const unsigned long long a = 1; int* p;",
                    ("float", "int"), ("unsigned long long", "unsigned"))

    def test_negate_condition(self):
        self.expect("negate_condition", "for (i = 0; i < 4; ++i) while (a) if constexpr (b) c();",
                    ("i < 4", "!(i < 4)"), ("a", "!(a)"), ("b", "!(b)"))

    def test_swap_arguments(self):
        self.expect("swap_arguments", "a = f(b, c + 1) + g(d) + h(i, j, k);",
                    ("b, c + 1", "c + 1, b"))

    def test_swap_operands(self):
        self.expect("swap_operands", "a = b[i] * 2 - c.x + d; e = (f + 1) % g(h);",
                    ("b[i] * 2 - c.x", "c.x - (b[i] * 2)"), ("(f + 1) % g(h)", "g(h) % (f + 1)"))

    def test_swap_subscripts(self):
        self.expect("swap_subscripts", "a[i][j + 1] = b[i];", ("i][j + 1", "j + 1][i"))

    def test_comments_strings_and_directives_are_left_alone(self):
        text = '#include <a/b.h>\n#pragma unroll 4\n#if 1 < 2\n#endif\n' + KERNEL % (
            '// a + 1 < b;\n/* c[1] */ asm volatile("add 1, 2;" ::: "memory");')
        for name, operator in OPERATORS.items():
            found = [new for _, _, new in operator(Source(text))]
            self.assertEqual([";"] if name == "delete_statement" else [], found, name)

    def test_the_body_of_a_macro_is_code(self):
        found = [new for _, _, new in OPERATORS["literal"](Source("#define TILE2 32\n"))]
        self.assertEqual(["33", "31"], found)

    def test_offsets_are_bytes(self):
        source = Source("// \u00e4\n".encode().decode("latin-1") + KERNEL % "a = b + c;")
        ((offset, _, _),) = OPERATORS["arithmetic"](source)
        self.assertEqual(ord("+"), source.text.encode("latin-1")[offset])


class Comments(unittest.TestCase):
    def test_go_with_the_lines_that_they_fill(self):
        text = '// head\n\nint a;  // tail\n  /* two\n lines */\nint/**/b = "// text";\n  // end'
        self.assertEqual('\nint a;\nint b = "// text";\n', without_comments(text))


class Draw(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "solutions" / "lab").mkdir(parents=True)
        self.right = self.root / "tests" / "evidence" / "right" / "lab" / "copy"
        self.right.mkdir(parents=True)
        body = "const int i = blockIdx.x * 32 + threadIdx.x;\nif (i < width) out[i] = in[i];"
        (self.root / "solutions" / "lab" / "copy.cu").write_text(KERNEL % body)
        (self.right / "other.cu").write_text(KERNEL % body.replace("i <", "i + 0 <"))

    def test_the_same_files_give_the_same_mutants(self):
        first = mutate.draw_all(self.root, 30)
        self.assertEqual(first, mutate.draw_all(self.root, 30))
        self.assertEqual(30, len({mutant.sha256 for mutant in first}))
        self.assertEqual(30, len({mutant.name for mutant in first}))

    def test_files_and_operators_get_about_as_many(self):
        drawn = mutate.draw_all(self.root, 20)
        solution = sum(mutant.base.endswith("solution") for mutant in drawn)
        self.assertIn(solution, range(8, 13))
        for operator in ("arithmetic", "comparison", "delete_statement", "index", "literal"):
            self.assertIn(sum(m.operator == operator for m in drawn), (1, 2, 3), operator)

    def test_kernels_that_are_slow_and_programs_are_left_out(self):
        for name, text in (("slow", "// deserves: fail\n"), ("program", "int main() {}\n")):
            (self.right / f"{name}.cu").write_text(text)
        self.assertEqual({"lab/copy": ["lab/copy/solution", "lab/copy/other"]},
                         mutate.bases(self.root))

    def test_a_change_of_code_invalidates_a_mutant_and_a_comment_does_not(self):
        mutant = mutate.draw_all(self.root, 1)[0]
        file = mutate.base_file(self.root, mutant.base)
        file.write_text("// before\n" + file.read_text() + "// behind\n")
        self.assertTrue(mutate.still_holds(mutant, self.root))
        file.write_text(file.read_text() + "int more;\n")
        self.assertFalse(mutate.still_holds(mutant, self.root))

    def test_rows_that_hold_are_kept(self):
        drawn = mutate.draw_all(self.root, 20)
        kept = [dataclasses.replace(mutant, outcome="race") for mutant in drawn[::2]]
        again = mutate.draw_all(self.root, 20, kept)
        self.assertEqual(20, len({mutant.name for mutant in again}))
        self.assertEqual(10, sum(mutant.outcome == "race" for mutant in again))

    def test_a_table_is_read_as_it_was_written(self):
        drawn = mutate.draw_all(self.root, 20)
        mutate.write_table(drawn, self.root / "table.csv")
        self.assertEqual(drawn, mutate.read_table(self.root / "table.csv"))


class Table(unittest.TestCase):
    def test_every_row_is_a_change_of_a_file_as_it_is_now(self):
        mutants = mutate.read_table()
        self.assertEqual(mutate.HOW_MANY, len({mutant.sha256 for mutant in mutants}))
        self.assertEqual(mutate.HOW_MANY, len({mutant.name for mutant in mutants}))
        drawable = {}
        for mutant in mutants:
            mutant.text()  # raises where the file has changed
            if mutant.base not in drawable:
                drawable[mutant.base] = set(mutate.candidates(mutate.ROOT, mutant.base))
            self.assertIn(dataclasses.replace(mutant, outcome=""), drawable[mutant.base])

    def test_every_survivor_has_a_reason_and_no_other_mutant_has(self):
        reasons = run.read_reasons()
        mutants = mutate.read_table()
        self.assertLessEqual(set(reasons), {mutant.name for mutant in mutants})
        for mutant in mutants:
            if mutant.outcome:
                self.assertEqual([], list(run.reason_problems(mutant, mutant.outcome, reasons)),
                                 mutant.name)


class Outcomes(unittest.TestCase):
    MUTANT = mutate.Mutant("lab/copy/solution", 2, "literal", "3", "4", "")

    def item(self, verdict, reason="none", kinds=()):
        return {"mutant": self.MUTANT.name, "graded": True, "verdict": verdict, "reason": reason,
                "kinds": list(kinds)}

    def test_an_outcome_is_the_first_thing_that_is_wrong(self):
        self.assertEqual("passes", run.outcome(self.item("pass")))
        self.assertEqual("performance", run.outcome(self.item("fail", "performance")))
        self.assertEqual("incorrect", run.outcome(self.item("fail", "incorrect")))
        self.assertEqual("race", run.outcome(self.item("fail", "diagnostic", ["race", "trap"])))
        self.assertEqual("", run.outcome(self.item("error", "tool")))
        self.assertEqual("", run.outcome({**self.item("pass"), "graded": False}))

    def problems(self, outcome, reasons):
        return list(run.reason_problems(self.MUTANT, outcome, reasons))

    def test_a_survivor_needs_a_reason(self):
        reason = {self.MUTANT.name: "It is right."}
        for outcome in ("passes", "mechanism", "performance"):
            self.assertEqual(1, len(self.problems(outcome, {})))
            self.assertEqual([], self.problems(outcome, reason))
        self.assertEqual([], self.problems("same PTX", {}))
        self.assertEqual([], self.problems("incorrect", {}))

    def test_a_reason_for_a_killed_mutant_is_one_too_many(self):
        reason = {self.MUTANT.name: "It is right."}
        self.assertEqual(1, len(self.problems("incorrect", reason)))
        self.assertEqual(1, len(self.problems("same PTX", reason)))
        self.assertEqual(["is not judged"], self.problems("", reason))

    def test_only_survivors_are_compared(self):
        def same(mutant):
            self.assertEqual(self.MUTANT.name, mutant.name)
            return "same PTX"
        for item, expected in ((self.item("pass"), "same PTX"),
                               (self.item("fail", "incorrect"), "incorrect")):
            (mutant,) = run.classify([self.MUTANT], {self.MUTANT.name: item}, same)
            self.assertEqual(expected, mutant.outcome)

    def test_a_grade_other_than_the_table_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            report = {"exercises": [{"verdict": "pass", "reason": "none", "points": 1,
                                     "max_points": 1, "diagnostics": [], "gates": []}]}
            program.write_text(
                '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = --json ] && json=$2; shift; done\n'
                f"echo '{json.dumps(report)}' > $json\n")
            program.chmod(0o755)
            done = subprocess.run(
                [sys.executable, "-B", CORPUS / "run.py", "--program", program],
                capture_output=True, text=True, check=False)
        self.assertEqual(1, done.returncode)
        self.assertIn("is 'passes', and the table says 'race'", done.stdout)


class Comparison(unittest.TestCase):
    def test_lines_comments_and_the_number_of_a_text_do_not_count(self):
        first = b"// By NVRTC\n\t.loc 1 2 3\n\tadd.u32 \t%r1, %r2, 1;  // x\n\0"
        second = b".file 1 \"a.cu\"\n\n\tadd.u32 \t%r1, %r2, 1;\n\0"
        self.assertEqual(machine.plain(first), machine.plain(second))
        self.assertNotEqual(machine.plain(first), machine.plain(second.replace(b"1;", b"2;")))
        names = [b"_ZN_9_kernel_cu_%s_7x" % number for number in (b"0123abcd", b"ffffeeee")]
        self.assertEqual(*map(machine.nameless, names))

    def test_headers_that_the_grader_stands_in_for_are_found(self):
        headers = machine.shims(mutate.ROOT)
        self.assertIn("typedef unsigned int uint;", headers["kPreludeName"])
        self.assertEqual("#pragma once\n", headers["cassert"])
        self.assertIn("min", headers["algorithm"])


if __name__ == "__main__":
    unittest.main()
