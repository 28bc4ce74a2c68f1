# SPDX-License-Identifier: Apache-2.0
"""Grades hundreds of hostile files on the simulator and checks what each does to the machine.

    python3 tests/evidence/hostile/run.py [--jobs N] [--program FILE] [--json FILE [--missing]]
                                          [--quick] [--accept] [--list] [--keep FOLDER] [NAME...]

NAME is FAMILY or FAMILY/NAME. --list prints all names; --keep only writes the files to a folder.
Each file is graded alone, in its own folders and on two cores, as on a small machine. A grade must
have exit code 0 or 1 (3 for the few files in NOT_SIMULATED), a valid JSON report on the exercise,
and no control characters in its output. All its processes together may use --cpu seconds of
processor time and --memory MiB. No process and no file may remain. Exits 1 if a file fails.
--accept updates README.md's table from the --json file. --limit stops a grade that runs too long.
"""

import argparse
import json
import os
import pathlib
import queue
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
sys.path.insert(0, str(FOLDER.parent))
import answers  # noqa: E402
import bulk  # noqa: E402
import damaged  # noqa: E402
import graded  # noqa: E402
import parts  # noqa: E402
import texts  # noqa: E402

try:
    from jsonschema import Draft202012Validator
except ImportError:
    Draft202012Validator = None

SCHEMA = ROOT / "docs/json/warpgrade.grade.schema.json"
WALL_LIMIT = 900  # Seconds, for grades that hang without using the processor.
MOST_SHOWN = 64 * 1024
MOST_JSON = 1024 * 1024
# Control characters except the line break, and characters that change the text direction.
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Files that the program keeps for the next run: times of its copy kernel, and compiled kernels of
# its own and of the course.
KEPT = re.compile(
    r"home/\.cache(/warpgrade(/copy_times\.json|/compiled(/[0-9a-f]{64}\.answer)?)?)? \(.*"
)
# README.md's table: files, exit codes and the peak use of a single file, by family.
COLUMNS = ("family", "files", "exit 0", "exit 1", "exit 3", "problems", "most CPU", "most memory")
# Exit code 3 is right: a card supports what these use; the simulator reports that it does not.
NOT_SIMULATED = {
    "assembly/surfaces": "surfaces",
    "assembly/textures": "textures",
}
# A few files of each family that take a second or less.
QUICK = (
    *("bytes/random_10000", "bytes/escapes_in_a_wrong_line", "bytes/ten_megabytes_of_spaces"),
    *("bytes/utf16", "binaries/gzip", "binaries/elf", "includes/0__dev_zero", "includes/itself"),
    *("includes/8_pipe", "bulk/stars", "bulk/brackets", "damaged/cut_3", "bytes/printable_3000000"),
    *("damaged/flip_2", "damaged/shuffle_4", "loops/printf_of_a_number_endless"),
    *("loops/scattered_loads_some", "barriers/waits_for_another_block", "answers/brackets"),
    *("addresses/out_of_bounds_in_every_thread", "assembly/breakpoint", "output/odd_formats"),
    *("language/line_directives", "answers/huge_numbers", "output/string_without_end"),
)


def every():
    """All hostile files, family by family."""
    found = [file for family in (texts, bulk, damaged, parts, answers) for file in family.files()]
    names = [file.name for file in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"two files have the name {', '.join(sorted(twice))}")
    return found


