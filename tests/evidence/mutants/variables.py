# SPDX-License-Identifier: Apache-2.0
"""Variables and parameters of a source's functions: where each is declared and may be used."""

from tokens import QUALIFIERS

INTEGERS = ("int", "unsigned", "unsigned int", "size_t", "short", "long long", "unsigned long long",
            "int64_t", "uint32_t", "uint64_t", "uint")
NO_TYPE = ("return", "else", "case", "goto", "using", "typedef", "asm", "template", "struct",
           "namespace", "if", "for", "while", "do", "switch", "break", "continue", "operator")


class Variable:
    """One declaration: the token of its name, the last token of its scope, and its kind of type,
    which is the same for all integers and does not tell const."""

    def __init__(self, source, at, type_tokens, last):
        self.name, self.at, self.last = source[at], at, last
        words = [source[i] for i in type_tokens]
        self.is_const = "const" in words or "constexpr" in words
        plain = " ".join(word for word in words if word not in QUALIFIERS)
        self.kind = "integer" if plain in INTEGERS else plain
        self.kind += "[]" if source[at + 1] == "[" else ""


def type_before_name(source, i):
    """The index of the name that a declaration from token i on declares first; None if none."""
    if source[i] in NO_TYPE:
        return None
    names = 0
    while True:
        if source.is_name(i):
            names += 1
            follows = source[i + 1]
            if names > 1 and follows in ("=", ";", ",", "[", "{", ":", ")"):
                return i
            i += 1
        elif source[i] == "<" and i in source.match:
            i = source.match[i] + 1
        elif source[i] in ("*", "&", "::") and names:
            i += 1
        else:
            return None


def end_of_scope(source, i):
    """The last token of the scope of what is declared at token i."""
    opening = source.around[i]
    if opening is None:
        return len(source) - 1
    if source[opening] == "{":
        return source.match[opening]
    body = source.match[opening] + 1
    if source[body] == "{":
        return source.match[body]
    while source[body] not in (";", ""):
        body = max(body, source.match.get(body, body)) + 1
    return body


def declarators(source, first):
    """The names of a declaration whose first name is known: `int a = 1, b[2];` has a and b."""
    yield first
    i = first
    while source[i] not in (";", ")", ":", ""):
        if source[i] == "," and source.is_name(i + 1):
            yield i + 1
        i = max(i, source.match.get(i, i)) + 1


def variables(source):
    """All parameters and local variables, in order."""
    found = []
    for i in range(len(source)):
        in_for = source[i - 1] == "(" and source[i - 2] == "for"
        if in_for or (source.begins_statement(i) and source.in_function(i)):
            name = type_before_name(source, i)
            if name is not None:
                kind = range(i, name)
                found += [Variable(source, at, kind, end_of_scope(source, at))
                          for at in declarators(source, name)]
        if source[i] == "(" and source[source.match.get(i, i) + 1] == "{":
            for first, last in source.pieces(i):
                if type_before_name(source, first) == last:
                    found.append(Variable(source, last, range(first, last),
                                          end_of_scope(source, last)))
    return found
