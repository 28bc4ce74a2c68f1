# SPDX-License-Identifier: Apache-2.0
"""Bytes that are not a program, other file types, odd encodings, includes that must fail."""

import gzip
import io
import struct
import zipfile
import zlib

from files import FOLDER, PIPE, EXERCISES, Hostile, Link, by_turns, chance, kernel, solution

BODY = "OUT[0] = in[0];"


def random_bytes(count):
    return lambda to: chance("bytes", count, to).randbytes(count)


def printable(count):
    return lambda to: bytes(chance("printable", count, to).choices(range(32, 127), k=count))


def with_bytes(inserted, place):
    """The solution with those bytes at its beginning, at its end, or in the middle of a line."""

    def make(exercise):
        source = solution(exercise).encode()
        at = {"begin": 0, "end": len(source), "middle": source.index(b"{") + 1}[place]
        return source[:at] + inserted + source[at:]

    return make


def wrong_line(text):
    """The solution with a line of that text, which the compiler refuses and shows."""
    return with_bytes(b'\n  undefined("' + text + b'");\n', "middle")


def encoded(codec):
    return lambda to: solution(to).encode(codec)


BYTES = {
    "empty": lambda _: b"",
    "one_null": lambda _: b"\0",
    "one_newline": lambda _: b"\n",
    "only_a_comment": lambda _: b"// My kernel.\n",
    "only_a_comment_without_end": lambda _: b"/*",
    "only_a_byte_order_mark": lambda _: b"\xef\xbb\xbf",
    "random_1": random_bytes(1),
    "random_100": random_bytes(100),
    "random_10000": random_bytes(10_000),
    "random_1000000": random_bytes(1_000_000),
    "random_5000000": random_bytes(5_000_000),
    "printable_1000": printable(1000),
    "printable_100000": printable(100_000),
    "printable_3000000": printable(3_000_000),
    "nulls_at_the_begin": with_bytes(b"\0\0\0\0", "begin"),
    "nulls_in_the_middle": with_bytes(b"\0", "middle"),
    "nulls_at_the_end": with_bytes(b"\0", "end"),
    "lone_surrogates": with_bytes(b"// \xed\xa0\x80 \xed\xbf\xbf\n", "begin"),
    "overlong_and_too_large": with_bytes(b"// \xc0\xaf \xf8\x88\x80 \xf4\x90\x80\x80\n", "begin"),
    "cut_character_at_the_end": with_bytes(b"// \xf0\x9f\x98", "end"),
    "byte_order_marks": with_bytes(b"\xef\xbb\xbf\xef\xbb\xbf", "begin"),
    "byte_order_mark_in_the_middle": with_bytes(b"\xef\xbb\xbf", "middle"),
    "other_byte_order_mark": with_bytes(b"\xff\xfe", "begin"),
    "utf16": encoded("utf-16"),
    "utf16_without_mark": encoded("utf-16-be"),
    "utf32": encoded("utf-32"),
    "ebcdic": encoded("cp500"),
    "carriage_returns_only": lambda to: solution(to).replace("\n", "\r").encode(),
    "line_separators": lambda to: solution(to).replace("\n", "\u2028\u2029\x0b\x0c\x85\n"),
    "escapes_in_names": with_bytes(b"int \x1b[2J\x07\x9bx = 1;\n", "begin"),
    "escapes_in_a_wrong_line": wrong_line(b"\x1b[2J\x1b]0;PASS\x07\x9b\x7f"),
    "right_to_left_in_a_wrong_line": wrong_line("\u202e\u2066\u2029".encode()),
    "invalid_utf8_in_a_wrong_line": wrong_line(b"\xff\xfe\x80\xed\xa0\x80"),
    "many_accents_in_a_wrong_line": wrong_line(("e" + "\u0301" * 5000).encode()),
    "tabs_in_a_wrong_line": with_bytes(b"\n" + b"\t" * 5000 + b"undefined();\n", "middle"),
    "wide_characters_in_a_wrong_line": wrong_line(("\U0001f600" * 300).encode()),
    "ten_megabytes_of_spaces": lambda to: b" " * 10_000_000 + solution(to).encode(),
    "three_megabytes_of_spaces": lambda to: b" " * 3_000_000 + solution(to).encode(),
    "one_line_of_five_megabytes": lambda _: b"x" * 5_000_000,
    "one_line_of_three_megabytes": lambda to: kernel(to, BODY + "undefined(5);" + "+" * 3_000_000),
    "200000_lines": lambda to: "\n" * 200_000 + kernel(to, BODY),
    "wrong_line_200000": lambda to: "\n" * 200_000 + kernel(to, "undefined(5);"),
    "200000_wrong_lines": lambda to: kernel(to, "undefined(5);\n" * 200_000),
    "four_megabytes_of_backslashes": lambda to: "\\\n" * 2_000_000 + kernel(to, BODY),
}


