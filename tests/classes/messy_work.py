# SPDX-License-Identifier: Apache-2.0
"""Submissions of students with every kind of mess, and the expected result of each.

Each kind of work has its files, its result and the names that the book must show. The result is "pass", "fail",
"graded" (pass or fail), "open" or "missing". It follows from the work, not from the program: work with the right
kernel passes, and work that nobody can read is open, never a zero.
"""

import dataclasses
import io
import pathlib
import struct
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGHT = (ROOT / "solutions/coalescing/copy.cu").read_bytes()
SKELETON = (ROOT / "labs/coalescing/copy.cu").read_bytes()
MEBI = 1 << 20


@dataclasses.dataclass
class Work:
    files: dict  # Path in the hand-in to bytes.
    outcome: str
    names: tuple = ()  # Further names that the book must show: of files in archives.
    is_late: bool = False
    earlier: dict = dataclasses.field(default_factory=dict)  # The files of an earlier attempt.


def zipped(files, when=(2026, 11, 1, 12, 0, 0)):
    """A zip file; `files` is a dict, or pairs if a name occurs twice."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items() if isinstance(files, dict) else files:
            archive.writestr(zipfile.ZipInfo(name, when), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def tarred(files, mode="w:gz"):
    """A tar file whose members have times in 1970, so only the archive's own time may count."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, content in files.items():
            about = tarfile.TarInfo(name)
            if content is None:
                about.type, about.linkname = tarfile.SYMTYPE, "/etc/passwd"
            about.size = len(content or b"")
            archive.addfile(about, io.BytesIO(content or b""))
    return out.getvalue()


def zip_of_raw_names(files, flag=0):
    """A zip file with unchanged names; `files` are pairs of bytes. The flag 0x800 means UTF-8."""
    out, central = io.BytesIO(), b""
    for name, content in files:
        at = out.tell()
        head = struct.pack("<HHHHHLLLHH", 20, flag, 0, 0x6000, 0x5D61, zipfile.crc32(content),
                           len(content), len(content), len(name), 0)
        out.write(b"PK\3\4" + head + name + content)
        central += b"PK\1\2" + struct.pack("<H", 20) + head + struct.pack("<HHHLL", 0, 0, 0, 0, at) + name
    count, at = len(files), out.tell()
    out.write(central + b"PK\5\6" + struct.pack("<HHHHLLH", 0, 0, count, count, len(central), at, 0))
    return out.getvalue()


def encrypted(content):
    """The zip file with each entry marked as encrypted."""
    out = bytearray(content)
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = out.find(mark)
        while at >= 0:
            out[at + offset] |= 1
            at = out.find(mark, at + 1)
    return bytes(out)


def changed_in_the_middle(content):
    middle = content.index(b"copy.cu") + 60
    return content[:middle] + bytes(255 - c for c in content[middle : middle + 40]) + content[middle + 40 :]


def raw(name, encoding):
    """An archive of a folder whose name is in an old encoding."""
    return zip_of_raw_names([(name.encode(encoding) + b"/copy.cu", RIGHT)])


INNER = zipped({"coalescing/copy.cu": RIGHT})
DEEP = zipped({"4.zip": zipped({"3.zip": zipped({"2.zip": zipped({"1.zip": INNER})})})})
HEADER = b"#pragma once\n#define TILE_IS_HERE 1\n"
WITH_HEADER = b'#include "tile.h"\n#if !TILE_IS_HERE\n#error no header\n#endif\n' + RIGHT

