#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the gallery's files with several kernels on a GPU.

The kernels that stand alone are parts, which ../split_file.py writes as files. Other files of
tests/evidence/cuda/gallery have one line per kernel NAME(out, in):
`// launch: NAME grid X,Y,Z block X,Y,Z [shared BYTES]`. `out` has 1024 words, `in` 4096 random.

  gallery.py compile FOLDER CU...  NVRTC (-arch=sm_90 and the other options of compiler_process.cpp) and
                                   ptxas: FOLDER/FILE.cubin, and FILE.cu beside it
  gallery.py run FOLDER            runs them with CuPy; FOLDER/out/gallery_files.txt gets one
                                   line `FILE.NAME words` each, without trailing zeros

Each launch has its own module, and each file its own process.
"""

import ctypes
import pathlib
import shutil
import subprocess
import sys


def launches(text):
    found = []
    for line in text.splitlines():
        words = line.split()[2:] if line.startswith("// launch: ") else []
        if words and words[0] != "grid":
            shape = dict(zip(words[1::2], words[2::2]))
            extents = [tuple(int(v) for v in shape[k].split(",")) for k in ("grid", "block")]
            found.append((words[0], *extents, int(shape.get("shared", 0))))
    return found


def input_words():
    state, words = 12345, []
    for _ in range(4096):
        word = 0
        for _ in range(2):
            state = (state * 1664525 + 1013904223) % 2**32
            word = (word << 16 | state >> 16) % 2**32
        words.append(word)
    return words


def ptx_of(source, toolkit):
    nvrtc = ctypes.CDLL(toolkit + "/lib64/libnvrtc.so.13")
    options = ["-arch=sm_90", "-lineinfo", "-std=c++17", "--device-int128",
               "-I" + toolkit + "/include", "-I" + toolkit + "/include/cccl"]
    texts = (ctypes.c_char_p * len(options))(*(o.encode() for o in options))
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.read_bytes(), source.name.encode(), 0,
                             None, None)
    failed = nvrtc.nvrtcCompileProgram(program, len(options), texts)

    def fetch(what):
        size = ctypes.c_size_t()
        getattr(nvrtc, "nvrtcGet%sSize" % what)(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        getattr(nvrtc, "nvrtcGet%s" % what)(program, text)
        return text.value

    if failed:
        sys.exit(fetch("ProgramLog").decode())
    return fetch("PTX")


def compile_all(folder, sources, toolkit="/usr/local/cuda"):
    folder.mkdir(parents=True, exist_ok=True)
    for source in sources:
        ptx = folder / (source.stem + ".ptx")
        ptx.write_bytes(ptx_of(source, toolkit))
        subprocess.run([toolkit + "/bin/ptxas", "-arch=sm_90", str(ptx), "-o",
                        str(ptx.with_suffix(".cubin"))], check=True)
        shutil.copy(source, folder)
        ptx.unlink()


def run_file(cubin, first):
    import cupy
    kernels = launches(cubin.with_suffix(".cu").read_text())
    for name, grid, block, shared in kernels[first:]:
        module = cupy.cuda.function.Module()
        module.load(cubin.read_bytes())
        source = cupy.array(input_words(), dtype=cupy.uint32)
        result = cupy.zeros(1024, dtype=cupy.uint32)
        module.get_function(name)(grid, block, (result, source), shared)
        cupy.cuda.Device().synchronize()
        words = " ".join("%x" % v for v in result.get().tolist())
        while words.endswith(" 0"):
            words = words[:-2]
        print("%s.%s %s" % (cubin.stem, name, words), flush=True)


def run(folder):
    (folder / "out").mkdir(exist_ok=True)
    with open(folder / "out" / "gallery_files.txt", "w") as file:
        for cubin in sorted(folder.glob("*.cubin")):
            count = len(launches(cubin.with_suffix(".cu").read_text()))
            done = 0
            while done < count:  # skip a kernel that fails or hangs: it ends its process
                command = [sys.executable, __file__, "file", str(cubin), str(done)]
                try:
                    text = subprocess.run(command, stdout=subprocess.PIPE, timeout=20).stdout
                except subprocess.TimeoutExpired as late:
                    text = late.stdout or b""
                rows = [row for row in text.decode().splitlines(keepends=True)
                        if row.startswith(cubin.stem + ".")]  # drop lines that a kernel printed
                file.writelines(rows)
                file.flush()
                done += len(rows)
                if done < count:
                    print("failed: kernel", done, "of", cubin.stem, flush=True)
                    done += 1


if __name__ == "__main__":
    place = pathlib.Path(sys.argv[2])
    if sys.argv[1] == "compile":
        compile_all(place, [pathlib.Path(a) for a in sys.argv[3:]])
    elif sys.argv[1] == "file":
        run_file(place, int(sys.argv[3]))
    else:
        run(place)