class Watched(graded.Grade):
    """A grade whose processes and folders are watched."""

    slots = queue.Queue()
    validator = None

    def run(self, arguments, submission, shown, limit):
        self.broken = ""
        with tempfile.TemporaryDirectory() as private:
            names = ("handed_in", "home", "tmp", "here")
            folders = [pathlib.Path(private) / name for name in names]
            for folder in folders:
                folder.mkdir()
            submission.write(folders[0])
            arguments[arguments.index(str(submission.file))] = str(folders[0] / submission.file)
            before = contents(folders)
            found = self.watched(arguments, folders, shown, limit)
            new = contents(folders) - before
            self.files = sorted(path for path in new if not KEPT.fullmatch(path))
        self.code = found["code"]
        self.ended = not found["stopped"]
        self.stopped, self.processes = found["stopped"], found["left"]
        self.raw = shown.read_bytes()
        self.measured = {
            "family": submission.family, "exercise": submission.exercise, "exit": found["code"],
            "cpu_seconds": found["cpu_seconds"], "memory_mib": found["memory_mib"],
        }

    def watched(self, arguments, folders, shown, limit):
        """The result of watch.py."""
        _, home, temporary, here = map(str, folders)
        private = {"HOME": home, "XDG_CACHE_HOME": f"{home}/.cache", "TMPDIR": temporary}
        watch = [sys.executable, "-B", FOLDER / "watch.py", "--shown", shown, "--cpu", limit]
        watch += ["--memory", self.memory << 20, "--wall", WALL_LIMIT]
        # Each file is compiled, whatever the tests' compiler has kept.
        variables = {name: value for name, value in os.environ.items() if name != "WARPGRADE_COMPILER"}
        cores = self.slots.get()
        try:
            done = subprocess.run(
                [*map(str, watch), "--cores", cores, *arguments], cwd=here,
                env={**variables, **private, "WARPGRADE_ROOT": str(ROOT)},
                stdout=subprocess.PIPE, check=True,
            )
        finally:
            self.slots.put(cores)
        return json.loads(done.stdout)

    def read(self, report):
        """Reads the report; records why it is invalid."""
        try:
            if report.stat().st_size > MOST_JSON:
                self.broken = f"the report has {report.stat().st_size} bytes of JSON"
            found = json.loads(report.read_text(encoding="utf-8"), parse_constant=float_of_no_json)
        except FileNotFoundError:
            return None
        except ValueError as error:
            self.broken = f"the report is no JSON: {error}"
            return None
        for error in self.validator.iter_errors(found) if self.validator else ():
            self.broken = f"the report is not as its schema says: {error.message[:200]}"
        if len(found.get("exercises", ())) != 1:
            self.broken = "the report does not have one exercise"
            return None
        return found


def float_of_no_json(text):
    raise ValueError(f"{text} is no number of JSON")


def contents(folders):
    """All paths below those folders, with their sizes."""
    return {
        f"{path.relative_to(folder.parent)} ({path.lstat().st_size} bytes)"
        for folder in folders
        for path in folder.rglob("*")
    }


def problems(file, grade, options):
    """Sentences on the forbidden effects of a grade."""
    if grade.stopped:
        yield f"was stopped: {grade.stopped}"
    elif grade.code < 0:
        yield f"died of signal {-grade.code}"
    elif grade.code not in (0, 1, 3):
        yield f"exit code {grade.code}: {grade.text[-500:]}"
    if grade.code == 3 and not is_excused(file, grade):
        yield f"could not be graded: {grade.stopped_by()}"
    if grade.broken:
        yield grade.broken
    elif not grade.json:
        yield f"no report: {grade.text[-500:]}"
    elif f"{grade.item['lab']}/{grade.item['exercise']}" != file.exercise:
        yield f"the report is on {grade.item['lab']}/{grade.item['exercise']}"
    else:
        yield from graded.code_problems(grade)
    used = grade.measured
    if used["cpu_seconds"] > options.cpu:
        yield f"used {used['cpu_seconds']} s of processor time, more than {options.cpu}"
    if used["memory_mib"] >= options.memory:
        yield f"held {used['memory_mib']} MiB, not less than {options.memory}"
    for name in grade.processes:
        yield f"left a process: {name}"
    for name in grade.files:
        yield f"left a file: {name}"
    yield from text_problems(grade.raw)


def is_excused(file, grade):
    """Whether the file is known to be ungradable, and the report states that reason."""
    return NOT_SIMULATED.get(file.name, "?") + " are not simulated" in grade.stopped_by()


def text_problems(raw):
    text = raw.decode("utf-8", "replace")
    if text.encode() != raw:
        yield "the text is not UTF-8"
    if found := CONTROLS.search(text):
        line = text[: found.start()].rpartition("\n")[2] + text[found.start() :].partition("\n")[0]
        yield f"the text has the control character {found[0]!a}: {line[:200]!a}"
    if len(raw) > MOST_SHOWN:
        yield f"the text has {len(raw)} bytes"


