# SPDX-License-Identifier: Apache-2.0
"""Checks the documents' links: each leads to a file or a heading, and each page can be reached from the README.

Argument: the root of the project.
"""

import os
import pathlib
import re
import sys
import unittest

PATTERNS = ("*.md", "docs/**/*.md", "handouts/*.md", "services/**/*.md", "tests/README.md", "tests/evidence/**/README.md")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CLICKS = 3
# A newcomer's questions, with the heading that answers each.
QUESTIONS = {
    "Which keys does a manifest have?": ("docs/manifest.md", "manifests"),
    "How is a class graded on Slurm?": ("docs/class.md", "workers-and-slurm"),
    "How is a modelled time validated?": ("docs/fidelity.md", "times-compared-with-hardware"),
    "What is a race?": ("docs/glossary.md", "faults-in-a-kernel"),
}
READERS = re.compile(r"# .+\n\n\*For [^*]+\.\*\n\n")


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", lambda code: code[0] if "](" not in code[0] else "", text)


def anchors(text):
    """The names that a page's headings have on GitHub."""
    heads = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def links(page):
    """Pairs of a link as written and its path, except links to the web and to figures that the build makes."""
    for link in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
        if not re.match(r"[a-z]+:|figures/", link):
            path, _, _ = link.partition("#")
            yield link, pathlib.Path(os.path.normpath(page.parent / path)) if path else page


def pages():
    return sorted({page for pattern in PATTERNS for page in ROOT.glob(pattern)})


def near_the_readme():
    """The files at most `CLICKS` links away from the README."""
    found = {ROOT / "README.md"}
    for _ in range(CLICKS):
        found |= {path for page in found if page.suffix == ".md" for _, path in links(page)}
    return found


class Links(unittest.TestCase):
    def test_each_leads_to_a_file_and_a_heading(self):
        for page in pages():
            for link, path in links(page):
                with self.subTest(page=page.relative_to(ROOT).as_posix(), link=link):
                    self.assertTrue(path.exists())
                    if "#" in link and path.suffix == ".md":
                        self.assertIn(link.partition("#")[2], anchors(path.read_text(encoding="utf-8")))

    def test_each_document_is_three_clicks_from_the_readme(self):
        documents = {*ROOT.glob("docs/*.md"), *ROOT.glob("handouts/*.md")}
        self.assertEqual(set(), {page.relative_to(ROOT).as_posix() for page in documents - near_the_readme()})

    def test_a_newcomer_finds_the_answers(self):
        found = near_the_readme()
        for question, (page, heading) in QUESTIONS.items():
            with self.subTest(question):
                self.assertIn(ROOT / page, found)
                self.assertIn(heading, anchors((ROOT / page).read_text(encoding="utf-8")))

    def test_each_document_begins_with_its_readers(self):
        for page in sorted({*ROOT.glob("docs/*.md")} - {ROOT / "docs/README.md"}):
            with self.subTest(page.name):
                self.assertRegex(page.read_text(encoding="utf-8"), READERS)

    def test_a_broken_link_is_seen(self):
        self.assertEqual({"two-words", "a-b"}, anchors("# Two words\n\n## a `b`\n"))
        self.assertEqual(["gone.md"], LINK.findall(without_code("```\n[x](y.md)\n```\n[gone](gone.md)\n")))


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=1)
