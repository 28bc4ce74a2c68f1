#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Renews the results of nvcc and a card for the corpus (corpus.py describes its files).

  renew.py compile FOLDER [NAME...]   with nvcc: verdicts.txt, and FOLDER/NAME.cubin of each right
                                      file, with its kernel's name in FOLDER/launches.txt
  renew.py run FOLDER                 with a card and its driver: FOLDER/outputs.txt, failed.txt
  renew.py accept FOLDER              puts FOLDER/outputs.txt into the golden data

nvcc runs with `-arch=sm_90 -c`, so the machine code in the object file is what runs on the card.
Each file runs in its own process, because a failing kernel ends its context.
"""

import concurrent.futures
import ctypes
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import corpus

NVCC = os.environ.get("NVCC", "/usr/local/cuda/bin/nvcc")
OPTIONS = ["-arch=sm_90"]
ERROR = re.compile(r"^[^\s(]*?\w+\.cu\((\d+)\): error: (.*)|^.*?: (?:fatal )?error:? (.*)", re.MULTILINE)
SECONDS_A_FILE = 30
CONTEXTS = 4  # processes that share the card


def first_error(text):
    match = ERROR.search(text)
    if not match:
        return (text.strip().splitlines() or ["no message"])[0][:160]
    return (f"{match[1]}: {match[2]}" if match[1] else match[3])[:160]


def plain(name):
    return re.sub(r"\s+", "", name.replace("void ", ""))


def symbol_of(cubin, kernel):
    """The machine code name of the kernel that `--kernel` names."""
    listed = subprocess.run(["readelf", "-SW", cubin], capture_output=True, text=True, check=True)
    names = re.findall(r"\s\.nv\.constant0\.(\S+)", listed.stdout)  # each kernel's parameters
    readable = subprocess.run(["c++filt", *names], capture_output=True, text=True, check=True)
    for name, text in zip(names, readable.stdout.splitlines()):
        text = plain(text)
        arguments = re.search(r"\((?!anonymous).*\)$", text)
        bare = text[: arguments.start()] if arguments else text
        if plain(kernel) in (text, bare):
            return name
    raise RuntimeError(f"{cubin} has no kernel {kernel}, but {readable.stdout.split()}")


def compile_file(file, folder):
    """nvcc's verdict; stores the machine code of an accepted file in `folder`."""
    with tempfile.TemporaryDirectory() as name:
        done = subprocess.run([NVCC, *OPTIONS, "-c", "--keep", "--keep-dir", name, file, "-o",
                               name + "/x.o"], capture_output=True, text=True, errors="replace")
        if done.returncode != 0:
            return "refused " + first_error(done.stderr + done.stdout)
        for cubin in pathlib.Path(name).glob("*.cubin"):
            cubin.replace(folder / (file.stem + ".cubin"))
    return "accepted"


def compile_all(folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    verdicts = corpus.rows(corpus.GOLDEN / "verdicts.txt") if names else {}
    launches = corpus.rows(folder / "launches.txt") if names else {}
    files = corpus.write_files(folder / "files", names)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda file: compile_file(file, folder), files))
    for file, verdict in zip(files, found):
        name, launch = corpus.name_of(file), corpus.launch_of(file.read_text(encoding="utf-8"))
        verdicts.pop(name, None)
        launches.pop(name, None)
        if verdict != "accepted" or not launch:
            verdicts[name] = verdict
        else:
            try:
                launches[name] = symbol_of(folder / (file.stem + ".cubin"), launch["kernel"])
            except RuntimeError as problem:
                print(problem, flush=True)
        if (verdict == "accepted") != (file.parent.name == "right"):
            print("in the wrong folder:", name, verdict, flush=True)
    parts = corpus.parts()
    verdicts = {k: v for k, v in verdicts.items() if k in parts}
    launches = {k: v for k, v in launches.items() if k in parts}
    version = subprocess.run([NVCC, "--version"], capture_output=True, text=True, check=True).stdout
    release = re.search(r"release [\d.]+, V[\d.]+", version)[0]
    head = [f"nvcc {release}, {' '.join(OPTIONS)}: accepted without a launch, or refused with the first error"]
    corpus.GOLDEN.mkdir(parents=True, exist_ok=True)
    corpus.write_rows(corpus.GOLDEN / "verdicts.txt", head, verdicts)
    corpus.write_rows(folder / "launches.txt", ["file, name of its kernel in the machine code"], launches)


