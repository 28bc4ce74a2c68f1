# SPDX-License-Identifier: Apache-2.0
"""The operators of mutation: each gives every single change of its kind that a source allows.

A change is (offset, old, new): what stands at a byte of the file, and what is put in its place.
"""

import re

from tokens import CONTROL, QUALIFIERS, TYPES
from variables import type_before_name, variables

BARRIERS = ("__syncthreads", "__syncwarp", "sync", "wait", "arrive_and_wait", "consumer_wait",
            "__pipeline_wait_prior", "__threadfence", "__threadfence_block")
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||",
               "||": "&&"}
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "^": "|", "&": "|", "|": "^",
              "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "^=": "|=",
              "&=": "|=", "|=": "^=", "<<=": ">>=", ">>=": "<<="}
NARROWER = {"float": "int", "double": "float", "unsigned": "int", "unsigned int": "int",
            "int": "short", "size_t": "unsigned", "long long": "int",
            "unsigned long long": "unsigned", "bool": "int"}
INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)")
BUILTIN = ("threadIdx", "blockIdx", "blockDim", "gridDim")
ASSIGNMENTS = ("=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")


def change(source, first, last, new):
    return source.tokens[first].start, source.span(first, last), new


def exchanged(source, first, second):
    """Two spans, in order, each in the other's place."""
    (a, b), (c, d) = first, second
    between = source.text[source.tokens[b].end : source.tokens[c].start]
    return change(source, a, d, source.span(c, d) + between + source.span(a, b))


def operand(source, first, last):
    text = source.span(first, last)
    return f"({text})" if source.is_compound(first, last) else text


def swap_operands(source):
    """a - b becomes b - a; what is more than one operand gets parentheses."""
    for i in range(len(source)):
        if source[i] not in ("-", "/", "%", "<<", ">>", "<", ">") or not source.is_binary(i):
            continue
        first, last = source.operand_before(i), source.operand_after(i)
        left, right = operand(source, first, i - 1), operand(source, i + 1, last)
        new = f"{right} {source[i]} {left}"
        yield change(source, first, last, new)


def swap_arguments(source):
    """f(a, b) becomes f(b, a)."""
    for i in range(len(source)):
        if source[i] != "(" or not source.ends_operand(i - 1) or not source.in_function(i):
            continue
        if source[i - 1] in CONTROL or i not in source.match or not source.is_name(i - 1):
            continue
        arguments = source.pieces(i)
        if len(arguments) == 2 and all(first <= last for first, last in arguments):
            yield exchanged(source, *arguments)


def drop_barrier(source):
    """A barrier, or a wait for copies, becomes an empty statement."""
    for first, semicolon in plain_statements(source):
        calls = [source[i] for i in range(first, semicolon)
                 if source.is_name(i) and source[i + 1] == "("]
        if any(call in BARRIERS for call in calls):
            yield change(source, first, semicolon, ";")


def comparison(source):
    """< becomes <=, == becomes !=, && becomes ||, and the other way round."""
    for i in range(len(source)):
        if source[i] in COMPARISONS and source.is_binary(i) and source[i - 1] != "operator":
            yield change(source, i, i, COMPARISONS[source[i]])


def arithmetic(source):
    """+ becomes -, * becomes +, / becomes *, and so on, in assignments too."""
    for i in range(len(source)):
        if source[i] in ARITHMETIC and source.is_binary(i) and source[i - 1] != "operator":
            yield change(source, i, i, ARITHMETIC[source[i]])


def literal(source):
    """An integer becomes one more, or one less."""
    for i in range(len(source)):
        found = INTEGER.fullmatch(source[i]) if source.kind(i) == "number" else None
        if not found:
            continue
        digits, suffix = found.groups()
        is_octal = re.fullmatch(r"0[0-9]+", digits)
        value = int(digits, 8 if is_octal else 0)
        for new in (value + 1, value - 1):
            text = hex(new) if digits[:2] in ("0x", "0X") else str(new)
            yield change(source, i, i, text + suffix)


