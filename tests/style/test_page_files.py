# SPDX-License-Identifier: Apache-2.0
"""Parses the HTML, CSS and JavaScript of the program's pages and of the book.

Node.js parses JavaScript, tinycss2 CSS and html5lib HTML. A test whose parser is missing is skipped.
Argument: the root of the project.
"""

import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
FOLDERS = ("grader", "handouts")
MAX_WIDTH = 130
NODE = shutil.which("node") or shutil.which("nodejs")


def files(*suffixes):
    found = [file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*")) if file.suffix in suffixes]
    return [(file, file.read_text(encoding="utf-8")) for file in found]


def problems_of_script(text):
    """Returns Node.js's message about a script, or None if it parses."""
    with tempfile.NamedTemporaryFile("w", suffix=".js", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([NODE, "--check", file.name], capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else None


def problems_of_style(text):
    """Rules and declarations that a browser would ignore."""
    import tinycss2

    def walk(rules):
        for rule in rules:
            if rule.type == "error":
                yield f"line {rule.source_line}: {rule.message}"
            elif rule.type == "at-rule" and rule.content is not None:
                yield from walk(tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True))
            elif rule.type == "qualified-rule":
                yield from walk(
                    tinycss2.parse_declaration_list(rule.content, skip_comments=True, skip_whitespace=True)
                )

    return list(walk(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)))


def problems_of_page(text):
    import html5lib

    parser = html5lib.HTMLParser()
    parser.parse(text)
    return [f"line {line}: {code}" for (line, _), code, _ in parser.errors]


class PageFiles(unittest.TestCase):
    def test_are_found(self):
        self.assertLessEqual({".css", ".html", ".js"}, {file.suffix for file, _ in files(".css", ".html", ".js")})

    def test_lines_are_short_and_end_without_spaces(self):
        for file, text in files(".css", ".html", ".js"):
            for number, line in enumerate(text.splitlines(), 1):
                self.assertNotRegex(line, r"\t|\s$", f"{file}:{number}")
                self.assertLessEqual(len(line), MAX_WIDTH, f"{file}:{number}")

    @unittest.skipUnless(NODE, "Node.js is missing")
    def test_scripts_parse(self):
        self.assertIn("SyntaxError", problems_of_script("const x = ;"))
        inline = [
            (file, script)
            for file, text in files(".html")
            for script in re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
        ]
        for file, text in files(".js") + inline:
            self.assertIsNone(problems_of_script(text), file)

    @unittest.skipUnless(importlib.util.find_spec("tinycss2"), "tinycss2 is missing")
    def test_styles_parse(self):
        self.assertTrue(problems_of_style("a { color red; }"))
        self.assertTrue(problems_of_style("@media print { a { color: red } b }"))
        for file, text in files(".css"):
            self.assertFalse(problems_of_style(text), file)

    @unittest.skipUnless(importlib.util.find_spec("html5lib"), "html5lib is missing")
    def test_skeletons_parse(self):
        self.assertTrue(problems_of_page("<!DOCTYPE html><p></div>"))
        for file, text in files(".html"):
            if "<!DOCTYPE html>" in text:
                self.assertFalse(problems_of_page(text), file)


if __name__ == "__main__":
    unittest.main()
