# SPDX-License-Identifier: Apache-2.0
"""Checks that files with host code keep the device code that nvcc compiles from them.

    python3 tests/evidence/host_code/run.py [--ptx-of FILE] [--nvcc FILE] [--accept] [--verbose] [NAME...]

Each file or part (../split_file.py) of files/ is a file as people write them. Its head describes it,
and has these lines:

    left out:   the declarations that the grader leaves out, in the order of the file
    instances:  name expressions of the templates to instantiate (optional)

ptx_of runs the grader's compiler and prints the PTX. With --nvcc (a path, or "nvcc"), checks that

1. nvcc compiles the file and the text without host code to the same functions;
2. the grader's compiler makes the same functions, apart from comments and .loc lines. Calculations
   of addresses in shared, constant or local memory may differ: NVRTC uses 64 bits and nvcc 32, even
   in files without host code. No option changes that.

Without --nvcc, compares the grader's PTX with the digests in verified.txt. --accept writes these
for files that nvcc has verified. Exits 1 if anything differs.
"""

import argparse
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

import split_file

ROOT = FOLDER.parents[2]
DIGESTS = FOLDER / "verified.txt"
ARCHITECTURE = "compute_90"
HEAD = re.compile(r"^// (left out|instances): *(.*?)\r?$", re.MULTILINE)
# A function, from its linkage to its closing brace: the first one at the start of a line.
FUNCTION = re.compile(r"^(?:\.\w+ )*\.(?:entry|func)\b[^;]*?^\{.*?^\}", re.MULTILINE | re.DOTALL)
NOISE = re.compile(r"//.*|^\s*\.(?:loc|file|pragma)\b.*|/\*.*?\*/", re.MULTILINE)
# Entities with internal linkage have names that the compilers derive from the file's name.
OWN_NAME = re.compile(r"\d+_(?:INTERNAL|GLOBAL__N_)_*\w*?_cu_[0-9a-f]{8}(?:_\d+)?(?:_\d+)?")
# NVRTC and nvcc give instances of templates different linkage.
LINKAGE = re.compile(r"^\.(?:visible|weak|hidden)\s+")
# The toolkit's own kernels, which only host code instantiates. They are never graded.
OF_TOOLKIT = re.compile(r"_ZN(?:3cub|6thrust)")
NARROW = re.compile(r"\.(?:shared|const|local)\b")


def plain(text):
    """PTX without what may differ: comments, line numbers, blanks, names from the file name."""
    text = OWN_NAME.sub("OWN", NOISE.sub("", LINKAGE.sub("", text)))
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def functions(ptx):
    """Name of each function with a body -> its text."""
    out = {}
    for match in FUNCTION.finditer(ptx):
        text = plain(match[0])
        out[re.search(r"\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)", text)[1]] = text
    return {name: text for name, text in out.items() if not OF_TOOLKIT.match(name)}


def digest(parts):
    return hashlib.sha256("\n".join(parts[name] for name in sorted(parts)).encode()).hexdigest()


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout, done.stderr


def nvcc_functions(nvcc, file, *options):
    """The functions that nvcc compiles from `file`, with the headers of the corpus."""
    command = [nvcc, "-ptx", f"-arch={ARCHITECTURE}", "-lineinfo", "-std=c++17", "-w"]
    command += ["--expt-relaxed-constexpr"]
    command += ["-I", FOLDER / "files", "-I", FOLDER / "stubs", *options, file, "-o"]
    with tempfile.TemporaryDirectory() as folder:
        ptx = pathlib.Path(folder) / "out.ptx"
        code, _, errors = run([*command, ptx])
        if code != 0:
            raise RuntimeError(f"nvcc refuses {file}:\n{errors[:3000]}")
        return functions(ptx.read_text())


def keep(names):
    """Host code that instantiates the templates `names`."""
    return "".join(f"auto* keep{i} = &{name};\n" for i, name in enumerate(names))


