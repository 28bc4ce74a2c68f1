# SPDX-License-Identifier: Apache-2.0
"""Writes a header with a digest of all files in folders, and a list of these files for ninja.

Arguments: the header, the list, the name of the constant, the folders. A folder is in the list, too: it
changes when a file is added or removed.
"""
import hashlib
import pathlib
import sys


def main():
    header, listed, name = sys.argv[1:4]
    folders = [pathlib.Path(folder) for folder in sys.argv[4:]]
    files = sorted(file for folder in folders for file in folder.iterdir() if file.is_file())
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.name} {file.stat().st_size}\n".encode() + file.read_bytes())
    pathlib.Path(header).write_text(
        f'#pragma once\n\ninline constexpr const char* {name} = "{digest.hexdigest()}";\n'
    )
    paths = " ".join(str(path).replace(" ", r"\ ") for path in [*folders, *files])
    pathlib.Path(listed).write_text(f"{header}: {paths}\n")


if __name__ == "__main__":
    main()