class Driver:
    """The CUDA driver; a failing call raises an exception with the error name."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")

    def __getattr__(self, name):
        def call(*arguments):
            code = getattr(self.library, name)(*arguments)
            if code != 0:
                text = ctypes.c_char_p()
                self.library.cuGetErrorName(code, ctypes.byref(text))
                raise RuntimeError(f"{name}: {(text.value or b'?').decode()}")
        return call

    def begin(self):
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.cuInit(0)
        self.cuDeviceGet(ctypes.byref(device), 0)
        self.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
        self.cuCtxSetCurrent(context)
        return device

    def card(self):
        name, version = ctypes.create_string_buffer(100), ctypes.c_int()
        device = self.begin()
        self.cuDeviceGetName(name, 100, device)
        self.cuDriverGetVersion(ctypes.byref(version))
        return f"{name.value.decode()}, CUDA {version.value // 1000}.{version.value % 1000 // 10}"


class LaunchAttribute(ctypes.Structure):
    """CUlaunchAttribute with the extents of a cluster as its value."""

    CLUSTER = 4
    _fields_ = [("id", ctypes.c_uint64), ("extents", ctypes.c_uint * 3), ("rest", ctypes.c_char * 52)]


class LaunchConfig(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = [("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
                ("stream", ctypes.c_void_p), ("attributes", ctypes.POINTER(LaunchAttribute)),
                ("count", ctypes.c_uint)]


def start(driver, function, launch, addresses):
    if launch["cluster"]:
        cluster = LaunchAttribute(LaunchAttribute.CLUSTER, launch["cluster"], b"")
        config = LaunchConfig(launch["grid"], launch["block"], launch["shared"], None,
                              ctypes.pointer(cluster), 1)
        driver.cuLaunchKernelEx(ctypes.byref(config), function, addresses, None)
        return
    call = driver.cuLaunchCooperativeKernel if launch["cooperative"] else driver.cuLaunchKernel
    shape = [ctypes.c_uint(v) for v in (*launch["grid"], *launch["block"], launch["shared"])]
    call(function, *shape, None, addresses, *([] if launch["cooperative"] else [None]))


def launch_file(driver, cubin, symbol, launch):
    """Bytes of each buffer that the kernel may write, after the launch."""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    driver.cuModuleLoadData(ctypes.byref(module), cubin.read_bytes())
    driver.cuModuleGetFunction(ctypes.byref(function), module, symbol.encode())
    if launch["shared"] > 48 * 1024:
        driver.cuFuncSetAttribute(function, 8, ctypes.c_int(launch["shared"]))
    values, written, pointers = [], [], {}
    for index, spec in enumerate(launch["arguments"]):
        if spec.startswith("same:"):
            values.append(pointers[int(spec[5:])])
            continue
        data, is_buffer, may_write = corpus.argument(spec)
        if not is_buffer:
            values.append(ctypes.create_string_buffer(data, len(data)))
            continue
        pointer = ctypes.c_uint64()
        driver.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(len(data)))
        driver.cuMemcpyHtoD_v2(pointer, data, ctypes.c_size_t(len(data)))
        values.append(pointer)
        pointers[index] = pointer
        if may_write:
            written.append((pointer, len(data)))
    addresses = (ctypes.c_void_p * max(1, len(values)))(
        *(ctypes.cast(ctypes.byref(value), ctypes.c_void_p) for value in values))
    start(driver, function, launch, addresses)
    driver.cuCtxSynchronize()
    out = []
    for pointer, size in written:
        data = ctypes.create_string_buffer(size)
        driver.cuMemcpyDtoH_v2(data, pointer, ctypes.c_size_t(size))
        out.append(data.raw)
    driver.cuModuleUnload(module)  # flushes what the kernel printed
    return out


def run_one(folder, name, symbol, result):
    """Runs one file in this process; writes its row to `result`, and what it prints next to it."""
    launch = corpus.launch_of(corpus.parts()[name])
    driver = Driver()
    driver.begin()
    printed = pathlib.Path(str(result) + ".printed")
    sys.stdout.flush()
    keep, file = os.dup(1), os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    buffers = launch_file(driver, folder / (name.split("/")[1] + ".cubin"), symbol, launch)
    ctypes.CDLL(None).fflush(None)
    os.dup2(keep, 1)
    pathlib.Path(str(result) + ".bytes").write_bytes(b"".join(buffers))  # to analyse differences
    pathlib.Path(result).write_text(corpus.row_of(name, buffers, printed.read_bytes()) + "\n")


def row_in_process(folder, name, symbol):
    """(the row or none, the last line of the error)"""
    result = folder / "out" / (name.replace("/", ".") + ".row")
    result.unlink(missing_ok=True)
    try:
        done = subprocess.run([sys.executable, __file__, "one", folder, name, symbol, result],
                              capture_output=True, text=True, timeout=SECONDS_A_FILE)
        problem = (done.stderr.strip().splitlines() or ["no message"])[-1]
    except subprocess.TimeoutExpired:
        problem = "it did not end"
    return corpus.rows(result), problem


def run_all(folder):
    (folder / "out").mkdir(exist_ok=True)
    launches = corpus.rows(folder / "launches.txt")
    with concurrent.futures.ThreadPoolExecutor(CONTEXTS) as pool:
        results = list(pool.map(lambda item: row_in_process(folder, *item), launches.items()))
    found, failed = {}, {}
    for name, (row, problem) in zip(launches, results):
        found.update(row)
        if not row:
            failed[name] = problem
            print("failed:", name, problem, flush=True)
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    driver = subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()[0]
    head = f"{Driver().card()}, driver {driver}, {datetime.date.today()}"
    corpus.write_rows(folder / "outputs.txt", [head], found)
    corpus.write_rows(folder / "failed.txt", ["file, error of the driver"], failed)
    print(len(found), "files ran,", len(failed), "failed")


def accept(folder):
    lines = (folder / "outputs.txt").read_text().splitlines()
    known = corpus.rows(corpus.GOLDEN / "outputs.txt")
    known.update(corpus.rows(folder / "outputs.txt"))
    parts = corpus.parts()
    known = {k: v for k, v in known.items() if k in parts}
    corpus.write_rows(corpus.GOLDEN / "outputs.txt", [lines[0][2:]], known)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("compile", "run", "one", "accept"):
        sys.exit(__doc__)
    place = pathlib.Path(sys.argv[2]).resolve()
    if sys.argv[1] == "compile":
        compile_all(place, sys.argv[3:])
    elif sys.argv[1] == "run":
        run_all(place)
    elif sys.argv[1] == "one":
        run_one(place, *sys.argv[3:])
    else:
        accept(place)
