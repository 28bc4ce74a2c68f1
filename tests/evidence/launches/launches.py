# SPDX-License-Identifier: Apache-2.0
"""The table of launches: its rows, the half of each, and their measured times.

launches.csv and applications.csv have one row per launch: name, kind, file, kernel, grid and block as 32x8x1, dynamic
shared bytes, and the arguments as for `warpgrade profile --arg`. A file without a slash is in
kernels/; any other is relative to the root of the project.

A launch is in the half "fit", to which constants of the time model may be fitted, or in the half
"held", to which none is ever fitted. half() decides by the name alone.
"""

import csv
import dataclasses
import hashlib
import json
import math
import os
import pathlib
import resource
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
COLUMNS = ["name", "kind", "file", "kernel", "grid", "block", "shared_bytes", "arguments"]
TABLE = FOLDER / "launches.csv"
APPLICATIONS = FOLDER / "applications.csv"
MEASURED = FOLDER / "h200.csv"
HALVES = ("fit", "held")
BYTES = {"i8": 1, "u8": 1, "i16": 2, "u16": 2, "f16": 2, "i32": 4, "u32": 4, "f32": 4,
         "i64": 8, "u64": 8, "f64": 8}


def half(name):
    """The half of the launch `name`: the lowest bit of the last byte of its SHA-256."""
    return HALVES[hashlib.sha256(name.encode()).digest()[-1] & 1]


@dataclasses.dataclass(frozen=True)
class Argument:
    """One parsed --arg; `count` is 0 for a number passed by value."""

    text: str

    @property
    def role(self):
        """"in", "out" or "value"."""
        first = self.text.split(":", 1)[0]
        return first if first in ("in", "out") else "value"

    @property
    def type(self):
        return self.text.split(":")[0 if self.role == "value" else 1]

    @property
    def count(self):
        return 0 if self.role == "value" else int(self.text.split(":")[2])

    @property
    def content(self):
        """"zeros", "iota", "random:SEED" or the number."""
        return {"in": lambda: self.text.split(":", 3)[3], "out": lambda: "zeros",
                "value": lambda: self.text.split(":", 1)[1]}[self.role]()

    @property
    def bytes(self):
        return self.count * BYTES[self.type]


@dataclasses.dataclass(frozen=True)
class Launch:
    name: str
    kind: str
    file: str
    kernel: str
    grid: tuple
    block: tuple
    shared_bytes: int
    arguments: tuple

    @property
    def half(self):
        return half(self.name)

    @property
    def path(self):
        return ROOT / self.file if "/" in self.file else FOLDER / "kernels" / self.file

    @property
    def bytes(self):
        """Total size of all buffers."""
        return sum(argument.bytes for argument in self.arguments)

    def profile_command(self, program, *options):
        """The command line that profiles this launch."""
        extents = [",".join(map(str, extent)) for extent in (self.grid, self.block)]
        command = [str(program), "profile", str(self.path), "--kernel", self.kernel,
                   "--grid", extents[0], "--block", extents[1]]
        if self.shared_bytes:
            command += ["--shared", str(self.shared_bytes)]
        for argument in self.arguments:
            command += ["--arg", argument.text]
        return command + list(map(str, options))


def extents(text):
    return tuple(int(part) for part in text.split("x"))


def read(*tables):
    """The launches in the order of the tables; without a table, those of both."""
    return [launch for table in tables or (TABLE, APPLICATIONS) for launch in read_table(table)]


def read_table(path):
    with path.open(newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        if rows.fieldnames != COLUMNS:
            raise ValueError(f"{path}: the columns are {rows.fieldnames}, not {COLUMNS}")
        return [
            Launch(row["name"], row["kind"], row["file"], row["kernel"], extents(row["grid"]),
                   extents(row["block"]), int(row["shared_bytes"]),
                   tuple(Argument(text) for text in row["arguments"].split()))
            for row in rows
        ]


def read_measured(path=MEASURED):
    """(lines of the head, {name: row}); empty if the file does not exist yet."""
    if not path.exists():
        return [], {}
    lines = path.read_text(encoding="utf-8").splitlines()
    head = [line for line in lines if line.startswith("#")]
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return head, {row["name"]: row for row in rows}


def interval(seconds):
    """(low, high): the 95 % confidence interval of the median, from order statistics."""
    ordered = sorted(seconds)
    reach = math.ceil(0.98 * math.sqrt(len(ordered)))
    middle = len(ordered) // 2
    return ordered[max(middle - reach, 0)], ordered[min(middle + reach, len(ordered) - 1)]


def profile(launch, program, *options, cpu_seconds=None, wall_seconds=None):
    """(report, "") of `warpgrade profile`, or (None, the reason for its failure)."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "profile.json"
        command = launch.profile_command(program, *options, "--json", out)

        def limit():
            if cpu_seconds:
                resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))

        try:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  preexec_fn=limit, timeout=wall_seconds, check=False,
                                  env={"WARPGRADE_ROOT": str(ROOT), **os.environ})
        except subprocess.TimeoutExpired:
            return None, f"it took more than {wall_seconds} s"
        if not out.exists():
            if done.returncode < 0:
                return None, (f"stopped by signal {-done.returncode}: "
                              f"more than {cpu_seconds} s of processor time?")
            text = done.stderr.decode("utf-8", "replace").strip()
            return None, " ".join(text.split()) or f"exit code {done.returncode}"
        report = json.loads(out.read_text(encoding="utf-8"))
        if report["diagnostics"]:
            first = report["diagnostics"][0]
            return None, f"{first['kind']}: {first['message']}"
        return report, ""
