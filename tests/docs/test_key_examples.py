# SPDX-License-Identifier: Apache-2.0
"""Reads every example in the references' tables of keys with the program, in a file around it.

An example replaces the key in a small file that the program accepts, or adds it. Arguments: the
program, then the root of the project.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from program_case import ROOT, ProgramCase, main

LAB = {"title": '"T"', "summary": '"S"', "cases.vectors": "{ small = { n = 96 }, large = { n = 960, measured = true } }"}
EXERCISE = {
    "id": '"e"', "title": '"E"', "hints": '["h"]', "kernel": '"k(float* out, const float* in, int n)"',
    "launch": '{ grid = ["n"], block = [32] }', "shapes": '{ out = "n", in = "n" }', "reference": '"r"',
    "cases": '["vectors"]', "correctness_points": "1", "gates": '[{ use = "coalesced_loads", points = 1 }]',
}
LAUNCH = {"grid": '["n"]', "block": "[32]"}
CASE = {"name": '"c"', "n": "64"}
GATE = {"id": '"g"', "metric": '"dram__bytes_read.sum"', "on": '"h200"', "max": '"2 * bytes_in"', "ideal": '"bytes_in"',
        "points": "1", "meaning": '"M"', "next": '"N"'}
QUESTION = {"id": '"q"', "on": '"k40"', "points": "1", "meaning": '"M"'}
WAVEFRONTS = {**QUESTION, "rule": '"shared_wavefronts"', "word_bytes": "4", "strides": "33"}
FACTOR = {**QUESTION, "rule": '"coarsening_factor"', "level": '"thread"', "threads": "512", "registers": "16",
          "shared_bytes": "2048"}
IN_FLIGHT = {**FACTOR, "rule": '"littles_law"', "level": None, "asked": '"warps"', "latency_ns": "400"}
PROFILE = {**QUESTION, "on": '"h200"', "rule": '"profile"', "of": '"stream"', "asked": '"limit"'}
LAUNCHES = '[{ kernel = "stream(float* out)", grid = [4], block = [32], shapes = { out = 128 } }]'
# Keys that complete the exercise of an example.
MATRIX = {"kernel": '"k(float* out, const float* in, int width, int height)"',
          "launch": '{ grid = ["width", "height"], block = [32] }',
          "shapes": '{ out = "height x width", in = "height x width" }',
          "cases": '[{ name = "one", width = 64, height = 32, measured = true }]'}
AROUND = {
    "shapes": MATRIX,
    "roles": {"kernel": '"k(float* data, int n)"', "shapes": '{ data = "n" }'},
    "rounds": {"launch": '[{ grid = ["n"], block = [32] }]'},
    "values": {"kernel": '"k(float* out, const float* in, int half, int n)"'},
    "same": {"kernel": '"k(float* out, const float* in, const float* again, int n)"'},
    "structs": {"kernel": '"k(Scaling p, const float* in)"', "shapes": '{ "p.out" = "n", in = "n" }'},
    "compare": {"kernel": '"k(float* partial, const float* in, int n)"', "shapes": '{ partial = "n", in = "n" }',
                "fill": '{ in = "odd_eighths" }'},
    "magnitude": {"ulps": "{ out = 4 }"},
    "arithmetic": {"operations": '"2 * n"'},
    "hint_for": {"hints": '["one", "two"]'},
    "like": {"gates": None, "kernel": None},
    "change": {"like": '"copy"', "gates": None, "kernel": None},
}
ROW = re.compile(r"^\| (`[^|]+`|any other name) \| [^|]+ \|(?: [^|]* \|| \|) ([^|]+) \|[^|]*\|$", re.MULTILINE)


def inline(table):
    return "{ " + ", ".join(f"{key} = {value}" for key, value in table.items() if value is not None) + " }"


def lines(table):
    return "".join(f"{key} = {value}\n" for key, value in table.items() if value is not None)


def sections(document):
    """{title: the text up to the next title}"""
    parts = re.split(r"^##+ (.+)$", (ROOT / "docs" / document).read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


class KeyExamples(ProgramCase):
    def examples(self, text):
        """(key, value) of each row; the example must set the row's own key."""
        rows = ROW.findall(text)
        self.assertTrue(rows, text)
        out = []
        for cell, example in rows:
            if not example.startswith("`"):
                continue  # It names the place of a complete example.
            key, value = example.strip("`").split(" = ", 1)
            if cell.startswith("`"):
                self.assertIn(key.replace("cases.vectors", "cases"), cell)
            out.append((key, value))
        return out

    def each(self, text, expected, check):
        """Calls `check` with each example; they must be of the `expected` keys."""
        examples = self.examples(text)
        self.assertEqual(expected, {key for key, _ in examples})
        for key, value in examples:
            with self.subTest(key=key):
                check(key, value)

    def runs(self, *arguments, root=None):
        self.output(0, *arguments, root=root)


