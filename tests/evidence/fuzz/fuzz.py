#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a fuzzer on its corpus, and keeps the corpora small.

  fuzz.py run PROGRAM CORPUS [OPTION...]     runs every input once; a fuzzer then obeys its options
  fuzz.py merge PROGRAM CORPUS FOLDER...     replaces the corpus by those of its and the folders'
                                             inputs that reach different code, as small as possible

A corpus is a .tar.xz, because it has a thousand similar files of a few hundred bytes each. Exits
with 0 if nothing was found.
"""
import pathlib
import subprocess
import sys
import tarfile
import tempfile


def unpack(corpus, folder):
    with tarfile.open(corpus) as archive:
        archive.extractall(folder)


def pack(corpus, inputs):
    with tarfile.open(corpus, "w:xz", preset=9) as archive:
        for file in inputs:
            # Without time and owner, so that equal inputs give equal archives.
            entry = tarfile.TarInfo(file.name)
            entry.size = file.stat().st_size
            with file.open("rb") as content:
                archive.addfile(entry, content)


def run(program, corpus, options):
    with tempfile.TemporaryDirectory() as folder:
        unpack(corpus, folder)
        return subprocess.run([program, *options, folder], check=False).returncode


def merge(program, corpus, folders):
    with tempfile.TemporaryDirectory() as old, tempfile.TemporaryDirectory() as new:
        if pathlib.Path(corpus).exists():
            unpack(corpus, old)
        command = [program, "-merge=1", "-max_len=16384", "-timeout=20", new, old, *folders]
        status = subprocess.run(command, check=False).returncode
        if status != 0:
            return status
        inputs = sorted(pathlib.Path(new).iterdir())
        pack(corpus, inputs)
    print(f"{corpus}: {len(inputs)} inputs, {pathlib.Path(corpus).stat().st_size} bytes")
    return 0


def main():
    command, program, corpus, *rest = sys.argv[1:]
    return {"run": run, "merge": merge}[command](program, corpus, rest)


if __name__ == "__main__":
    sys.exit(main())
