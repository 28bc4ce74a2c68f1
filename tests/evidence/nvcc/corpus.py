# SPDX-License-Identifier: Apache-2.0
"""The files of the differential corpus, their heads, and the results of nvcc and a card.

A file of right/ or wrong/ holds the small files of one subject as parts (../split_file.py):

    //--- NAME
    // A sentence that describes the test.
    // launch: --kernel NAME --grid X,Y,Z --block X,Y,Z [--shared BYTES] [--cooperative]
    //     [--cluster X,Y,Z] --arg SPEC...

The launch line of a right part has options of `warpgrade profile`; a wrong part has none. A row of
verdicts.txt is `NAME refused LINE: MESSAGE`, or `NAME accepted` if it has no launch. A row of outputs.txt is `NAME DIGEST
WORDS...`: SHA-256 (16 hexadecimal digits) of all buffers that the kernel may write and of the text
that it prints, and the first words of the buffers.
"""

import hashlib
import pathlib
import shlex
import struct
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

import split_file

GOLDEN = FOLDER.parent / "golden" / "h100_nvcc"
SHOWN_WORDS = 8
FORMATS = {"i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q",
           "u64": "Q", "f16": "e", "f32": "f", "f64": "d", "bool": "?"}


def parts():
    """right/NAME or wrong/NAME -> its text."""
    found = {}
    for file in [*(FOLDER / "right").glob("*.cu"), *(FOLDER / "wrong").glob("*.cu")]:
        for name, text in split_file.parts(file).items():
            found[f"{file.parent.name}/{name.removesuffix('.cu')}"] = text
    return dict(sorted(found.items()))


def write_files(folder, names=()):
    """Writes every part, or those with these names (right/NAME or NAME), as a file; returns the paths."""
    found = []
    for verdict in ("right", "wrong"):
        files = split_file.write_parts((FOLDER / verdict).glob("*.cu"), folder / verdict)
        found += [file for file in files if not names or name_of(file) in names or file.stem in names]
    return found


def name_of(file):
    return f"{file.parent.name}/{file.stem}"


def launch_of(text):
    """Options of the launch line: kernel, grid, block, shared, cooperative, cluster, arguments; or None."""
    for line in text.splitlines()[:6]:
        if line.startswith("// launch: "):
            words = shlex.split(line[11:])
            break
    else:
        return None
    launch = {"kernel": "", "grid": (1, 1, 1), "block": (1, 1, 1), "shared": 0,
              "cooperative": False, "cluster": None, "arguments": []}
    while words:
        option = words.pop(0)[2:]
        if option == "cooperative":
            launch[option] = True
            continue
        value = words.pop(0)
        if option == "arg":
            launch["arguments"].append(value)
        elif option in ("grid", "block", "cluster"):
            extents = [int(v) for v in value.split(",")]
            launch[option] = tuple(extents + [1] * (3 - len(extents)))
        else:
            launch[option] = int(value) if option == "shared" else value
    return launch


def argument(spec):
    """(bytes, is a buffer, the kernel may write it) of an argument as `warpgrade profile` reads it."""
    kind, _, rest = spec.partition(":")
    if kind == "struct":
        return bytes.fromhex(rest), False, False
    if kind not in ("in", "out", "inout"):
        number = float(rest) if kind in ("f32", "f64") else int(rest)
        return struct.pack("<" + FORMATS[kind], number), False, False
    name, count, *fill = rest.split(":")
    values = range(int(count)) if fill == ["iota"] else [0] * int(count)
    bits = 8 * struct.calcsize(FORMATS[name])
    if name[0] in "iu":  # an iota of a narrow type wraps around
        values = [v % 2**bits for v in values]
        values = [v - 2**bits if name[0] == "i" and v >= 2 ** (bits - 1) else v for v in values]
    return struct.pack("<%d%s" % (int(count), FORMATS[name]), *values), True, kind != "in"


def row_of(name, buffers, printed):
    """A row of outputs.txt; `buffers`: bytes of each buffer that the kernel may write."""
    data = b"".join(buffers)
    digest = hashlib.sha256(data + printed).hexdigest()[:16]
    data = data[: 4 * SHOWN_WORDS]
    data += bytes(-len(data) % 4)
    words = struct.unpack("<%dI" % (len(data) // 4), data)
    return " ".join([name, digest, *("%x" % word for word in words)])


def rows(file):
    """First word -> the rest of each row of a golden file."""
    if not file.is_file():
        return {}
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    return dict((line.split(" ", 1) + [""])[:2] for line in lines)


def write_rows(file, head, found):
    lines = [f"# {line}\n" for line in head] + [f"{k} {v}".rstrip() + "\n" for k, v in sorted(found.items())]
    file.write_text("".join(lines))