class ManifestKeys(KeyExamples):
    def setUp(self):
        super().setUp()
        self.sections = sections("manifest.md")
        self.launch, self.sequence = self.sections["Launch"].split("A sequence is written as")
        (self.folder / "labs/lab/include").mkdir(parents=True)

    def accepts(self, exercise, lab=(), presets=""):
        """Reads a lab of two exercises: EXERCISE as `copy`, and `exercise`."""
        (self.folder / "labs/gates.toml").write_text((ROOT / "labs/gates.toml").read_text() + presets)
        text = lines({**LAB, **dict(lab)})
        for table in ({**EXERCISE, "id": '"copy"'}, exercise):
            text += "[[exercise]]\n" + lines(table)
        (self.folder / "labs/lab/grader.toml").write_text(text)
        self.runs("list", root=self.folder)

    def test_of_a_lab(self):
        keys = {"title", "summary", "order", "include_folders", "cases.vectors"}

        def check(key, value):
            self.accepts(EXERCISE, {"cases.more" if key == "cases.vectors" else key: value})

        self.each(self.sections["Lab"], keys, check)

    def test_of_an_exercise(self):
        source = (ROOT / "grader/course/gate_reader.cpp").read_text()
        keys = set(re.findall(r'"(\w+)"', re.search(r"kExerciseKeys = \{([^}]*)\}", source)[1]))

        def check(key, value):
            if key == "every_question":
                question = {name: text for name, text in FACTOR.items() if name != "level"}
                self.accepts({"id": '"e"', "title": '"E"', "hints": '["h"]', key: value,
                              "questions": f"[{inline(question)}]"})
            else:
                self.accepts({**EXERCISE, **AROUND.get(key, {}), key: value})

        self.each(self.sections["Exercise"], keys - {"hints_rot13", "questions", "launches"}, check)

    def test_of_a_launch(self):
        def check(key, value):
            around = MATRIX if key == "grid" else {}
            self.accepts({**EXERCISE, **around, "launch": inline({**LAUNCH, key: value})})

        self.each(self.launch, {"grid", "block", "shared", "cooperative", "cluster"}, check)

    def test_of_a_launch_in_a_sequence(self):
        first = {"kernel": '"k(unsigned* out, unsigned* next, const unsigned* in, unsigned n)"', **LAUNCH}
        second = {"kernel": '"l(unsigned* out, unsigned n)"', **LAUNCH}

        exercise = {**EXERCISE, "kernel": None, "shapes": '{ out = "n", next = "n", in = "n" }',
                    "roles": '{ next = "scratch" }'}

        def check(key, value):
            self.accepts({**exercise, "launch": f"[{inline(first)}, {inline({**second, key: value})}]",
                          "reference": '"r(unsigned* out, const unsigned* in, unsigned n)"'})

        self.each(self.sequence, {"kernel", "arguments", "times", "swap"}, check)

    def test_of_a_reference(self):
        def check(key, value):
            reference = {"kernel": '"r"', "grid": '["n"]', "block": "[32]", key: value}
            self.accepts({**EXERCISE, "reference": inline(reference)})

        self.each(self.sections["Reference"], {"kernel", "grid", "block", "shared", "arguments", "elements_per_block"}, check)

    def test_of_a_case(self):
        def check(key, value):
            case = {**CASE, "measured": "true" if key == "timed" else None, key: value}
            self.accepts({**EXERCISE, "cases": f'["vectors", {inline(case)}]'})

        self.each(self.sections["Cases"], {"measured", "secret", "sampled", "timed", "n"}, check)

    def test_of_a_gate(self):
        source = (ROOT / "grader/course/gate_reader.cpp").read_text()
        keys = re.findall(r'"(\w+)"', re.search(r"kGateAndPresetKeys = \{([^}]*)\}", source)[1])[3:]
        speed = {**GATE, "metric": '"fraction_of_copy"', "max": None, "min": "0.5", "ideal": "0.9"}
        bases = {
            "use": {"points": "1"}, "on": {**GATE, "id": '"g_{device}"'}, "each": {**GATE, "id": '"g_{case}"'},
            "min": {**GATE, "max": None, "ideal": "32"}, "max": {**GATE, "ideal": '"bytes_in / 32"'}, "simulated": speed, "share": speed, "generations": speed,
        }

        def check(key, value):
            gate = inline({**bases.get(key, GATE), key: value})
            needed = ', { use = "sectors_loaded" }' if key == "needs" else ""
            self.accepts({**EXERCISE, "gates": f"[{gate}{needed}]"})

        self.each(self.sections["Gates"], set(keys), check)

    def test_of_a_preset(self):
        def check(key, value):
            preset = {**GATE, "points": None, key: value}
            self.accepts({**EXERCISE, "gates": '[{ use = "mine", points = 1 }]'}, presets=f"\n[mine]\n{lines(preset)}")

        self.each(self.sections["Presets"], {"like", "parameters", "guards"}, check)

    def test_of_a_question(self):
        def check(key, value):
            is_of_a_profile = key == "of" or value == '"limit"'
            base = PROFILE if is_of_a_profile else WAVEFRONTS if key in WAVEFRONTS else FACTOR if key in FACTOR else IN_FLIGHT
            self.accepts({"id": '"e"', "title": '"E"', "hints": '["h"]', "launches": LAUNCHES if is_of_a_profile else None,
                          "questions": f"[{inline({**base, key: value})}]"})

        self.each(self.sections["Questions"], {*WAVEFRONTS, *FACTOR, *IN_FLIGHT, *PROFILE}, check)


