#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of the README: source and requests of a report's page, light and dark, in headless Chromium.

    python3 docs/pictures/make.py build/grader/warpgrade

The words of the page go into report.txt. A test makes the page again and compares its words, so it needs no
browser and notices a picture that is out of date.
"""

import html.parser
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
EXERCISE = "coalescing/transpose"
WIDTH, HEIGHT = 1200, 1010
TOP = 1082  # pixels above the section "Source"; look at the pictures after a change of the page
SCHEMES = {"light": 1, "dark": 0}  # as Chromium's setting preferredColorScheme numbers them


class Words(html.parser.HTMLParser):
    """The words of a page's body, without those of scripts, styles and titles."""

    SILENT = {"script", "style", "title"}

    def __init__(self):
        super().__init__()
        self.words = []
        self.silent = 0

    def handle_starttag(self, tag, attrs):
        self.silent += tag in self.SILENT

    def handle_endtag(self, tag):
        self.silent -= tag in self.SILENT

    def handle_data(self, data):
        if not self.silent:
            self.words += data.split()


def make_page(program, page):
    """Writes the report of the untouched skeleton."""
    environment = {**os.environ, "WARPGRADE_ROOT": str(ROOT), "CUDA_VISIBLE_DEVICES": ""}
    command = [program, "grade", EXERCISE, "--backend", "sim", "--html", str(page)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 1:  # a skeleton does not pass
        raise RuntimeError(done.stdout + done.stderr)


def words_of(page):
    """The page's words, eight a line, without version, commit, time and toolkit."""
    parser = Words()
    parser.feed(page.read_text(encoding="utf-8"))
    text = " ".join(parser.words)
    words = re.sub(r"Made by warpgrade .*?(?=seed)", "", text).split()
    return "".join(" ".join(words[at : at + 8]) + "\n" for at in range(0, len(words), 8))


def take_picture(page, scheme):
    """Takes a picture of the page through a frame that leaves out what is above TOP."""
    frame = page.with_name("frame.html")
    frame.write_text(
        "<!doctype html><style>body { margin: 0; overflow: hidden } "
        f"iframe {{ position: absolute; top: -{TOP}px; border: 0; width: {WIDTH}px; height: 4000px }}</style>"
        f'<iframe src="{page.name}"></iframe>',
        encoding="utf-8",
    )
    flags = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--window-size={WIDTH},{HEIGHT}",
        f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}",
        f"--screenshot={FOLDER / f'report_{scheme}.png'}",
    ]
    subprocess.run(["chromium", *flags, frame.as_uri()], check=True, capture_output=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "report.html"
        make_page(pathlib.Path(sys.argv[1]).absolute(), page)
        (FOLDER / "report.txt").write_text(words_of(page), encoding="utf-8")
        for scheme in SCHEMES:
            take_picture(page, scheme)


if __name__ == "__main__":
    main()
