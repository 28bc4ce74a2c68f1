#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads files that hold many small ones as parts, in the form that LLVM's split-file reads.

A line `//--- NAME` begins a part, or `#--- NAME`. The licence is the first line of each part, too, so
lines count from there. A NAME without a dot has the extension of the file.

    split_file.py FILE... FOLDER    writes the parts of FILE, or FILE if it has none, into FOLDER
"""

import pathlib
import re
import sys

MARK = re.compile(r"\n(?://|#)--- (.+)\n")


def parts(file):
    """File name -> text of each part; of the file itself if it has none."""
    text = file.read_bytes().decode("utf-8")
    head, *rest = MARK.split(text)
    if not rest:
        return {file.name: text}
    licence = head[: head.find("\n") + 1]
    names = [name if "." in name else name + file.suffix for name in rest[::2]]
    return {name: licence + body for name, body in zip(names, rest[1::2])}


def write_parts(files, folder):
    """Writes the parts of all files; returns their paths, sorted."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for file in files:
        for name, text in parts(file).items():
            found.append(folder / name)
            found[-1].write_bytes(text.encode("utf-8"))
    return sorted(found)


if __name__ == "__main__":
    *given, place = map(pathlib.Path, sys.argv[1:])
    write_parts(given, place)
