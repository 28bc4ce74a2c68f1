# SPDX-License-Identifier: Apache-2.0
"""Keeps processes of the program that answer many calls, so that a call starts and compiles nothing.

A process has one call at a time. Threads that call at the same time get a process each. A process ends with
this one, is replaced if the program or the environment has changed, and belongs to this process alone: the
children of a fork start their own.
"""

from __future__ import annotations

import atexit
import os
import select
import subprocess
import threading
from typing import Any, Callable, Optional, Sequence

from warpgrade.errors import ToolError

_COMMAND = "requests"
_SECOND = 1.0

Identity = tuple[str, int, dict[str, str]]


class _Server:
    """One process."""

    def __init__(self, identity: Identity) -> None:
        self.identity = identity
        # A session of its own: an interrupt at the terminal ends a call, and not the processes that wait.
        self._process = subprocess.Popen([identity[0], _COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, env=identity[2], start_new_session=True)

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def call(self, folder: str, arguments: Sequence[str], show: Callable[[int], None]) -> Optional[int]:
        """The exit code of the program with these arguments in `folder`; None if the process ended."""
        words = [folder, *arguments]
        request = str(len(words)).encode() + b"\n" + b"".join(os.fsencode(word) + b"\0" for word in words)
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(request)
            process.stdin.flush()
        except BrokenPipeError:
            return None
        seconds = 0
        while not select.select([process.stdout], [], [], _SECOND)[0]:
            seconds += 1
            show(seconds)
        answer = process.stdout.readline()
        return int(answer) if answer else None

    def end(self) -> int:
        """Ends the process, whatever it does; returns its exit code, negative for a signal."""
        self._process.kill() if self.is_alive() else None
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:
                pass
        return self._process.wait()

    def explain_end(self) -> str:
        """Why the process ended by itself: the signal or exit code, and its last words."""
        assert self._process.stderr is not None
        code = self._process.wait()
        words = self._process.stderr.read().decode("utf-8", "replace").strip()
        return f"the program ended with {f'signal {-code}' if code < 0 else f'exit code {code}'}\n{words}".rstrip()


_lock = threading.Lock()
_idle: list[_Server] = []
_of_the_parent: list[Any] = []  # kept, so that a child of a fork does not touch them


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    _of_the_parent.append(list(_idle))
    _idle.clear()


def _end_all() -> None:
    with _lock:
        for server in _idle:
            server.end()
        _idle.clear()


os.register_at_fork(after_in_child=_after_fork)
atexit.register(_end_all)


def _take(identity: Identity) -> _Server:
    with _lock:
        while _idle:
            server = _idle.pop()
            if server.identity == identity and server.is_alive():
                return server
            server.end()
    return _Server(identity)


def call(program: str, environment: dict[str, str], folder: str, arguments: Sequence[str], show: Callable[[int], None]) -> int:
    """Runs the program with these arguments in `folder`, where `stdout` and `stderr` get its output.

    `show` is called once per second. Returns the exit code.

    Raises:
        ToolError: the process ended.
        OSError: it cannot be started.
    """
    server = _take((program, os.stat(program).st_mtime_ns, environment))
    try:
        code = server.call(folder, arguments, show)
    except BaseException:  # also an interrupt of the cell: the answer would belong to the next call
        server.end()
        raise
    if code is None:
        why = server.explain_end()
        server.end()
        raise ToolError(why)
    with _lock:
        _idle.append(server)
    return code
