# SPDX-License-Identifier: Apache-2.0
"""Comments, messages and documents are plain English, as far as a regular expression can judge.

Each rule is a construction that reads as translated, with the words to use instead. The first class breaks
each rule once and expects it to be found. The second reads the project, whose root is the first argument:
comments and strings of C++, CUDA, Python, shell and TOML, and Markdown outside code blocks. A clean result
is necessary, not sufficient.
"""

import pathlib
import re
import sys
import unittest

SUBJECT = "begin with a concrete subject"
UNITS = "launch|case|warp|lane|block|file|line|core|device|student|kernel|thread|row|exercise|lab|step|request|word|card"
RULES = {
    r"^\W*(?:Of|Who|Whoever|That which) (?!is |are |does |can |should )[^?]*$": SUBJECT,
    r"\bwhere (?:there|none|one|it|they|that) (?:is|are|has|have|does|may)\b": "write `if`; `where` is for places",
    r"\b(?:is|are|was|were) none\b": "write `none`, `not set` or `does not exist`",
    r"\bthere (?:is|are) no such\b": "write `unknown ...` or `... does not exist`",
    r"\bbut for (?!loops?\b)": "write `except`",
    r"\bfor want of\b": "write `without` or `because ... is missing`",
    r"\bso long as\b": "write `while` or `if`",
    r"\bof which there\b": "split the sentence",
    r"\b(?:is|are|be|was|were) told\b": "write `prints`, `reports` or `receives`",
    r"\bhands? out\b|\bhanded out\b": "write `distributes`, `assigns` or `serves`",
    r"\bsays? so\b": "name what is said",
    r"\bfor ever\b": "write `forever`",
    r"\b(?:one|two|three|four|each|\d+) an? (?:" + UNITS + r")s?\b(?! (?:has|have|needs)\b)": "write `per`",
    r"\bgo(?:es)? by (?!default|reference|value)": "write `uses` or `follows`",
    r"\bwhich comes first is left to chance\b": "write `their order is undefined`",
    r"\bdoes? not start as zeros?\b": "write `is not zero-initialized`",
}
PATTERNS = [(re.compile(pattern), advice) for pattern, advice in RULES.items()]

TOPS = ("common", "docs", "grader", "handouts", "labs", "packaging", "python", "services", "solutions", "studies")
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "README.md")
C_LIKE = {".cpp", ".cu", ".def", ".h"}
SCRIPTS = {".py", ".sh", ".toml"}
LEAST_WORDS = 5


def documents(text):
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and not line.startswith("#"):
            for sentence in re.split(r"(?<=[.;:]) ", line.strip()):
                yield number, sentence


def sources(text, mark):
    """Comments, and strings of several words; only the first line of a comment is an opening."""
    is_inside = False
    for number, line in enumerate(text.splitlines(), 1):
        comment = re.search(rf"(?:^|\s)(?:{mark})\s+(.*)$", line)
        starts = comment and not (is_inside and line.lstrip().startswith(("/", "#")))
        if comment:
            # A continuation has no opening of its own.
            yield number, comment[1] if starts else "and " + comment[1]
        is_inside = bool(comment)
        for string in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
            if len(string.split()) >= LEAST_WORDS:
                yield number, string


def prose(path, text):
    if path.suffix == ".md":
        return documents(text)
    return sources(text, "//+[!<]*" if path.suffix in C_LIKE else "#+")


def problems_in(path, text):
    """(line, text, advice) of each sentence in `text` that breaks a rule."""
    for number, sentence in prose(path, text):
        for pattern, advice in PATTERNS:
            if pattern.search(sentence):
                yield number, sentence.strip(), advice


def problems(root):
    files = [root / page for page in PAGES]
    for top in TOPS:
        files += sorted((root / top).rglob("*"))
    for file in files:
        if file.is_file() and file.suffix in C_LIKE | SCRIPTS | {".md"}:
            name = file.relative_to(root).as_posix()
            for number, sentence, advice in problems_in(file, file.read_text(encoding="utf-8")):
                yield f"{name}:{number}: {sentence!r}: {advice}"


class Rules(unittest.TestCase):
    def found(self, text, name="a.cpp"):
        return [line for line, _, _ in problems_in(pathlib.Path(name), text)]

    def test_each_construction_is_found(self):
        for broken in (
            "Of the last lane.",
            "Empty where there is no value.",
            "The name, if there is none.",
            "There is a rule, but there is no such file.".replace("There is a rule, but ", ""),
            "All but for the last.",
            "Stops for want of memory.",
            "Runs so long as it may.",
            "Two lines, of which there are many.",
            "The student is told the line.",
            "A bank hands out a word.",
            "The manifest says so.",
            "A thread that waits for ever.",
            "It makes two a lane of them.",
            "No sample to go by is left.",
            "Then which comes first is left to chance.",
            "Memory does not start as zeros.",
        ):
            with self.subTest(broken):
                self.assertEqual([1], self.found(f"// {broken}\n"))
                self.assertEqual([1], self.found(f"# {broken}\n", "a.py"))
                self.assertEqual([1], self.found(broken, "a.md"))

    def test_plain_sentences_pass(self):
        for right in ("The order of blocks.", "Each lane loads a word.", "Works, but for loops it is slow.", "Goes by value."):
            self.assertEqual([], self.found(f"// {right}\n"), right)

    def test_messages_are_read_and_short_strings_are_not(self):
        self.assertEqual([2], self.found('f();\nfail("the name of it is none of these");\nfail("is none");\n'))

    def test_the_second_line_of_a_comment_has_no_opening(self):
        self.assertEqual([], self.found("/// Counts the lanes\n/// Of a warp.\n"))

    def test_code_in_documents_is_not_read(self):
        self.assertEqual([4], self.found("```\nis none\n```\nThis is none of it.\n", "a.md"))


class Project(unittest.TestCase):
    maxDiff = None

    def test_is_written_in_plain_english(self):
        self.assertEqual([], list(problems(ROOT)))


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(argv=sys.argv[:1])
