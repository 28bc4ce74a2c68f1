# SPDX-License-Identifier: Apache-2.0
"""Nothing of a class is lost: each process killed in turn, also while submissions are unpacked, the roster is read
and exports are written; a full disk, a book or a spool that cannot be written, a clock that jumps. After the same
command again, every grade exists once and equals that of an undisturbed run.

WARPGRADE_KILLS is the number of kills (default: 7, one of each process). WARPGRADE_DRAW chooses other moments.
"""

import contextlib
import os
import pathlib
import random
import select
import signal
import sqlite3
import subprocess
import time
import unittest

from class_case import ROOT, ClassCase
from messy_export import Export

KILLS = int(os.environ.get("WARPGRADE_KILLS", "7"))
# The compiler process; `./warpgrade test` has one of its own.
COMPILER = pathlib.Path(os.environ.get("WARPGRADE_COMPILER", "warpgrade_compiler")).name
MOST_MISSED = 50  # runs that ended before a process of the wanted role was killed
MOST_IN_A_RUN = 2  # the third death over one submission counts against it
FAKETIME = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
DAY = 86400


def children(number):
    """(number, words) of each child of a process; none once it has ended."""
    with contextlib.suppress(OSError):
        for thread in pathlib.Path(f"/proc/{number}/task").iterdir():
            for child in (thread / "children").read_text().split():
                with contextlib.suppress(OSError):
                    yield int(child), pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")


def has_ended(run):
    """Whether a run has ended. Waits for its end a millisecond, which leaves the processor to the run."""
    if not hasattr(run, "end"):
        run.end = select.poll()
        run.end.register(os.pidfd_open(run.pid), select.POLLIN)
    run.end.poll(1)
    return run.poll() is not None


def roles(coordinator):
    """The processes of a run, by purpose."""
    found = {"coordinator": [coordinator]}

    def role_of(words, words_of_parent):
        name = pathlib.Path(os.fsdecode(words[0])).name
        if name == "bwrap":
            return "outer bwrap" if b"class-worker" in words_of_parent else "inner bwrap"
        if name == COMPILER:
            return "compiler"
        if b"class-worker" in words[1:2]:
            return "worker"
        if b"class-judge" in words[1:2]:
            return "child" if b"class-judge" in words_of_parent[1:2] else "judge"
        return None

    def add_children(parent, words_of_parent):
        for number, words in children(parent):
            if role := role_of(words, words_of_parent):
                found.setdefault(role, []).append(number)
            add_children(number, words)

    add_children(coordinator, [])
    return found


def after_changes(run, count):
    """Returns once the processes of a run have changed `count` times, or it has ended."""
    before = roles(run.pid)
    while count > 0 and not has_ended(run):
        now = roles(run.pid)
        if now != before:
            before, count = now, count - 1


def can_mount(folder):
    done = subprocess.run(["mount", "--bind", folder, folder], capture_output=True, check=False)
    if done.returncode == 0:
        subprocess.run(["umount", folder], check=True)
    return done.returncode == 0


