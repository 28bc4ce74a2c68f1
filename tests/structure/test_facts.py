# SPDX-License-Identifier: Apache-2.0
"""Facts stay data until a renderer turns them into text.

No source file of common/ or grader/ searches, edits or compares a text that the program itself has
made: a diagnostic's message, an explanation, the name of a resource or of a verdict. The first class
breaks each rule once and expects it to be found. The second reads the project, whose root is the
first argument.

common/compile reads the output of NVRTC and ptxas, so its messages are other programs' texts.
"""

import pathlib
import re
import sys
import unittest

# Fields, variables and calls that hold sentences of the program.
SENTENCE = r"(?:\b(?:message|explanation|advice|why|hint|next|cause)\b|\bdifference(?:\.|->)text\b"
SENTENCE += r"|\bwhat\(\)|\b(?:base::text|shown_message|in_words|render\w*)\((?:[^()]|\([^()]*\))*\))"
SEARCH = r"(?:r?find(?:_\w+)?|starts_with|ends_with|substr|compare|contains)\("
EDIT = r"(?:replace|insert|append|erase|resize|pop_back|push_back)\("
# Fields that name one of several kinds. Their types are enums.
KIND = r"\b(?:bound_by|limited_by|resource|severity|verdict|reason|standing|outcome)\b"

RULES = {
    "searches in a message": re.compile(SENTENCE + r"\s*(?:\.|->)\s*" + SEARCH),
    "edits a message": re.compile(
        SENTENCE + r"\s*(?:\.|->)\s*" + EDIT + r"|(?:\.|->)(?:message|why|hint|cause)\s*\+="
        r"|\bdifference\S*(?:\.|->)text\s*\+="
    ),
    "compares a message with a text": re.compile(
        SENTENCE + r'\s*[!=]=\s*"|"\s*[!=]=\s*(?:\w+(?:\.|->))*' + SENTENCE
    ),
    "compares the name of a kind with a text": re.compile(
        KIND + r'\s*[!=]=\s*"|"\s*[!=]=\s*(?:\w+(?:\.|->))*' + KIND
    ),
}
OF_OTHER_PROGRAMS = ("common/compile/",)


def without_comments(text):
    """`text` with blanks instead of comments, and with empty strings instead of texts in quotes."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'

    def shortened(match):
        found = match[0]
        if found.startswith(("//", "/*")):
            return re.sub(r"[^\n]", " ", found)
        return '"' + "\n" * found.count("\n") + '"'

    return re.sub(pattern, shortened, text, flags=re.S)


def problems_in(text):
    """(line, rule) of each place in a C++ source that treats a sentence as data."""
    text = without_comments(text)
    return [
        (text.count("\n", 0, match.start()) + 1, rule)
        for rule, pattern in RULES.items()
        for match in pattern.finditer(text)
    ]


def problems(root):
    """"FILE:LINE: RULE" of each place in the project."""
    found = []
    for folder in ("common", "grader"):
        for file in sorted((root / folder).rglob("*")):
            name = file.relative_to(root).as_posix()
            if file.suffix not in (".cpp", ".h") or name.startswith(OF_OTHER_PROGRAMS):
                continue
            text = file.read_text(encoding="utf-8")
            found += [f"{name}:{line}: {rule}" for line, rule in problems_in(text)]
    return found


class Rules(unittest.TestCase):
    def expect(self, rule, *sources):
        for source in sources:
            with self.subTest(source):
                self.assertEqual([(1, rule)] if rule else [], problems_in(source))

    def test_a_search_in_a_message_is_found(self):
        self.expect(
            "searches in a message",
            'if (one.message.find("of a local array") == npos) return;',
            'auto at = message.find("s ");',
            "found->message.starts_with(kText)",
            'base::text(found[0]).find("byte")',
            'std::string(error.what()).find("x"); error.what().ends_with("y");'.split("; ")[1],
            "wrong.difference.text.substr(0, 3)",
        )

    def test_an_edit_of_a_message_is_found(self):
        self.expect(
            "edits a message",
            'one.message += " This happened again.";',
            "message.replace(at, 3, element);",
            "one.message.resize(one.advice_at);",
            'difference->text += ", " + more;',
        )

    def test_a_comparison_with_a_text_is_found(self):
        self.expect(
            "compares a message with a text",
            'if (diagnostic.message == "a race") return;',
            'if ("a race" != diagnostic.message) return;',
        )
        self.expect(
            "compares the name of a kind with a text",
            'if (measured.bound_by == "latency") return;',
            'if (occupancy.limited_by != "shared") return;',
            'x += "pass" == cell.verdict;',
            'share.resource == "dram"',
        )

    def test_facts_and_other_texts_are_free(self):
        self.expect(
            None,
            "found.message = std::move(words);",
            '// message.find("x")\n',
            'fmt::print("message.find(");',
            "if (measured.bound_by == Bound::kLatency) return;",
            "const auto* race = std::get_if<base::Race>(&one.facts);",
            'if (name.find("::") == npos) return;',
            "out.message = one.message;",
        )


class Project(unittest.TestCase):
    def test_facts_stay_data(self):
        self.assertEqual([], problems(ROOT))


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop(1))
    unittest.main(argv=sys.argv[:1])
