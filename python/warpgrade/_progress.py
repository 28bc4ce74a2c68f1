# SPDX-License-Identifier: Apache-2.0
"""Shows how long a call has been running: in a notebook, and on a terminal."""

from __future__ import annotations

import sys
from typing import Any, Optional

_QUIET = 2  # seconds without a message


def in_notebook() -> bool:
    """Whether this code runs in a notebook's kernel."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


class Elapsed:
    """The message of one call; `what` names it."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._handle: Optional[Any] = None
        self._is_shown = False

    def show(self, seconds: int) -> None:
        """Updates the message after so many seconds."""
        if seconds < _QUIET:
            return
        text = f"warpgrade {self._what}: {seconds} s; interrupt to stop"
        if in_notebook():
            self._display(text)
        elif sys.stderr.isatty():
            self._is_shown = True
            sys.stderr.write(f"\r{text}")
            sys.stderr.flush()

    def end(self) -> None:
        """Removes the message."""
        if self._handle is not None:
            self._display("")
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")

    def _display(self, text: str) -> None:
        from IPython.display import display

        shown = {"text/plain": text}
        if self._handle is None:
            self._handle = display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)