class NothingLost(ClassCase):
    undisturbed = []  # The grades of a run without trouble, made once.

    def setUp(self):
        super().setUp()
        self.write("ada/coalescing/copy.cu", self.right)
        self.write("ada/bank_conflicts/predict.toml", self.answers)
        self.write("bob/coalescing/copy.cu", self.skeleton)
        self.write("bob/bank_conflicts/predict.toml", self.answers.replace("1", "2", 1))
        self.write("eve/coalescing/copy.cu", "no kernel")
        if not self.undisturbed:
            self.run_class(0)
            self.undisturbed.extend(self.grades())
            self.book.unlink()

    def begin(self, **environment):
        words = ("run", self.book, self.submissions, "--backend", "sim", "--workers", "2")
        return subprocess.Popen(
            **self.command(*words, **environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def expect_whole(self):
        self.assertEqual(self.undisturbed, self.grades())
        self.assertEqual([(0,)], self.ask("SELECT count(*) - count(DISTINCT key) FROM grade"))
        self.assertEqual([("ok",)], self.ask("PRAGMA integrity_check"))
        self.assertEqual([(0,)], self.ask("SELECT count(*) FROM open_attempt"))

    def kill_one(self, run, role, draw):
        """Whether a process of that role was killed before the run ended."""
        while not has_ended(run):
            if role not in roles(run.pid):
                continue
            after_changes(run, draw.randrange(4))
            victims = roles(run.pid).get(role)
            if not victims:
                continue
            with contextlib.suppress(ProcessLookupError):
                os.kill(draw.choice(victims), signal.SIGKILL)
                return run.poll() is None or role == "coordinator"
        return False

    def test_each_process_killed_in_turn_at_any_moment(self):
        draw = random.Random(os.environ.get("WARPGRADE_DRAW", "19"))
        order = ["coordinator", "worker", "outer bwrap", "inner bwrap", "judge", "child", "compiler"]
        run, kills, in_run, missed, done = self.begin(), 0, 0, 0, {}
        if "bubblewrap" not in self.sandbox(run):
            order = [role for role in order if "bwrap" not in role]
        while kills < KILLS:
            role = order[kills % len(order)]
            if in_run < MOST_IN_A_RUN and self.kill_one(run, role, draw):
                kills += 1
                done[role] = done.get(role, 0) + 1
                in_run += 0 if role == "coordinator" else 1
                if role == "coordinator":
                    run.communicate()
                    run, in_run = self.begin(), 0
                continue
            missed += in_run < MOST_IN_A_RUN
            self.assertLess(missed, MOST_MISSED, f"no {role} was killed")
            words = run.communicate()[0]
            self.assertEqual(0, run.returncode, words + self.program(0, "status", self.book))
            self.expect_whole()
            self.book.unlink()
            run, in_run = self.begin(), 0
        words = run.communicate()[0]
        self.assertEqual(0, run.returncode, words)
        self.expect_whole()
        print(f"{kills} kills:", ", ".join(f"{n} {role}" for role, n in done.items()))

    def sandbox(self, run):
        return run.stdout.readline()

    def need_mounts(self):
        if not can_mount(self.folder):
            self.skipTest("mounts are not allowed here")

    @contextlib.contextmanager
    def mounted(self, folder, *words):
        subprocess.run(["mount", *words, folder], check=True)
        try:
            yield
        finally:
            subprocess.run(["umount", folder], check=True)

    def read_only(self, folder):
        subprocess.run(["mount", "--bind", folder, folder], check=True)
        return self.mounted(folder, "-o", "remount,ro,bind")

    def test_a_full_disk_costs_nothing_once_there_is_room(self):
        self.need_mounts()
        disk = self.folder / "disk"
        disk.mkdir()
        self.book = disk / "book.db"
        # Room for nothing; for the book but not for the spool; for some grades.
        for kilobytes in (8, 160, 250):
            with self.mounted(disk, "-t", "tmpfs", "-o", f"size={kilobytes}k", "none"):
                words = self.run_class(3, "--workers", "2")
                self.assertRegex(words, "free some space|No space left on device", kilobytes)
                subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
                self.run_class(0)
                self.expect_whole()

    def test_no_room_for_a_submissions_files_is_no_grade_of_it(self):
        self.need_mounts()
        disk = self.folder / "small"
        disk.mkdir()
        environment = {"TMPDIR": str(disk), "WARPGRADE_NO_BUBBLEWRAP": "1"}
        with self.mounted(disk, "-t", "tmpfs", "-o", "size=4k,nr_inodes=2", "none"):
            words = self.run_class(3, **environment)
            self.assertIn("No space left on device", words)
            self.assertIn("run the same command again", words)
            subprocess.run(["mount", "-o", "remount,size=64m,nr_inodes=1000", disk], check=True)
            self.run_class(0, **environment)
        self.expect_whole()

    def test_a_book_that_may_not_be_written_is_told_and_can_be_read(self):
        self.need_mounts()
        place = self.folder / "place"
        place.mkdir()
        self.book = place / "book.db"
        self.run_class(0, "--only", "ada")
        with self.read_only(place):
            self.assertIn("book.db.lock: cannot be written: Read-only file system", self.run_class(3))
            self.assertIn("coalescing/copy", self.program(0, "status", self.book))
            self.program(0, "export", self.book, "--format", "csv", "--out", self.folder / "out.csv")
        self.run_class(0)
        self.expect_whole()

    def test_a_spool_that_may_not_be_written_is_told(self):
        self.need_mounts()
        spool = self.folder / "book.db.spool"
        spool.mkdir()
        with self.read_only(spool):
            words = self.run_class(3)
            self.assertRegex(words, r"book.db.spool/\w+: cannot be made: Read-only file system")
        self.run_class(0)
        self.expect_whole()

    def test_a_clock_that_jumps_changes_no_grade(self):
        if FAKETIME is None:
            self.skipTest("libfaketime is missing (Debian: faketime)")
        clock = self.folder / "clock"
        draw = random.Random(19)
        fake = {
            "LD_PRELOAD": str(FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "WARPGRADE_NO_BUBBLEWRAP": "1",
            # The tests' compiler process reads NVRTC's libraries again if their times differ.
            "WARPGRADE_COMPILER": None,
        }
        for round_ in range(3):
            # Each run begins on a different day, even if it ends at once.
            clock.write_text(f"{(round_ - 1) * 800 * DAY:+}")
            run = self.begin(**fake)
            while not has_ended(run):
                aside = clock.with_suffix(".new")
                aside.write_text(f"{draw.randrange(-900 * DAY, 900 * DAY):+}")
                aside.rename(clock)
                if round_ < 2 and self.some_graded():
                    run.kill()
            words = run.communicate()[0]
        self.assertEqual(0, run.returncode, words)
        self.expect_whole()
        times = {t[:10] for (t,) in self.ask("SELECT graded_at FROM grade UNION SELECT began_at FROM run")}
        self.assertGreater(len(times), 1, "the clock did not jump")

    def some_graded(self):
        with contextlib.suppress(sqlite3.Error):
            return self.ask("SELECT count(*) FROM grade")[0][0] > 0
        return False


# As bubblewrap between the start of its inner process and the message that this process waits for. The first call
# to start a judge stays there; the others start theirs.
HALF_STARTED = """#!/bin/sh
case "$*" in *" /bin/true") exit 0 ;; esac
if mkdir FOLDER/first 2>/dev/null; then
  WORKER=$PPID sh -c 'cd FOLDER; exec 9>alive; echo $WORKER >started; exec 8<never' &
  wait
fi
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"""


class KilledAtStart(ClassCase):
    """A process that waits for one that was killed holds up nobody."""

    def setUp(self):
        super().setUp()
        self.write("ada/coalescing/copy.cu", self.right)
        for name in ("alive", "started", "never"):
            os.mkfifo(self.folder / name)
        program = self.folder / "bin" / "bwrap"
        program.parent.mkdir()
        program.write_text(HALF_STARTED.replace("FOLDER", str(self.folder)))
        program.chmod(0o755)

    def begin(self):
        """A run whose first judge has half started; its worker."""
        alive = os.open(self.folder / "alive", os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, alive)
        words = ("run", self.book, self.submissions, "--backend", "sim", "--workers", "1")
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        run = subprocess.Popen(
            **self.command(*words, PATH=path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        worker = int((self.folder / "started").read_text())
        self.addCleanup(self.let_go)
        return run, worker, alive

    def let_go(self):
        """Ends the waiting process, if it is still there."""
        with contextlib.suppress(OSError):
            os.close(os.open(self.folder / "never", os.O_WRONLY | os.O_NONBLOCK))

    def test_a_killed_worker_leaves_no_process_and_the_run_ends(self):
        run, worker, alive = self.begin()
        os.kill(worker, signal.SIGKILL)
        words = run.communicate(timeout=120)[0]
        self.assertEqual(0, run.returncode, words)
        self.assertIn("bubblewrap", words)
        ended = select.poll()
        ended.register(alive)
        self.assertEqual([(alive, select.POLLHUP)], ended.poll(60_000))
        self.assertEqual("10", self.exported()[0]["points"])

    def test_a_killed_run_closes_its_output(self):
        run, _, _ = self.begin()
        run.kill()
        run.communicate(timeout=60)


INTAKE_KILLS = 8


def unpackers(coordinator):
    """The children of the run that unpack an archive."""
    return [number for number, words in children(coordinator) if b"class-unpack" in words]


class IntakeKilled(ClassCase):
    undisturbed = []

    def setUp(self):
        super().setUp()
        self.submissions = Export("moodle", 3).write(self.folder / "class")
        if not self.undisturbed:
            self.run_class(3)
            self.undisturbed.extend(self.content())
            self.book.unlink()
        self.draw = random.Random(38)

    def content(self):
        self.assertEqual([("ok",)], self.ask("PRAGMA integrity_check"))
        return [
            self.grades(),
            self.ask("SELECT student, path, state, reason, sha256 FROM received ORDER BY 1, 2, 3, 5"),
            self.ask("SELECT student, name, in_roster FROM student ORDER BY 1"),
            self.ask("SELECT student, verdict, points, open_reason FROM standing ORDER BY 1"),
        ]

    def begin(self, *words):
        return subprocess.Popen(**self.command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def begin_run(self):
        return self.begin("run", self.book, self.submissions, "--backend", "sim")

    def test_the_run_is_killed_while_it_reads(self):
        for _ in range(INTAKE_KILLS):
            run = self.begin_run()
            time.sleep(self.draw.random() * 1.5)
            run.kill()
            run.wait()
        self.run_class(3)
        self.assertEqual(self.undisturbed, self.content())

    def test_an_unpacking_process_is_killed(self):
        killed = 0
        while killed < INTAKE_KILLS:
            run = self.begin_run()
            while run.poll() is None and killed < INTAKE_KILLS:
                for child in unpackers(run.pid):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(child, signal.SIGKILL)
                        killed += 1
                time.sleep(self.draw.random() * 0.1)
            # Unreadable files remain open, and the run reports them.
            self.assertEqual(3, run.wait())
        self.run_class(3)
        self.assertEqual(self.undisturbed, self.content())

    def test_a_killed_export_leaves_the_file_before_or_the_whole_one(self):
        self.run_class(3)
        out = self.folder / "import.csv"
        words = ("export", self.book, "--format", "moodle", "--out", out)
        self.program(0, *words)
        whole = out.read_bytes()
        for before in (b"the file before", None):
            for _ in range(INTAKE_KILLS):
                out.unlink(missing_ok=True)
                if before is not None:
                    out.write_bytes(before)
                export = self.begin(*words)
                time.sleep(self.draw.random() * 0.1)
                export.kill()
                export.wait()
                self.assertIn(out.read_bytes() if out.exists() else None, (before, whole))
        self.program(0, *words)
        self.assertEqual(whole, out.read_bytes())
        self.assertEqual(self.undisturbed, self.content())


if __name__ == "__main__":
    unittest.main()