KINDS = {
    "right": Work({"copy.cu": RIGHT}, "pass"),
    "skeleton": Work({"copy.cu": SKELETON}, "fail"),
    "late": Work({"copy.cu": RIGHT}, "pass", is_late=True),
    "resubmitted": Work({"copy.cu": RIGHT}, "pass", earlier={"copy.cu": SKELETON}),
    "large letters": Work({"Copy.CU": RIGHT}, "pass"),
    "numbered": Work({"copy (1).cu": RIGHT}, "pass"),
    "my name": Work({"my copy.cu": RIGHT}, "pass"),
    "cpp": Work({"copy.cpp": RIGHT}, "pass"),
    "main": Work({"main.cu": RIGHT}, "pass"),
    "txt": Work({"copy.cu.txt": RIGHT}, "pass"),
    "header": Work({"copy.cu": WITH_HEADER, "tile.h": HEADER}, "pass"),
    "two": Work({"copy.cu": RIGHT, "notes.txt": b"notes", "copy_old.cu": SKELETON}, "pass"),
    "report too": Work({"copy.cu": RIGHT, "report.pdf": b"%PDF-1.7 report"}, "pass"),
    "utf-8 mark": Work({"copy.cu": b"\xef\xbb\xbf" + RIGHT}, "pass"),
    "crlf": Work({"copy.cu": RIGHT.replace(b"\n", b"\r\n")}, "pass"),
    "utf-16": Work({"copy.cu": RIGHT.decode().encode("utf-16")}, "pass"),
    "empty": Work({"copy.cu": b""}, "open"),
    "zip": Work({"work.zip": INNER}, "pass", ("copy.cu",)),
    "large zip": Work({"WORK.ZIP": INNER}, "pass", ("copy.cu",)),
    "nested": Work({"all.zip": zipped({"work.zip": INNER})}, "pass", ("work.zip", "copy.cu")),
    "tar in zip": Work({"all.zip": zipped({"work.tar.gz": tarred({"./coalescing/copy.cu": RIGHT})})}, "pass",
                       ("work.tar.gz", "copy.cu")),
    "tar": Work({"work.tar.gz": tarred({"copy.cu": RIGHT})}, "pass", ("copy.cu",)),
    "tar named zip": Work({"work.zip": tarred({"copy.cu": RIGHT})}, "pass", ("copy.cu",)),
    "mac": Work({"work.zip": zipped({"copy.cu": RIGHT, "__MACOSX/._copy.cu": b"x", ".DS_Store": b"x"})}, "pass",
                ("copy.cu", "__MACOSX/._copy.cu", ".DS_Store")),
    "git": Work({"work.zip": zipped({"copy.cu": RIGHT, ".git/config": b"[core]"})}, "pass",
                ("copy.cu", ".git/config")),
    "backslashes": Work({"work.zip": zip_of_raw_names([(b"lab\\copy.cu", RIGHT)])}, "pass", ("lab/copy.cu",)),
    "same name twice": Work({"work.zip": zip_of_raw_names([(b"copy.cu", SKELETON), (b"copy.cu", RIGHT)])}, "pass",
                            ("copy.cu",)),
    "build": Work({"copy.cu": RIGHT, "build/copy.cu": SKELETON}, "pass"),
    "only build": Work({"work.zip": zipped({"build/copy.cu": SKELETON})}, "open", ("build/copy.cu",)),
    "cp437": Work({"work.zip": raw("Übung é", "cp437")}, "pass", ("Übung é/copy.cu",)),
    "cp850": Work({"work.zip": raw("Ålesund øvelse Íris", "cp850")}, "pass", ("Ålesund øvelse Íris/copy.cu",)),
    "cp1252": Work({"work.zip": raw("Übung größer", "cp1252")}, "pass", ("Übung größer/copy.cu",)),
    "cp932": Work({"work.zip": raw("課題の提出", "cp932")}, "pass", ("課題の提出/copy.cu",)),
    "gbk": Work({"work.zip": raw("作业提交", "gbk")}, "pass", ("作业提交/copy.cu",)),
    "cp866": Work({"work.zip": raw("Работа", "cp866")}, "pass", ("Работа/copy.cu",)),
    "utf-8 without flag": Work({"work.zip": raw("Ubung 作业", "utf-8")}, "pass", ("Ubung 作业/copy.cu",)),
    "no text": Work({"work.tar": tarred({"\udcff\udcfe/copy.cu": RIGHT}, "w:")}, "pass", ("\\xff\\xfe/copy.cu",)),
    "damaged": Work({"work.zip": INNER[:40]}, "open"),
    "damaged inside": Work({"work.zip": changed_in_the_middle(INNER)}, "open"),
    "cut tar": Work({"work.tar.gz": tarred({"copy.cu": RIGHT})[:200]}, "open"),
    "no zip": Work({"work.zip": b"this is no archive"}, "open"),
    "zip of nothing": Work({"work.zip": zipped({})}, "open"),
    "zip of no bytes": Work({"work.zip": b""}, "open"),
    "encrypted": Work({"work.zip": encrypted(INNER)}, "open", ("copy.cu",)),
    "too deep": Work({"deep.zip": DEEP}, "open", ("2.zip",)),
    "huge": Work({"copy.cu": RIGHT + b" " * (5 * MEBI)}, "open"),
    "huge in zip": Work({"work.zip": zipped({"copy.cu": b" " * (33 * MEBI)})}, "open", ("copy.cu",)),
    "leads out": Work({"work.zip": zip_of_raw_names([(b"../../copy.cu", RIGHT)])}, "open", ("../../copy.cu",)),
    "link": Work({"work.tar.gz": tarred({"copy.cu": None})}, "open", ("copy.cu",)),
    "gz": Work({"copy.cu.gz": b"\x1f\x8b\x08\x00 no more"}, "open"),
    "pdf": Work({"report.pdf": b"%PDF-1.7 report"}, "open"),
    "wrong name": Work({"solution.cu": b"__global__ void other(int* x) {}\n"}, "open"),
    "rar": Work({"work.rar": b"Rar!\x1a\x07\x01\x00 no more"}, "open"),
    "nothing": Work({}, "missing"),
}

NAMES = (
    "Jane Doe", "Zoë Döe", "Jürgen Müller", "Seán Ó Briain", "李明", "王小红", "山田太郎", "Иван Петров",
    "Мария Йовчева", "أحمد علي", "김민수", "Nguyễn Văn Thuận", "Ana-Maria Popescu", "Γιώργος Παπαδόπουλος",
    "Łukasz Żak", "Ole Åsén", "Ines Peña", "Ida Ek", "Tom O'Neil", "דוד כהן", "Vic Ko", "Will Lee", "Xia Su",
    "Yan Bo", "Zed Oz", "Abe Po", "Ben Qu", "Cid Ro", "Dee Si", "Eli Tu", "Fay Un", "Gus Va", "Hal We", "Ivy Xu",
    "Jon Yi", "Kay Zo", "Leo Ab", "Mia Bc", "Ned Cd", "Oda De", "Pia Ef", "Que Fg", "Ray Gh", "Sue Hi", "Ted Ij",
    "Ugo Jk", "Val Kl", "Wes Lm", "Xan Mn", "Yve No", "Zoe Op", "Ada Pq", "Bea Qr", "Cal Rs",
)
