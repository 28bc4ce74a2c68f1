# SPDX-License-Identifier: Apache-2.0
"""Tokens of a CUDA source, with what a mutation has to know of their surroundings.

Comments are not tokens, strings are tokens that nothing changes, and of the preprocessor only the
body of a #define is code. The source is text in Latin-1, so that a position is a byte offset. The
reading is shallow, without types: where it is mistaken, a mutant does not compile.
"""

import re

TOKEN = re.compile(
    r"""(?P<space>\s+|\\\n|//[^\n]*|/\*.*?\*/)
    |(?P<directive>\#[ \t]*define[ \t]+\w+(?:\([^)]*\))?|\#(?:\\\n|[^\n])*)
    |(?P<string>R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    |(?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<sign><<=|>>=|->|::|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)""",
    re.VERBOSE | re.DOTALL,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}
CONTROL = ("if", "for", "while", "switch")
TYPES = ("bool", "char", "short", "int", "long", "unsigned", "signed", "float", "double", "void",
         "auto", "size_t")
QUALIFIERS = ("const", "constexpr", "volatile", "static", "extern", "__shared__", "__restrict__")
# How tight an operator binds.
BINDING = {"*": 5, "/": 5, "%": 5, "+": 4, "-": 4, "<<": 3, ">>": 3, "<": 2, ">": 2, "<=": 2,
           ">=": 2, "==": 1, "!=": 1, "&": 0, "^": 0, "|": 0}
BINARY = (*BINDING, "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")


def without_comments(text):
    """The text without its comments. A line that contains only a comment goes, too."""
    code, end = "", 0
    for found in TOKEN.finditer(text):
        if not found[0].startswith(("//", "/*")):
            continue
        code = (code + text[end:found.start()]).rstrip(" \t")
        end = found.end()
        starts_line = not code or code.endswith("\n")
        if starts_line and text.startswith("\n", end):
            end += 1
        elif end < len(text) and not text[end].isspace():
            code += " "
    return code + text[end:]


class Token:
    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)


class Source:
    """A file's text as tokens; the methods take and give indices of tokens."""

    def __init__(self, text):
        self.text = text
        self.tokens = [
            Token(found.lastgroup if found.lastgroup != "mark" else "string", found[0],
                  found.start())
            for found in TOKEN.finditer(text) if found.lastgroup != "space"
        ]
        self.match = {}
        self.around = []  # For each token the index of the bracket that it stands in, or None.
        self._match_brackets()
        self._match_template_brackets()

    def _match_brackets(self):
        open_ones = []
        for i, token in enumerate(self.tokens):
            is_sign = token.kind == "sign"
            if is_sign and open_ones and token.text == CLOSING[self[open_ones[-1]]]:
                first = open_ones.pop()
                self.match[first], self.match[i] = i, first
            self.around.append(open_ones[-1] if open_ones else None)
            if is_sign and token.text in CLOSING:
                open_ones.append(i)

    def _match_template_brackets(self):
        """Angle brackets stand close to the name before them and close before the statement does."""
        for i, token in enumerate(self.tokens):
            close_to_name = not self.space_before(i) and self.is_name(i - 1)
            if token.text != "<" or not (close_to_name or self[i - 1] == "template"):
                continue
            depth, j = 1, i + 1
            while self[j] not in ("", ";", "{", ")", "&&", "||", "<=", "=="):
                depth += {"<": 1, ">": -1, ">>": -2}.get(self[j], 0)
                if depth <= 0:
                    self.match[i], self.match[j] = j, i
                    break
                j = self.match.get(j, j) + 1 if self[j] in CLOSING else j + 1

    def __getitem__(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def __len__(self):
        return len(self.tokens)

    def kind(self, i):
        return self.tokens[i].kind if 0 <= i < len(self.tokens) else ""

    def is_name(self, i):
        return self.kind(i) == "name"

    def space_before(self, i):
        return i > 0 and self.tokens[i - 1].end < self.tokens[i].start

    def span(self, first, last):
        """The text from a token to a token, both included."""
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def ends_operand(self, i):
        if self.is_name(i):
            return self[i] not in TYPES + QUALIFIERS + ("return", "case", "else", "sizeof")
        return self.kind(i) in ("number", "string") or self[i] in (")", "]")

    def is_binary(self, i):
        """Whether an operator has two operands; one of a pointer's type has a space on one side."""
        if self[i] not in BINARY or not self.ends_operand(i - 1) or i in self.match:
            return False
        if self[i] in ("*", "&"):
            same_spaces = self.space_before(i) == self.space_before(i + 1)
            return same_spaces and self[i + 1] not in (")", ",", ">", "*", "&")
        return True

    def is_compound(self, first, last):
        """Whether these tokens are more than one operand."""
        inside = [i for i in range(first, last + 1) if self.around[i] == self.around[first]]
        return any(self.is_binary(i) or self[i] == "?" for i in inside)

    def in_function(self, i):
        """Whether a token stands in a function's body: in braces, and not in a struct's alone."""
        at = self.around[i]
        while at is not None:
            if self[at] == "{" and self[at - 1] in (")", "const", "else", "do", "mutable"):
                return True
            at = self.around[at]
        return False

    def operand_before(self, i):
        """The first token of the left operand of operator i."""
        at = self._primary_before(i - 1)
        while self.is_binary(at - 1) and BINDING.get(self[at - 1], -1) >= BINDING[self[i]]:
            at = self._primary_before(at - 2)
        return at

    def _primary_before(self, i):
        while True:
            if i in self.match and self.match[i] < i:
                i = self.match[i]
                if not self.ends_operand(i - 1) and self.match.get(i - 1, i) > i - 1:
                    break
                i -= 1
            elif self[i - 1] in (".", "->", "::"):
                i -= 2
            else:
                break
        while self[i - 1] in ("-", "!", "~", "*", "&") and not self.is_binary(i - 1):
            i -= 1
        return i

    def operand_after(self, i):
        """The last token of the right operand of operator i."""
        at = self._primary_after(i + 1)
        while self.is_binary(at + 1) and BINDING.get(self[at + 1], -1) > BINDING[self[i]]:
            at = self._primary_after(at + 2)
        return at

    def _primary_after(self, i):
        while self[i] in ("-", "!", "~", "*", "&", "++", "--"):
            i += 1
        i = self.match.get(i, i)
        while True:
            if self[i + 1] in (".", "->", "::"):
                i += 2
            elif i + 1 in self.match and self.match[i + 1] > i + 1 and self[i + 1] != "{":
                i = self.match[i + 1]
            else:
                return i

    def pieces(self, opening, separator=","):
        """(first, last) of each part between a bracket's separators; the last is before the first
        where a part is empty."""
        found, first, i = [], opening + 1, opening + 1
        while i <= self.match[opening]:
            if self[i] == separator or i == self.match[opening]:
                found.append((first, i - 1))
                first = i + 1
            i = max(i, self.match.get(i, i)) + 1
        return found

    def begins_statement(self, i):
        before = self[i - 1]
        if i == 0 or before in (";", "{", "}", "else", "do") or self.kind(i - 1) == "directive":
            return True
        opening = self.match.get(i - 1, i)
        if before != ")":
            return False
        if self[opening - 1] == "constexpr":
            opening -= 1
        return self[opening - 1] in CONTROL

    def statement_before(self, semicolon):
        """The first token of the statement that a semicolon ends, the semicolon where it is empty."""
        i = semicolon
        while not self.begins_statement(i):
            i = min(i - 1, self.match.get(i - 1, i))
        return i
