# SPDX-License-Identifier: Apache-2.0
"""`class run --engine slurm` on a private Slurm: munged, slurmctld and one slurmd with two GPUs, which are
device files without a card.

Arguments: the program, then the root of the project. Skipped if Slurm's packages are missing, or if the user
is not root: the daemons need root to run jobs.
"""

import contextlib
import ctypes
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import tempfile
import time
import unittest

DAEMONS = ("munged", "slurmctld", "slurmd")
CONF = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
# A requeued job waits until its old credential expires: two minutes by default.
AuthInfo=socket={folder}/munge.socket,cred_expire=5
SlurmctldPort={ctld}
SlurmdPort={slurmd}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/slurmd
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=2
SchedulerParameters=sched_interval=2,sched_min_interval=0,batch_sched_delay=0
GresTypes=gpu
MpiDefault=none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} Gres=gpu:2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Slurm:
    """Slurm's daemons, in their own folder."""

    def __init__(self, folder):
        self.folder = folder
        self.running = []
        for name in ("state", "slurmd", "bin", "munge"):
            (folder / name).mkdir()
        folder.chmod(0o755)
        # Debian's names for the daemons break their search for GPUs.
        for name in DAEMONS[1:]:
            (folder / "bin" / name).symlink_to(pathlib.Path(shutil.which(name)).resolve())
        host = socket.gethostname().split(".")[0]
        for gpu in range(2):
            os.mknod(folder / f"gpu{gpu}", stat.S_IFCHR | 0o666, os.makedev(1, 3))
        (folder / "gres.conf").write_text(f"NodeName={host} Name=gpu File={folder}/gpu[0-1]\n")
        ports = {"ctld": free_port(), "slurmd": free_port()}
        conf = CONF.format(host=host, folder=folder, cpus=os.cpu_count(), **ports)
        (folder / "slurm.conf").write_text(conf)
        self.env = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        key = folder / "munge" / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.start(
            *("munged", "--foreground", "--force", f"--key-file={key}"),
            *(f"--socket={folder}/munge.socket", f"--pid-file={folder}/munge/pid"),
            *(f"--log-file={folder}/munge/log", f"--seed-file={folder}/munge/seed"),
        )
        self.start(folder / "bin/slurmctld", "-D", "-i")
        self.start_node()

    def start_node(self):
        self.node = self.start(self.folder / "bin/slurmd", "-D")

    def kill_node(self):
        """Kills the node's daemon by SIGKILL; its jobs keep running."""
        self.node.kill()
        self.node.wait()
        self.running.remove(self.node)

    def start(self, *words):
        log = (self.folder / "daemons.log").open("a")
        daemon = subprocess.Popen([*map(str, words)], env=self.env, stdout=log, stderr=log)
        log.close()
        self.running.append(daemon)
        return daemon

    def tell(self, *words):
        return subprocess.run(words, env=self.env, capture_output=True, text=True, check=False, timeout=60).stdout

    def is_up(self):
        return "idle" in self.tell("sinfo", "--noheader", "--format=%T")

    def stop(self):
        for daemon in reversed(self.running):
            daemon.kill()
            daemon.wait()


class Changes:
    """Events of files in folders, through inotify(7), which Python's library lacks."""

    CREATE, MOVED_TO, MODIFY = 0x100, 0x80, 0x2

    def __init__(self, *folders):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.events = self.libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        for folder in folders:
            self.add(folder)

    def add(self, folder):
        self.libc.inotify_add_watch(self.events, os.fsencode(folder), self.CREATE | self.MOVED_TO | self.MODIFY)

    def wait(self, seconds):
        """Returns at the next event, or after `seconds`."""
        if select.select([self.events], [], [], seconds)[0]:
            os.read(self.events, 65536)

    def close(self):
        os.close(self.events)


def wait_until(what, *folders, seconds=60):
    """Calls `what` after each change in `folders`; returns whether it became true in time."""
    latest = time.monotonic() + seconds
    with contextlib.closing(Changes(*folders)) as changes:
        while not what():
            left = latest - time.monotonic()
            if left <= 0:
                return False
            # A daemon may change its state before it writes to its log.
            changes.wait(min(left, 1))
    return True


