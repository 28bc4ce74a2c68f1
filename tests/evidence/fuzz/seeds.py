#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the initial inputs of the fuzzers, one file each, to one folder per fuzzer.

Arguments: the project's root, the CUDA toolkit, a folder. NVRTC compiles the PTX of every kernel of
the labs, the solutions and the gallery; more comes from the conformance cases. Manifests are those
of the labs and the tests' small one, unchanged and with one line removed or repeated. Argument
specifications are listed below. Afterwards `fuzz.py merge` keeps what reaches different code.
"""
import ctypes
import glob
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import split_file

ARCHITECTURES = ("compute_75", "compute_90")
ARGUMENTS = """
i32:5 i32:-5 u32:0x7f i64:9223372036854775807 i64:-9223372036854775808 u64:18446744073709551615
f32:1.5 f32:-1e30 f64:nan f64:-inf f64:0x1p3 in:f32:16:iota in:u8:16:zeros in:i64:4:random:7
in:f16:8:file:x.bin out:f32:16 out:f64:1 out:f32:99999999999999999999 in:f32:-1:iota in::: out:q:4
bool:1 bool:2 i8:-128 u16:65535 inout:i32:16:iota same:1 same:x struct:00ff10ab struct:0 struct:0g
struct:&1,01000000,00000000 struct:&in:f32:4:iota,&out:u8:8,05 struct:&9 struct:&
""".split()
SIGNATURES = [
    "void copy(float* out, const float* __restrict__ in, int width, unsigned n)",
    "void reduce_threads<4>(float*, float const*, unsigned int)",
    "w::k<(E)1, a::b<int, long long>>(double&, char const* const*, void (*)(int), float [4])",
]


class Compiler:
    """The part of NVRTC that this script needs."""

    def __init__(self, toolkit):
        library = glob.glob(f"{toolkit}/**/libnvrtc.so.13", recursive=True)[0]
        self.nvrtc = ctypes.CDLL(library)
        self.include = f"{toolkit}/include"

    def ptx(self, file, architecture):
        """The PTX of a source file as bytes; None if it does not compile."""
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        source = file.read_bytes().replace(b"#include <cuda_runtime.h>", b"")
        self.nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"k.cu", 0, None, None)
        options = (
            f"-arch={architecture}", "-lineinfo", "-default-device", f"-I{self.include}",
            f"-I{self.include}/cccl", f"-I{file.parent}",
        )
        array = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        if self.nvrtc.nvrtcCompileProgram(program, len(options), array) != 0:
            return None
        self.nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        self.nvrtc.nvrtcGetPTX(program, text)
        # The compiler adds the working folder to the file's name.
        return re.sub(rb'"/.*/', b'"', text.value)


# The names that the text of a conformance case may use: see tests/sim/conformance_test.cpp.
CONFORMANCE = """.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 scratch) {
.reg .pred %p, %q; .reg .b16 %h<4>; .reg .b32 %r<4>, %i, %s;
.reg .b64 %w<4>, %g; .shared .align 16 .b8 own[4096];
mov.u32 %i, %tid.x; ld.param.u64 %g, [scratch]; mov.u32 %s, own;
"""
BITS = {"f64": 64, "i64": 64, "f16": 16, "bf16": 16, "i8": 16, "i16": 16}


def conformance_modules(root):
    """Modules with a dozen conformance cases each."""
    lines = (root / "tests/evidence/golden/h200_ptx/results.txt").read_text().splitlines()
    for first in range(0, len(lines), 12):
        body = CONFORMANCE
        for line in lines[first : first + 12]:
            head, text = line.rsplit("|", 1)[0].split("|", 1)
            bits, kinds = head.split("=")
            body += "{ .reg .b%s %%d;" % bits
            for name, kind in zip("abc", kinds.split(",")):
                body += " .reg .b%d %%%s;" % (BITS.get(kind, 32), name)
            body += f"\n{text} }}\n"
        yield body + "ret; }\n"


def manifests(root):
    header = (root / "tests/grader/course/manifest_text.h").read_text()
    texts = re.findall(r'R"toml\((.*?)\)toml"', header, re.DOTALL)
    texts += [file.read_text() for file in sorted(root.glob("labs/*/grader.toml"))]
    for text in texts:
        yield text
        lines = text.splitlines(keepends=True)
        for i in range(0, len(lines), 1 if len(lines) < 120 else 7):
            yield "".join(lines[:i] + lines[i + 1 :])
            yield "".join(lines[: i + 1] + lines[i:])


def main():
    root, toolkit, out = (pathlib.Path(argument) for argument in sys.argv[1:4])
    seeds = {"argument": ARGUMENTS + SIGNATURES, "manifest": list(manifests(root)), "ptx": []}
    compiler = Compiler(toolkit)
    sources = ["labs/**/*.cu", "solutions/**/*.cu", "tests/labs/**/*.cu", "tests/evidence/golden/h200/*.cu"]
    files = sorted(file for pattern in sources for file in root.glob(pattern))
    gallery = (root / "tests/evidence/cuda/gallery").glob("*.cu")
    for file in files + split_file.write_parts(gallery, out / "gallery"):
        for architecture in ARCHITECTURES:
            text = compiler.ptx(file, architecture)
            if text is None:
                print(f"{file.name} does not compile for {architecture}", file=sys.stderr)
            else:
                seeds["ptx"].append(text)
    seeds["ptx"] += conformance_modules(root)
    seeds["simulator"] = seeds["ptx"]
    for fuzzer, texts in seeds.items():
        folder = out / fuzzer
        folder.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(texts):
            content = text if isinstance(text, bytes) else text.encode()
            (folder / f"seed{number:04}").write_bytes(content)
        print(f"{fuzzer}: {len(texts)} seeds")


if __name__ == "__main__":
    main()
