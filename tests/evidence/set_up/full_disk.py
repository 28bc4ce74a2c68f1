#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""full_disk.py [--sizes MB...]: sets up a fresh copy of the project on disks that are too small, then makes room.

Needs root, for a tmpfs. By hand only: the build at the end needs minutes without a compiler cache. At each size
`./warpgrade list` must print which disk is full, and exit with 3. With room, the same command must complete the set-up,
and the next call must build nothing.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
ENOUGH = 2048  # MB


def call(copy):
    return subprocess.run([copy / "warpgrade", "list"], stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          text=True)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--sizes", type=int, nargs="+", default=[0, 1, 4, 16],
                         help="free MB after the copy, in ascending order")
    sizes = options.parse_args().sizes
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ENOUGH}m", "tmpfs", place], check=True)
        try:
            copy = pathlib.Path(place, "copy")
            subprocess.run(["git", "clone", "-q", ROOT, copy], check=True)
            used = int(subprocess.run(["du", "-sk", place], capture_output=True, check=True, text=True).stdout.split()[0])
            for free in sizes:
                subprocess.run(["mount", "-o", f"remount,size={used + free * 1024}k", place], check=True)
                done = call(copy)
                print(f"{free} MB free: exit code {done.returncode}\n{done.stderr[-400:]}", flush=True)
                if done.returncode != 3 or not ("is full" in done.stderr or "is the disk full?" in done.stderr):
                    sys.exit("the message must say that the disk is full, with exit code 3")
            subprocess.run(["mount", "-o", f"remount,size={ENOUGH}m", place], check=True)
            for attempt in ("with room", "again"):
                done = call(copy)
                print(f"{attempt}: exit code {done.returncode}", flush=True)
                if done.returncode != 0 or "coalescing/copy" not in done.stdout:
                    sys.exit(f"not completed:\n{done.stderr}")
            if "building" in done.stderr or "setting up" in done.stderr:
                sys.exit(f"the second call built:\n{done.stderr}")
        finally:
            subprocess.run(["umount", "-l", place], check=True)


if __name__ == "__main__":
    main()
