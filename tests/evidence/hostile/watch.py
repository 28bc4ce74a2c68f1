# SPDX-License-Identifier: Apache-2.0
"""Runs a command and reports what it and its descendants used, and which of them outlived it.

    python3 watch.py --shown FILE --cpu SECONDS --memory BYTES --wall SECONDS
                     --cores N,N COMMAND...

The command runs in its own session. Orphans become children of this process, so none escapes.
Memory is the larger of the sum over all processes (sampled 20 times a second) and the peak of a
single process. If a limit is exceeded, everything is killed. The result is one line of JSON on
standard output. Linux only.
"""

import argparse
import contextlib
import ctypes
import json
import os
import pathlib
import resource
import select
import signal
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
PAGE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
INTERVAL = 50  # Milliseconds.
# A killed process needs a moment to disappear.
GRACE = 1.0  # Seconds.


def children(pid):
    """The children of all threads of a process; none if it has gone."""
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                text = pathlib.Path(f"/proc/{pid}/task/{thread}/children").read_text()
                yield from map(int, text.split())


def descendants(pid):
    for child in children(pid):
        yield child
        yield from descendants(child)


def statistics(pid):
    """The fields of /proc/PID/stat from the state on; None if the process has gone."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return None


def held(pid):
    """Bytes of memory, and seconds of processor time including children it waited for."""
    fields = statistics(pid)
    if fields is None:
        return 0, 0
    return int(fields[21]) * PAGE, sum(map(int, fields[11:15])) / TICKS


def alive():
    """Running descendants of this process."""
    for pid in descendants(os.getpid()):
        fields = statistics(pid)
        if fields and fields[0] not in "ZX":
            yield pid


def kill_all():
    """Kills all descendants, until they create no new ones."""
    while found := list(alive()):
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def name(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    return "?"


def wait(child, options):
    """Waits for the command; returns (why it was stopped, peak memory of all processes)."""
    end = time.monotonic() + options.wall
    ended = select.poll()
    descriptor = os.pidfd_open(child.pid)
    ended.register(descriptor, select.POLLIN)
    most = 0
    stopped = ""
    while not stopped and not ended.poll(INTERVAL):
        sizes, times = zip((0, 0), *map(held, descendants(os.getpid())))
        most = max(most, sum(sizes))
        if most > options.memory:
            stopped = f"it holds {most >> 20} MiB"
        elif sum(times) > options.cpu:
            stopped = f"it has used {sum(times):.0f} s of processor time"
        elif time.monotonic() > end:
            stopped = f"it has not ended after {options.wall:.0f} s"
    os.close(descriptor)
    return stopped, most


def outlived():
    """Names of descendants that still run a grace period after the command has ended."""
    end = time.monotonic() + GRACE
    while (found := list(alive())) and time.monotonic() < end:
        time.sleep(0.01)
    return [name(pid) for pid in found]


def reap():
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def watch(options):
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError("this system does not hand orphans over")
    os.sched_setaffinity(0, map(int, options.cores.split(",")))
    left = []
    with options.shown.open("wb") as output:
        child = subprocess.Popen(
            options.command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            stopped, most = wait(child, options)
            if not stopped:
                child.wait()
                left = outlived()
        finally:
            kill_all()
        child.wait()
    reap()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "code": child.returncode, "stopped": stopped, "left": left,
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 2),
        "memory_mib": max(most >> 20, usage.ru_maxrss >> 10),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shown", type=pathlib.Path, required=True)
    for limit in ("cpu", "memory", "wall"):
        parser.add_argument(f"--{limit}", type=float, required=True)
    parser.add_argument("--cores", required=True)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    print(json.dumps(watch(parser.parse_args())))


if __name__ == "__main__":
    sys.exit(main())
