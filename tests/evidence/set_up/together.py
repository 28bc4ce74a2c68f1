#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""together.py [--kill-after SECONDS...]: calls `./warpgrade` twice at once in a fresh clone.

By hand only, as it takes minutes. One call needs the students' program, the other one the whole program. Both must end
as if they were alone, and the next two must build nothing. Then the build folder is removed, both are called again, and
one of them is killed after SECONDS (2, 10 and 30 by default), while it or the other one sets up or builds. The other
one must complete the set-up.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Arguments, and a text that the call must print.
CALLS = {("list",): "coalescing/copy", ("check", "--help"): "Check the course"}


def begin(clone, words):
    return subprocess.Popen([clone / "warpgrade", *words], start_new_session=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def complete(call, words):
    """Waits for a call, which must succeed; returns its messages."""
    out, messages = call.communicate()
    if call.returncode != 0 or CALLS[words] not in out:
        sys.exit(f"./warpgrade {' '.join(words)}: exit code {call.returncode}\n{out}{messages}")
    return messages


def both(clone):
    """Two calls at once, and their messages."""
    calls = [(begin(clone, words), words) for words in CALLS]
    return "".join(complete(call, words) for call, words in calls)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--kill-after", type=float, nargs="*", default=(2, 10, 30), metavar="SECONDS")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as place:
        clone = pathlib.Path(place, "clone")
        subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
        messages = both(clone)
        if messages.count("setting up") != 1 or "waiting for another run" not in messages:
            sys.exit(f"one call must set up, and the other one wait:\n{messages}")
        if again := both(clone):
            sys.exit(f"the second time, both had something to do:\n{again}")
        print("two calls at once: one set up, both ended well, and the next two built nothing", flush=True)
        for seconds in chosen.kill_after:
            for killed, other in (CALLS, reversed(CALLS)):
                shutil.rmtree(clone / "build")
                victim, survivor = begin(clone, killed), begin(clone, other)
                time.sleep(seconds)
                os.killpg(victim.pid, signal.SIGKILL)
                victim.communicate()
                complete(survivor, other)
                complete(begin(clone, killed), killed)
                print(f"./warpgrade {' '.join(killed)} killed after {seconds:g} s: "
                      f"{' '.join(other)} completed the set-up", flush=True)


if __name__ == "__main__":
    main()
