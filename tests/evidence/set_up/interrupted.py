#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""interrupted.py [--times N] [--seed N] [--longest SECONDS] [--signal KILL|INT] [--each]: ends
`./warpgrade list` of a fresh clone N times (50) at random moments of its set-up, with all that it
started, and then lets it end: the set-up must be completed, as if nothing had happened, and the second
call must build nothing.

By hand only, as it takes minutes: each call goes on where the one before was ended. With `--each` the
set-up is completed after each call, and its build folder removed: slower, but each call has to do it.
"""

import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]


def ended(command, seconds, name):
    """Runs the command for some seconds, then ends its whole process group; whether it had ended itself."""
    with subprocess.Popen(command, start_new_session=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, getattr(signal, f"SIG{name}"))
            return False


def completed(command):
    """Runs the command to its end; its standard output."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, text=True)
    if done.returncode != 0 or "coalescing/copy" not in done.stdout:
        sys.exit(f"not completed: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--times", type=int, default=50)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--longest", type=float, default=20, help="seconds before a call is ended")
    options.add_argument("--signal", choices=("KILL", "INT"), default="KILL")
    options.add_argument("--each", action="store_true", help="complete the set-up after each call")
    chosen = options.parse_args()
    moments = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as place:
        clone = pathlib.Path(place, "clone")
        subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
        command = [clone / "warpgrade", "list"]
        for call in range(chosen.times):
            seconds = moments.uniform(0, chosen.longest)
            whole = ended(command, seconds, chosen.signal)
            print(f"call {call + 1} of {chosen.times}: {'had ended' if whole else f'ended after {seconds:.2f} s'}",
                  flush=True)
            if chosen.each:
                completed(command)
                subprocess.run(["rm", "-rf", clone / "build"], check=True)
        completed(command)
        start = time.monotonic()
        again = completed(command)
        if "building" in again.stderr or "setting up" in again.stderr:
            sys.exit(f"the second call built:\n{again.stderr}")
        print(f"completed; the second call took {time.monotonic() - start:.2f} s")


if __name__ == "__main__":
    main()
