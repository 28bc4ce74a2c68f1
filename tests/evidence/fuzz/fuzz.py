#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a fuzzer on its corpus, and keeps the corpora small.

  fuzz.py run PROGRAM CORPUS.zip [OPTION...]     every input once; a fuzzer then goes on by OPTION
  fuzz.py merge PROGRAM CORPUS.zip FOLDER...     the zip becomes the inputs of it and of the folders
                                                 that reach different code, each as small as known

A zip, since a corpus is a thousand files of a few hundred bytes each. Exit code 0: nothing found.
"""
import pathlib
import subprocess
import sys
import tempfile
import zipfile


def run(program, corpus, options):
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(corpus).extractall(folder)
        return subprocess.run([program, *options, folder], check=False).returncode


def merge(program, corpus, folders):
    with tempfile.TemporaryDirectory() as old, tempfile.TemporaryDirectory() as new:
        if pathlib.Path(corpus).exists():
            zipfile.ZipFile(corpus).extractall(old)
        command = [program, "-merge=1", "-max_len=16384", "-timeout=20", new, old, *folders]
        status = subprocess.run(command, check=False).returncode
        if status != 0:
            return status
        inputs = sorted(pathlib.Path(new).iterdir())
        with zipfile.ZipFile(corpus, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
            for file in inputs:
                # A fixed time: the same inputs are the same zip.
                out.writestr(zipfile.ZipInfo(file.name), file.read_bytes(), zipfile.ZIP_DEFLATED)
    print(f"{corpus}: {len(inputs)} inputs, {pathlib.Path(corpus).stat().st_size} bytes")
    return 0


def main():
    command, program, corpus, *rest = sys.argv[1:]
    return {"run": run, "merge": merge}[command](program, corpus, rest)


if __name__ == "__main__":
    sys.exit(main())
