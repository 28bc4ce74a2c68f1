# SPDX-License-Identifier: Apache-2.0
"""Compiles kernels to machine code with NVRTC and the grader's options, as the program does."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mutants"))
import machine  # noqa: E402

# -lineinfo changes no instruction; common/compile/compiler_process.cpp uses it, too.
OPTIONS = ("-lineinfo", *machine.OPTIONS)


class Compiler(machine.Compiler):
    def version(self):
        """As "13.0"."""
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        return f"{major.value}.{minor.value}"

    def cubin(self, source, kernels, architecture="sm_90"):
        """(machine code, {kernel: its name there}) of bytes of source; kernels: "copy", "sum<4>"."""
        program = ctypes.c_void_p()
        texts = [text.encode() for text in self.headers.values()]
        names = [name.encode() for name in self.headers]
        self.nvrtc.nvrtcCreateProgram(
            ctypes.byref(program), source, b"kernel.cu", len(texts), machine.array(texts),
            machine.array(names))
        try:
            expressions = {kernel: kernel.encode() for kernel in kernels}
            for expression in expressions.values():
                self.nvrtc.nvrtcAddNameExpression(program, expression)
            options = (f"-arch={architecture}", *OPTIONS, *self.includes)
            words = [option.encode() for option in options]
            if self.nvrtc.nvrtcCompileProgram(program, len(words), machine.array(words)) != 0:
                log = self._fetch(program, "ProgramLog").decode("utf-8", "replace")
                raise machine.CompileError(log)
            lowered = {}
            for kernel, expression in expressions.items():
                name = ctypes.c_char_p()
                if self.nvrtc.nvrtcGetLoweredName(program, expression, ctypes.byref(name)) != 0:
                    raise machine.CompileError(f"no kernel {kernel}")
                lowered[kernel] = name.value.decode()
            return self._fetch(program, "CUBIN"), lowered
        finally:
            self.nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