def zipped(exercise):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo("copy.cu"), solution(exercise))
    return out.getvalue()


def png():
    def chunk(kind, data):
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", 16, 16, 8, 0, 0, 0, 0)
    image = zlib.compress((b"\0" + b"\x7f" * 16) * 16)
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", image) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


BINARIES = {
    "gzip": lambda to: gzip.compress(solution(to).encode(), mtime=0),
    "zip": zipped,
    "elf": lambda _: b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHI", 2, 190, 1) + bytes(99),
    "png": lambda _: png(),
    "pdf": lambda _: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n",
    "bitcode": lambda _: b"BC\xc0\xde" + bytes(range(256)) * 20,
    "fat_binary": lambda _: struct.pack("<IHHQ", 0xBA55ED50, 1, 16, 1 << 40) + b"\0" * 64,
    "ptx": lambda _: b".version 8.0\n.target sm_90\n.visible .entry copy() { ret; }\n",
    "shell": lambda _: b"#!/bin/sh\ntouch /tmp/hostile_was_here\n",
}

BESIDE = {"pipe": PIPE, "folder": FOLDER}
BESIDE |= {"zero.h": Link("/dev/zero"), "passwd.h": Link("/etc/passwd")}
INCLUDES = (
    *("/dev/zero", "/dev/stdin", "/dev/tty", "/dev/urandom", "/proc/self/mem"),
    *("/proc/self/environ", "/proc/self/fd/0", "/etc/passwd"),
    *("pipe", "folder", "zero.h", "passwd.h", "."),
    *("../../../../../../etc/passwd", "", "x" * 5000, "\x1b[2J", "file:///etc/passwd"),
)


def including(path):
    return lambda to: f'#include "{path}"\n#include <{path}>\n' + kernel(to, BODY)


def includes():
    for k, path in enumerate(INCLUDES):
        exercise = EXERCISES[k % len(EXERCISES)]
        what = "".join(c if c.isalnum() else "_" for c in path[:30]) or "nothing"
        yield Hostile(
            "includes", f"{k}_{what}", exercise,
            lambda path=path, to=exercise: including(path)(to), beside=BESIDE,
        )
    for what, text in {
        "itself": '#include __FILE__\n',
        "itself_twice": "#include __FILE__\n#include __FILE__\n",
        "each_other": '#include "a.h"\n',
        "bomb": '#include "b0.h"\n',
        "large": '#include "large.h"\n',
    }.items():
        beside = {"a.h": b'#include "b.h"\n', "b.h": b'#include "a.h"\n'}
        beside["large.h"] = b" " * 20_000_000
        for k in range(40):
            beside[f"b{k}.h"] = f'#include "b{k + 1}.h"\n#include "b{k + 1}.h"\n'.encode()
        exercise = "coalescing/copy"
        yield Hostile(
            "includes", what, exercise,
            lambda text=text, to=exercise: text + kernel(to, BODY), beside=beside,
        )


def files():
    yield from by_turns("bytes", BYTES.items())
    yield from by_turns("binaries", BINARIES.items())
    yield from includes()