SUM = """
struct P { unsigned n; };
__device__ unsigned number() { return (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__global__ void one(const float* in) {}
__global__ void two(float* partial, const float* in) { partial[number()] = in[number()]; }
__global__ void sum(float* partial, const float* in, float* total) { total[number()] = partial[number()] + in[0]; }
__global__ void with_value(float*, const float* in, float* total, unsigned n) { total[number()] = n + in[0]; }
__global__ void with_struct(float*, const float* in, float* total, P p) { total[number()] = p.n + in[0]; }
"""
BUFFERS = ('[{ name = "partial", spec = "inout:f32:1024:iota" }, { name = "in", spec = "in:f32:1024:iota" }, '
           '{ name = "total", spec = "inout:f32:1024:zeros" }]')


class SequenceKeys(KeyExamples):
    def setUp(self):
        super().setUp()
        self.top, self.launch = sections("sequence.md")["Keys"].split("A launch has:")
        (self.folder / "sum.cu").write_text(SUM)

    def accepts(self, launch, more):
        text = lines({"variables": "{ blocks = 1 }", "buffer": BUFFERS, "launch": f"[{inline(launch)}]", **more})
        (self.folder / "sum.toml").write_text(text)
        self.runs("profile", "sum.cu", "--sequence", "sum.toml")

    def test_of_a_file(self):
        kernels = {"value": '"with_value"', "struct": '"with_struct"', "buffer": '"one"'}

        def check(key, value):
            self.accepts({"kernel": kernels.get(key, '"sum"'), "grid": "[1]", "block": "[32]"}, {key: value})

        self.each(self.top, {"variables", "rounds", "buffer", "value", "struct", "launch"}, check)

    def test_of_a_launch(self):
        def check(key, value):
            kernel = '"two"' if key == "arguments" else '"sum"'
            self.accepts({"kernel": kernel, "grid": "[1]", "block": "[32]", key: value}, {})

        keys = {"kernel", "grid", "block", "shared", "cooperative", "cluster", "arguments", "times", "swap"}
        self.each(self.launch, keys, check)


STUDY = {"title": '"T"', "summary": '"S"', "devices": '["h200"]'}
KERNELS = '[{ id = "along", label = "along", kernel = "along" }]'
PART = {"id": '"p"', "title": '"P"', "axis": '"n"', "axis_values": "[256]", "axis_label": '"n"', "show": '"bandwidth"',
        "show_label": '"GB/s"', "bytes": '"8 * n"', "file": '"copies.cu"', "grid": "[1]", "block": "[256]",
        "parameters": '"float* out, const float* in, unsigned n"', "shapes": '{ out = "n", in = "n" }', "kernel": KERNELS}