def differences(what, ours, theirs, may_be_wide=False):
    for name in sorted(set(ours) | set(theirs)):
        if name not in ours:
            yield f"{what}: {name} is missing"
        elif name not in theirs:
            yield f"{what}: {name} is one more than nvcc's"
        elif ours[name] != theirs[name] and not (may_be_wide and NARROW.search(ours[name])):
            yield f"{what}: {name} differs\n--- nvcc\n{theirs[name]}\n--- ours\n{ours[name]}"


def compare(nvcc, file, names, device, ours):
    """(sentences on differences from nvcc, whether the PTX equals nvcc's exactly)"""
    with device.open("a") as text:
        text.write("\n" + keep(names))
    theirs = nvcc_functions(nvcc, file)
    relaxed = "-D__hd_cxpr=constexpr"  # the option above lets nvcc call it
    found = list(differences("of the text that is left", nvcc_functions(nvcc, device, relaxed), theirs))
    found += differences("compiled by the grader", ours, theirs, may_be_wide=True)
    return found, ours == theirs


def judge(file, options, digests, counts):
    """Sentences on the problems of one file."""
    head = dict(HEAD.findall(file.read_text(encoding="utf-8")))
    names = head.get("instances", "").split()
    with tempfile.TemporaryDirectory() as folder:
        device = pathlib.Path(folder) / file.name
        code, ptx, errors = run([options.ptx_of, file, ARCHITECTURE, device, *names])
        if code != 0:
            return [f"is refused:\n{errors}"]
        ours = functions(ptx)
        left_out = ", ".join(re.findall("^left out: (.*)$", errors, re.MULTILINE)) or "nothing"
        found = []
        if left_out != head["left out"]:
            found.append(f"left out is {left_out}; its head says {head['left out']}")
        if not any(".entry" in text for text in ours.values()):
            found.append("has no kernel")
        if options.nvcc:
            try:
                more, is_same = compare(options.nvcc, file, names, device, ours)
            except RuntimeError as error:
                return [*found, str(error)]
            found += more
            counts["same"] += is_same
            digests[file.stem] = digest(ours)
        elif digests.get(file.stem) != digest(ours):
            found.append("has other PTX than nvcc has judged: run with --nvcc nvcc, then --accept")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    built = ROOT / "build/tests/evidence/host_code/ptx_of"
    parser.add_argument("--ptx-of", default=built, help="the built ptx_of")
    parser.add_argument("--nvcc", help="the nvcc to compare with")
    parser.add_argument("--accept", action="store_true", help="write the digests of nvcc's results")
    parser.add_argument("--verbose", action="store_true", help="show the PTX that differs")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if options.accept and not options.nvcc:
        parser.error("--accept needs --nvcc")
    lines = DIGESTS.read_text().splitlines() if DIGESTS.is_file() else []
    digests = dict(line.split() for line in lines if not line.startswith("#"))
    failed, counts = 0, {"same": 0}
    with tempfile.TemporaryDirectory() as place:
        submission = pathlib.Path(place) / "files"
        shutil.copytree(FOLDER / "files/headers", submission / "headers")
        shutil.copytree(FOLDER / "common", submission.parent / "common")
        files = split_file.write_parts((FOLDER / "files").glob("*.cu"), submission)
        files = [file for file in files if not options.names or file.stem in options.names]
        for file in files:
            found = judge(file, options, digests, counts)
            failed += bool(found)
            for problem in found:
                print(f"{file.stem}: {problem if options.verbose else problem[:600]}")
    if options.accept and not failed:
        head = "# SHA-256 of the functions in the grader's PTX, as nvcc has judged them right.\n"
        DIGESTS.write_text(head + "".join(f"{k} {v}\n" for k, v in sorted(digests.items())))
    print(f"{len(files) - failed} of {len(files)} files keep their device code")
    if options.nvcc:
        print(f"{counts['same']} of them equal nvcc's PTX exactly, the rest except for addresses")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
