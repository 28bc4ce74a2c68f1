# SPDX-License-Identifier: Apache-2.0
"""What NVRTC makes of a kernel, to tell whether two sources are one program.

The options are the grader's, less the lines of the source: PTX for compute_75 and compute_90, the
two that the graded devices use, and machine code for sm_75 and sm_90. Headers that the grader
stands in for come from its own list, common/compile/shims.cpp.
"""

import codecs
import ctypes
import pathlib
import re
import subprocess

GENERATIONS = (75, 90)
# Exercises whose kernel is a template, and its arguments.
TEMPLATES = ("reduce_threads", "reduce_blocks", "transpose_coarsened")
FACTORS = (1, 2, 4, 8, 16)
# The first header has this for a name, since only its constant's name stands in the list.
OPTIONS = ("-std=c++17", "--device-int128", "--pre-include=kPreludeName",
           "-D__hd_cxpr=__host__ __device__ constexpr")


class CompileError(Exception):
    """What the compiler said of a source that it refused."""


def find_toolkit(root):
    """The toolkit that the build would take."""
    script = root / "common" / "compile" / "find_cuda.sh"
    return pathlib.Path(subprocess.run(
        ["sh", script, root], capture_output=True, text=True, check=True).stdout.strip())


def shims(root):
    """{name of a header: its text} of those that the grader stands in for."""
    text = (root / "common" / "compile" / "shims.cpp").read_text(encoding="utf-8")
    texts = dict(re.findall(r'(k\w+) = R"\((.*?)\)";', text, re.DOTALL))
    texts["kNothing"] = "#pragma once\n"
    prelude = re.search(r'kPreludeText = (R".*?\)");$', text, re.DOTALL | re.MULTILINE)[1]
    texts["kPreludeText"] = "".join(re.findall(r'R"\((.*?)\)(?:"|$)', prelude, re.DOTALL))
    return {name: texts[body] for name, body in re.findall(r'Shim\{"?([\w./]+)"?, (k\w+)\}', text)}


class Compiler:
    def __init__(self, root):
        toolkit = find_toolkit(root)
        self.nvrtc = ctypes.CDLL(str(next(toolkit.rglob("libnvrtc.so.13"))))
        include = next(toolkit.rglob("vector_types.h")).parent
        self.includes = [f"-I{include}", f"-I{include}/cccl"]
        self.headers = shims(root)

    def _fetch(self, program, what):
        size = ctypes.c_size_t()
        getattr(self.nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        getattr(self.nvrtc, f"nvrtcGet{what}")(program, text)
        return text.raw

    def _compile(self, source, exercise, architecture, what):
        program = ctypes.c_void_p()
        source = source.removeprefix(codecs.BOM_UTF8)  # The grader skips it, too.
        texts = [text.encode() for text in self.headers.values()]
        names = [name.encode() for name in self.headers]
        self.nvrtc.nvrtcCreateProgram(
            ctypes.byref(program), source, b"kernel.cu", len(texts), array(texts), array(names))
        try:
            kernel = exercise.rsplit("/", 1)[-1]
            for factor in FACTORS if kernel in TEMPLATES else ():
                self.nvrtc.nvrtcAddNameExpression(program, f"{kernel}<{factor}>".encode())
            options = [f"-arch={architecture}", *OPTIONS, *self.includes]
            words = [option.encode() for option in options]
            if self.nvrtc.nvrtcCompileProgram(program, len(words), array(words)) != 0:
                raise CompileError(self._fetch(program, "ProgramLog").decode("utf-8", "replace"))
            return nameless(self._fetch(program, what))
        finally:
            self.nvrtc.nvrtcDestroyProgram(ctypes.byref(program))

    def ptx(self, source, exercise):
        """Plain PTX for each generation."""
        return [plain(self._compile(source, exercise, f"compute_{generation}", "PTX"))
                for generation in GENERATIONS]

    def machine_code(self, source, exercise):
        return [self._compile(source, exercise, f"sm_{generation}", "CUBIN")
                for generation in GENERATIONS]


def array(texts):
    return (ctypes.c_char_p * len(texts))(*texts)


def nameless(output):
    """PTX or machine code without the number that the compiler makes of a source's text: it is part
    of the names of variables that no other file sees."""
    return re.sub(rb"_kernel_cu_[0-9a-f]{8}_", b"_kernel_cu_00000000_", output)


def plain(ptx):
    """PTX as text, without comments, files and lines."""
    text = ptx.rstrip(b"\0").decode("latin-1")
    text = re.sub(r"//[^\n]*", "", text)
    lines = (line.strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line and not line.startswith((".loc", ".file")))


def sameness(compiler, base, mutant, exercise):
    """"same PTX" or "same machine code" of two sources, bytes both; "" where they differ."""
    if compiler.ptx(base, exercise) == compiler.ptx(mutant, exercise):
        return "same PTX"
    if compiler.machine_code(base, exercise) == compiler.machine_code(mutant, exercise):
        return "same machine code"
    return ""