ACCESS = {"title": '"A"', "device": '"h200"', "file": '"copies.cu"', "kernel": '"along"', "grid": "[2]", "block": "[8]",
          "memory": '"in"', "rows": "1", "columns": "16", "element_bytes": "4", "labels": '["thread"]',
          "colour": '"thread"', "parameters": '"float* out, const float* in"',
          "shapes": "{ out = 16, in = 16 }"}
PICTURE = {"title": '"N"', "device": '"c1060"', "rows": "256", "columns": "256", "element_bytes": "8", "tile": "32",
           "tile_row": '"by"', "tile_column": '"bx"'}

ROW_OF_BANKS = """__global__ void along(float* out, const float* in, unsigned n) {
  __shared__ float row[32];
  row[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = row[n - 1 - threadIdx.x];
}
"""


class StudyKeys(KeyExamples):
    def setUp(self):
        super().setUp()
        self.sections = sections("study.md")
        document = (ROOT / "docs/study.md").read_text()
        for name, text in re.findall(r"^`(copies[^`]+)`:\n\n```\w+\n(.*?)^```$", document, re.MULTILINE | re.DOTALL):
            (self.folder / name).write_text(text)
        (self.folder / "published.csv").write_text("# A source.\ndevice,kernel,n,GB_per_s\nh200,along,256,1\n")
        (self.folder / "best.csv").write_text("# A source.\ndevice,kernel,best\nh200,along,256\n")

    def accepts(self, part=PART, **top):
        study = {**STUDY, "part": f"[{inline(part)}]", **top}
        (self.folder / "study.toml").write_text(lines(study))
        self.runs("study", "study.toml")

    def test_of_a_study(self):
        self.each(self.sections["Study"], {"title", "summary", "devices"}, lambda key, value: self.accepts(**{key: value}))

    def test_of_a_part(self):
        def check(key, value):
            part = {**PART, key: value}
            if key == "use":
                part = {"id": '"by_size"', "axis_values": "[65536]", key: value}
            elif key == "baseline":
                part["show"] = '"fraction"'
            elif key == "rule":
                (self.folder / "copies.cu").write_text(ROW_OF_BANKS)
                part.update(axis_values="[32]", block="[32]", show='"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"')
            self.accepts(part)

        keys = {*PART, "use", "scale", "show_scale", "baseline", "sampled", "columns", "devices", "variables", "shared",
                "published", "best", "curve", "rule"} - {"shapes", "kernel"}
        self.each(self.sections["Part"], keys, check)

    def test_of_a_kernel(self):
        def check(key, value):
            kernel = {"id": '"a"', "label": '"a"', "kernel": '"along"', key: value}
            self.accepts({**PART, "kernel": f"[{inline(kernel)}]", "axis_values": "[256, 131072]", "grid": '["n / 256"]'})

        self.each(self.sections["Kernel"], {"id", "label", "kernel", "when"}, check)

    def test_of_a_picture(self):
        def check(key, value):
            self.accepts(picture=f"[{inline({**PICTURE, key: value})}]")

        self.each(self.sections["Picture"], set(PICTURE), check)

    def test_of_an_access(self):
        kernel = "__global__ void along(float* out, const float* in) { out[threadIdx.x] = in[threadIdx.x]; }\n"
        (self.folder / "access.cu").write_text(kernel)
        access = {**ACCESS, "file": '"access.cu"'}

        def check(key, value):
            self.accepts(access=f"[{inline({**access, key: value})}]")

        keys = {*ACCESS, "shared", "operation", "framed"} - {"shapes"}
        self.each(self.sections["Access"], keys, check)


class ClassFile(KeyExamples):
    def test_the_example_with_all_keys(self):
        """The first class.toml in docs/class.md, for a class without submissions."""
        example = re.search(r"^```toml\n(layout = .*?)^```$", (ROOT / "docs/class.md").read_text(), re.MULTILINE | re.DOTALL)
        (self.folder / "class").mkdir()
        (self.folder / "class/class.toml").write_text(example[1])
        (self.folder / "class/gradebook.csv").write_text("student,Kennung,name,Lab 1: copy\nada,ada,Ada,\n")
        (self.folder / "class/granted.csv").write_text("student,exercise,until,by,why\nada,coalescing/copy,2026-11-22,me,ill\n")
        (self.folder / "class/groups.csv").write_text("group,student\n1,ada\n")
        self.runs("class", "run", "book.sqlite", "class")


if __name__ == "__main__":
    main()