def table_rows(text):
    """Cells by family."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {row[0]: row for row in cells if len(row) == len(COLUMNS) and row[0] != COLUMNS[0]}


def by_family(files):
    found = {}
    for file in files:
        found.setdefault(file.family, []).append(file.name)
    return found


def table_row(family, names, results):
    """A line of the table; without results if the family was not graded completely."""
    done = [results[name] for name in names if name in results]
    cells = [family, str(len(names))]
    if len(done) < len(names):
        cells += [""] * (len(COLUMNS) - len(cells))
    else:
        cells += [str(sum(item["exit"] == code for item in done)) for code in (0, 1, 3)]
        cells.append(str(sum(not item["as_expected"] for item in done)))
        for key, unit in (("cpu_seconds", "s"), ("memory_mib", "MiB")):
            most = max(done, key=lambda item: item[key])
            cells.append(f"{most[key]:.0f} {unit}, `{most['file'].partition('/')[2]}`")
    return "| " + " | ".join(cells) + " |"


def accept(readme, files, results):
    """Replaces the table at the end of the file."""
    prose = readme.read_text(encoding="utf-8").partition("| family | files |")[0].splitlines()
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += [table_row(family, names, results) for family, names in by_family(files).items()]
    readme.write_text("\n".join([*prose, *lines]) + "\n", encoding="utf-8")


def table_problems(readme, files):
    """Families that the table lacks or counts incorrectly."""
    found = table_rows(readme.read_text(encoding="utf-8"))
    counts = {family: str(len(names)) for family, names in by_family(files).items()}
    for family, count in counts.items():
        if found.get(family, ["", ""])[1] != count:
            yield f"README.md: the row of {family} does not have {count} files; run with --accept"
    for family in found.keys() - counts.keys():
        yield f"README.md: there is no family {family}"


def core_pairs(jobs):
    """Two comma-separated cores for each job; jobs share cores if there are too few."""
    cores = sorted(os.sched_getaffinity(0))
    pairs = [cores[k : k + 2] for k in range(0, len(cores) - len(cores) % 2, 2)] or [cores]
    return [",".join(map(str, pairs[k % len(pairs)])) for k in range(jobs)]


def chosen(options):
    all_files = every()
    names = set(QUICK if options.quick else options.names)
    found = [file for file in all_files if not names or {file.name, file.family} & names]
    known = {word for file in all_files for word in (file.name, file.family)}
    missing = sorted(names - known)
    if missing:
        raise SystemExit(f"there is no {', '.join(missing)}")
    return all_files, found


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    graded.add_options(parser, ROOT)
    parser.add_argument("--cpu", type=float, default=60, help="seconds that a grade may use")
    parser.add_argument("--memory", type=int, default=4096, help="MiB that a grade may not reach")
    parser.add_argument("--quick", action="store_true", help="some of each family only")
    parser.add_argument("--accept", action="store_true", help="write README.md's table anew")
    parser.add_argument("--list", action="store_true", help="tell the names and exercises")
    parser.add_argument("--keep", type=pathlib.Path, help="write the files below this folder")
    options = parser.parse_args(arguments)
    all_files, found = chosen(options)
    if options.backend != "sim" or (options.missing and not options.json):
        parser.error("only --backend sim; --missing needs the --json file to go on from")
    if options.list or options.keep:
        for file in found:
            print(f"{file.name}  {file.exercise}")
            if options.keep:
                file.write(options.keep / file.name)
        return 0
    Watched.memory = options.memory
    if Draft202012Validator:
        Watched.validator = Draft202012Validator(json.loads(SCHEMA.read_text()))
    for cores in core_pairs(options.jobs):
        Watched.slots.put(cores)
    results = graded.grade_all(
        "file", found, options, lambda file, grade, _: problems(file, grade, options), Watched
    )
    failures = graded.unexpected(found, results)
    if options.accept:
        accept(FOLDER / "README.md", all_files, results.found)
    elif not options.names:
        for problem in table_problems(FOLDER / "README.md", all_files):
            print(problem)
            failures += 1
    graded.say_how_many(found, results, failures)
    return 1 if failures or not found else 0


if __name__ == "__main__":
    sys.exit(main())