class SlurmTest(unittest.TestCase):
    def setUp(self):
        missing = [name for name in (*DAEMONS, "sbatch") if shutil.which(name) is None]
        if missing:
            self.skipTest("not installed: " + ", ".join(missing))
        if os.geteuid() != 0:
            self.skipTest("Slurm's daemons run jobs as root alone")
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "slurm").mkdir()
        self.slurm = Slurm(self.folder / "slurm")
        self.addCleanup(self.slurm.stop)
        if not wait_until(self.slurm.is_up, self.slurm.folder):
            self.fail((self.folder / "slurm/daemons.log").read_text()[-3000:])

    def hand_in(self, count):
        right = (ROOT / "solutions/coalescing/copy.cu").read_text()
        for i in range(count):
            file = self.folder / f"in/s{i}/coalescing/copy.cu"
            file.parent.mkdir(parents=True)
            file.write_text(right + f"// {i}\n")
        (self.folder / "in/class.toml").write_text('exercises = ["coalescing/copy"]\n')

    def command(self, book, *options):
        words = [PROGRAM, "class", "run", book, self.folder / "in", "--backend", "sim", *options]
        return {"args": [*map(str, words)], "env": {**self.slurm.env, "WARPGRADE_ROOT": str(course())}}

    def grades(self, book):
        with sqlite3.connect(book) as open_book:
            ask = "SELECT student, points, verdict, sha256 FROM standing ORDER BY student"
            return open_book.execute(ask).fetchall()

    def test_an_array_of_workers_loses_nothing_by_cancel_requeue_and_a_killed_slurmd(self):
        self.hand_in(8)
        local, book = self.folder / "local.db", self.folder / "slurm.db"
        subprocess.run(**self.command(local), check=True, capture_output=True, timeout=200)
        run = subprocess.Popen(
            **self.command(book, "--engine", "slurm", "--workers", "2"),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        job = self.folder / "slurm.db.spool/slurm_job"
        self.assertTrue(wait_until(job.exists, self.folder, job.parent))
        number = job.read_text()
        claims = self.folder / "slurm.db.spool/claims"
        wait_until(lambda: run.poll() is not None or any(claims.iterdir()), claims)
        self.slurm.tell("scancel", "--signal=KILL", number + "_1")
        self.slurm.kill_node()
        self.slurm.start_node()
        self.slurm.tell("scontrol", "requeue", number + "_2")
        words = run.communicate(timeout=240)[0]
        self.assertEqual(0, run.returncode, words)
        self.assertEqual(self.grades(local), self.grades(book))
        with sqlite3.connect(book) as open_book:
            workers = {w for (w,) in open_book.execute("SELECT worker FROM grade")}
        self.assertTrue(all(re.fullmatch(r"slurm\d+-[12]", worker) for worker in workers), workers)
        self.assertEqual("", self.slurm.tell("squeue", "--noheader", "--states=RUNNING,PENDING"))

    def test_a_run_killed_before_it_hands_out_tasks_continues(self):
        self.hand_in(4)
        book, job = self.folder / "slurm.db", self.folder / "slurm.db.spool/slurm_job"
        command = self.command(book, "--engine", "slurm", "--workers", "2")
        run = subprocess.Popen(**command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertTrue(wait_until(job.exists, self.folder, job.parent))
        number = job.read_text()
        run.kill()
        run.communicate()
        again = subprocess.run(**command, capture_output=True, text=True, check=False, timeout=240)
        self.assertEqual(0, again.returncode, again.stdout + again.stderr)
        self.assertEqual([10.0] * 4, [points for _, points, *_ in self.grades(book)])
        self.assertNotIn(number, self.slurm.tell("squeue", "--noheader", "--states=RUNNING,PENDING"))


if __name__ == "__main__":
    signal.alarm(500)  # ends the test even if a daemon hangs
    from class_case import PROGRAM, ROOT, course  # Takes them from the arguments.

    unittest.main()