def exchange_xy(source):
    """threadIdx.x becomes threadIdx.y, and the other way round; likewise of the other three."""
    for i in range(2, len(source)):
        if source[i] in ("x", "y") and source[i - 1] == "." and source[i - 2] in BUILTIN:
            yield change(source, i, i, "y" if source[i] == "x" else "x")


def swap_subscripts(source):
    """a[i][j] becomes a[j][i], in declarations too."""
    for i in range(len(source)):
        if source[i] == "[" and source[source.match.get(i, i) + 1] == "[":
            second = source.match[i] + 1
            inner = [(at + 1, source.match[at] - 1) for at in (i, second)]
            if all(first <= last for first, last in inner):
                yield exchanged(source, *inner)


def index(source):
    """a[i] becomes a[i + 1], where a is not declared with it."""
    declared = {variable.at for variable in variables(source)}
    for i in range(len(source)):
        if source[i] != "[" or not source.ends_operand(i - 1) or not source.in_function(i):
            continue
        name = i - 1
        while source[name] == "]":
            name = source.match[name] - 1
        first, last = i + 1, source.match[i] - 1
        if first <= last and name not in declared:
            yield change(source, first, last, f"{operand(source, first, last)} + 1")


def narrow_type(source):
    """The type of a local variable becomes a narrower one: float to int, int to short."""
    for i in range(len(source)):
        if source[i] not in NARROWER or source[i - 1] in TYPES or not source.in_function(i):
            if not (source[i] == "long" and source[i - 1] not in TYPES and source.in_function(i)):
                continue
        last = i
        while source[last + 1] in TYPES:
            last += 1
        words = " ".join(source[at] for at in range(i, last + 1))
        if source.is_name(last + 1) and source[last + 1] not in QUALIFIERS and words in NARROWER:
            yield change(source, i, last, NARROWER[words])


def delete_statement(source):
    """An assignment, a call, a return, break or continue becomes an empty statement."""
    for first, semicolon in plain_statements(source):
        yield change(source, first, semicolon, ";")


def negate_condition(source):
    """if (a) becomes if (!(a)); likewise of while and the middle of for."""
    for i in range(len(source)):
        if source[i] not in ("if", "while", "for"):
            continue
        opening = i + 2 if source[i + 1] == "constexpr" else i + 1
        if source[opening] != "(" or opening not in source.match:
            continue
        parts = source.pieces(opening, ";")
        if source[i] == "for" and len(parts) < 3:
            continue
        first, last = parts[1] if source[i] == "for" else parts[-1]
        if first <= last:
            yield change(source, first, last, f"!({source.span(first, last)})")


def exchange_variable(source):
    """A use of a variable becomes one of another of the same kind of type that is in scope."""
    every = variables(source)
    declared = {variable.at for variable in every}
    for i in range(len(source)):
        if not source.is_name(i) or i in declared or source[i - 1] in (".", "->", "::"):
            continue
        in_scope = {v.name: v for v in every if v.at < i <= v.last}  # inner ones come later
        this = in_scope.pop(source[i], None)
        is_written = source[i + 1] in ASSIGNMENTS or source[i - 1] in ("++", "--")
        for other in in_scope.values() if this else ():
            if other.kind == this.kind and not (is_written and other.is_const):
                yield change(source, i, i, other.name)


def plain_statements(source):
    """(first token, semicolon) of each statement in a function that declares nothing."""
    for i in range(len(source)):
        if source[i] != ";" or not source.in_function(i) or source[source.around[i]] != "{":
            continue
        first = source.statement_before(i)
        if first == i or (source[first] == "return" and first + 1 < i):
            continue
        is_declaration = (
            source[first] in QUALIFIERS + ("using", "typedef", "static_assert")
            or type_before_name(source, first) is not None
            or (source.is_name(first) and source.is_name(first + 1) and source[first] != "asm")
        )
        if not is_declaration:
            yield first, i


OPERATORS = {
    operator.__name__: operator
    for operator in (
        arithmetic, comparison, delete_statement, drop_barrier, exchange_variable, exchange_xy,
        index, literal, narrow_type, negate_condition, swap_arguments, swap_operands,
        swap_subscripts,
    )
}
