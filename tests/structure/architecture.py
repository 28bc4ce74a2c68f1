# SPDX-License-Identifier: Apache-2.0
"""The project's architecture as rules that a program can check.

In: the root of a source tree. Out: a list of problems, each a sentence that names file and line and
the remedy. Nothing is compiled. Files are read as text, so an #include directive at the start of a
line counts even in a comment.
"""

import pathlib
import re

# Pairs that need each other by nature, each with its reason. A pair that is gone is a problem.
MUTUAL = {
    ("common/sim/block", "common/sim/warp"): "a block runs its warps, a warp works on its block",
}

# The order of dependence: sources of a stage include headers of that stage and of earlier ones.
# The grader's rooms are stages like those of common/, after all of them.
COMMON = "base ptx compile device run sim memory check timing gpu verify measure probe".split()
ROOMS = "text course cases report html grade profile equivalence study class author watch cli".split()
STAGES = [f"common/{name}" for name in COMMON] + [f"grader/{name}" for name in ROOMS]
# Folders of a stage that are ordered, too. Files beside them may include all of them.
ORDERED = {"grader/grade": "plan execute time judge explain".split()}
# Each room of the grader has a namespace of its own.
NAMESPACES = {f"grader/{room}": room for room in ROOMS} | {"grader/class": "class_book"}
SOURCE_SUFFIXES = set(".cpp .css .cu .def .h .html .in .js .ptx .py .sh .sql .toml".split())
# Besides third-party files: inputs and golden data of tests, which stay as recorded.
SKIPPED_FOLDERS = {"__pycache__", "data", "golden", "subprojects"}
MAX_LINES = 800
MAX_MANIFEST_LINES = 45  # Per exercise of the course.
# The head of a longer file must contain these words, in a sentence on why it is not split.
LONG_FILE_WORDS = f"{MAX_LINES} lines"
HEAD_LINES = 20
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
MESON_COMMENT = re.compile(r"(?<!\S)#.*")
FILE_LIST = re.compile(r"\bfiles\((.*?)\)", re.DOTALL)
QUOTED = re.compile(r"'([^']*)'")
TYPE = re.compile(r"^(?:struct|class|union|enum(?: class)?) (\w+)\b(?! *;)", re.MULTILINE)
# The stage whose choosers map opcodes to functions. Other code reads facts of an instruction's row.
CHOOSERS = "common/sim/exec/"
OPCODE_QUESTION = re.compile(r"\bopcode\s*[!=]=\s*(?:ptx::)?Opcode::|\bcase (?:ptx::)?Opcode::")
# A compiled program holds its module, which is parsed once.
PARSING = re.compile(r"\bptx::parse\(")
# A grade's plan turns the manifest's expressions into numbers, which its later stages read.
EVALUATION = re.compile(
    r"\b(?:evaluate(?:_count)?|speed_variables|required_work|size_(?:buffers|case|launches))\(|\bExpression\b"
)


def stage_of(path):
    """The stage of a path relative to the root, as in "common/sim"; None without one."""
    parts = pathlib.PurePosixPath(path).parts
    return "/".join(parts[:2]) if len(parts) > 2 and parts[0] in ("common", "grader") else None


def component_of(path):
    """The component of a header and its source: the path without its suffix."""
    return str(pathlib.PurePosixPath(path).with_suffix(""))


def source_files(root):
    """Every source file of the tree, in order, except in build and hidden folders."""

    def walk(folder):
        for entry in sorted(folder.iterdir()):
            skipped = entry.name.startswith((".", "build")) or entry.name in SKIPPED_FOLDERS
            if entry.is_symlink() or (skipped and entry.is_dir()):
                continue
            if entry.is_dir():
                yield from walk(entry)
            elif entry.suffix in SOURCE_SUFFIXES or is_script(entry):
                yield entry

    yield from walk(root)


def is_script(path):
    if path.suffix:
        return False
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def line_number(text, offset):
    return text.count("\n", 0, offset) + 1


def meson_text(build_file):
    """A meson.build without comments, which may contain apostrophes; empty if missing."""
    return MESON_COMMENT.sub("", build_file.read_text()) if build_file.is_file() else ""


def include_problems(root, path, text):
    """Includes of a stage reach only headers that exist, of the stage itself or an earlier one."""
    own = stage_of(path)
    if own is None:
        return
    for match in INCLUDE.finditer(text):
        target, where = match[1], f"{path}:{line_number(text, match.start(1))}"
        other = stage_of(target)
        if own not in STAGES:
            yield f"{where}: {own} is not a stage; give it a place in the order of {__name__}.STAGES"
            return
        if other not in STAGES:
            yield f'{where}: "{target}" must be written from the root, as "{own}/..."'
        elif STAGES.index(other) > STAGES.index(own):
            yield (
                f'{where}: {own} includes "{target}", but {other} comes later in the order of '
                f"dependence ({' '.join(STAGES)}); move what is shared to an earlier stage"
            )
        elif not (root / target).is_file() and not is_generated(root, target):
            yield f'{where}: there is no file "{target}"'


def folder_problems(path, text):
    """The folders of a stage in ORDERED include their own headers and those of earlier ones."""
    own = stage_of(path)
    order = ORDERED.get(own, [])
    folder = pathlib.PurePosixPath(path).parts[2:-1]
    if not order or not folder:
        return
    if folder[0] not in order:
        yield f"{path}: {folder[0]} has no place in the order of {__name__}.ORDERED"
        return
    for match in INCLUDE.finditer(text):
        target = pathlib.PurePosixPath(match[1])
        if stage_of(target) != own:
            continue
        other = target.parts[2] if len(target.parts) > 3 else None
        if other is None or order.index(other) > order.index(folder[0]):
            where = f"{path}:{line_number(text, match.start(1))}"
            yield f'{where}: {folder[0]} includes "{target}", which comes later ({" ".join(order)})'


def is_generated(root, path):
    """Whether the meson.build of its folder writes the file."""
    return f"output: '{pathlib.PurePosixPath(path).name}'" in meson_text((root / path).parent / "meson.build")


def cycle_problems(sources):
    """No component, a header with its source, includes itself through others.

    `sources` maps each path to its text. Reports each cycle once, at its first file by name.
    """
    edges = {}
    for path, text in sources.items():
        own = component_of(path)
        if stage_of(path) is None:
            continue
        targets = {component_of(match[1]) for match in INCLUDE.finditer(text)}
        edges.setdefault(own, set()).update(targets - {own})

    finished, found = set(), []

    def visit(component, way):
        if component in way:
            cycle = way[way.index(component):]
            first = cycle.index(min(cycle))
            cycle = cycle[first:] + cycle[:first]
            found.append(f"{cycle[0]}: includes itself by way of {', '.join(cycle[1:])}")
            return
        if component in finished:
            return
        for target in sorted(edges.get(component, ())):
            visit(target, [*way, component])
        finished.add(component)

    for first, second in MUTUAL:
        if first in edges and not (second in edges[first] and first in edges.get(second, ())):
            found.append(f"{first}: no longer mutual with {second}; take the pair out of MUTUAL")
        edges.get(second, set()).discard(first)
    for component in sorted(edges):
        visit(component, [])
    return sorted(set(found))


def opcode_problems(path, text):
    """No stage of common/ except the simulator's choosers asks for an instruction's opcode."""
    if not path.startswith("common/") or path.startswith(CHOOSERS):
        return
    for match in OPCODE_QUESTION.finditer(text):
        yield (
            f"{path}:{line_number(text, match.start())}: asks for an opcode; read a fact of "
            "common/ptx/instruction_facts.h instead, and give it to the row in instructions.def"
        )


def parsing_problems(path, text):
    """No stage parses the PTX of a program again."""
    if stage_of(path) is None:
        return
    for match in PARSING.finditer(text):
        where = f"{path}:{line_number(text, match.start())}"
        yield f"{where}: parses PTX; use the module that the program shares (Program::ptx)"


def expression_problems(path, text):
    """No stage of a grade except the plan evaluates an expression of the manifest."""
    later = tuple(f"grader/grade/{stage}/" for stage in ORDERED["grader/grade"][1:])
    if not path.startswith(later):
        return
    for match in EVALUATION.finditer(text):
        where = f"{path}:{line_number(text, match.start())}"
        yield f"{where}: evaluates an expression; let the plan do it (grader/cases/sized_case.h)"


def namespace_problems(path, text):
    """A file of a room in NAMESPACES declares its names there."""
    namespace = NAMESPACES.get(stage_of(path))
    declared = re.findall(r"^namespace warpgrade::grader\S*", text, re.MULTILINE)
    if namespace and declared and f"namespace warpgrade::grader::{namespace}" not in declared:
        yield f"{path}: its names belong into namespace warpgrade::grader::{namespace}"


def type_problems(sources):
    """A header's type has a unique name in its namespace.

    The linker merges two types of one name in different libraries, and may use either destructor.
    """
    known = {}
    for path, text in sources.items():
        stage = stage_of(path)
        if not stage or not path.endswith(".h"):
            continue
        namespace = re.search(r"^namespace ([\w:]+) \{", text, re.MULTILINE)
        for match in TYPE.finditer(text):
            other = known.setdefault((namespace and namespace[1], match[1]), path)
            if other != path:
                where = f"{path}:{line_number(text, match.start())}"
                yield f"{where}: {match[1]} is also a type of {other}; rename this one"


def head_problems(path, text):
    """A file begins with its licence; a script may put the interpreter first."""
    lines = text.removeprefix("\ufeff").splitlines()
    first = lines[1:2] if lines and lines[0].startswith("#!") else lines[:1]
    if not first or "SPDX-License-Identifier: Apache-2.0" not in first[0]:
        yield f"{path}:1: must begin with a comment 'SPDX-License-Identifier: Apache-2.0'"
    if len(lines) > MAX_LINES and LONG_FILE_WORDS not in "\n".join(lines[:HEAD_LINES]):
        yield (
            f"{path}: {len(lines)} lines; split it, or say in its first {HEAD_LINES} lines why it "
            f"is longer than {LONG_FILE_WORDS}"
        )


def list_problems(path, text):
    """The file lists of a meson.build are sorted and name each file once."""
    for match in FILE_LIST.finditer(text):
        names = QUOTED.findall(match[1])
        for before, after in zip(names, names[1:]):
            if before >= after:
                where = f"{path}:{line_number(text, match.start())}"
                yield f"{where}: '{after}' must not come after '{before}': sort the list"


def unlisted_problems(root, folder):
    """A .cpp that no meson.build lists is never compiled, and a test there never runs.

    The meson.build of its folder or of one around it, below the root, lists it by its relative path.
    """
    for source in sorted(folder.rglob("*.cpp")):
        around = [parent for parent in source.parents if root in parent.parents]
        if not any(
            source.relative_to(parent).as_posix() in QUOTED.findall(meson_text(parent / "meson.build"))
            for parent in around
        ):
            yield f"{source.relative_to(root).as_posix()}: not listed in any meson.build"


def manifest_problems(root):
    """Manifests of the course that are too long for their exercises."""
    for manifest in sorted((root / "labs").glob("*/grader.toml")):
        lines = manifest.read_text(encoding="utf-8").splitlines()
        exercises = max(lines.count("[[exercise]]"), 1)
        if len(lines) > MAX_MANIFEST_LINES * exercises:
            path = manifest.relative_to(root).as_posix()
            yield f"{path}: {len(lines)} lines for {exercises} exercises; at most {MAX_MANIFEST_LINES} for each"


def problems(root):
    """Everything in the tree at `root` that breaks a rule."""
    found = []
    sources = {
        file.relative_to(root).as_posix(): file.read_text(encoding="utf-8")
        for file in source_files(root)
    }
    for path, text in sources.items():
        found += include_problems(root, path, text)
        found += folder_problems(path, text)
        found += head_problems(path, text)
        found += opcode_problems(path, text)
        found += parsing_problems(path, text)
        found += expression_problems(path, text)
        found += namespace_problems(path, text)
    found += cycle_problems(sources)
    found += type_problems(sources)
    found += manifest_problems(root)
    for parent in ("common", "grader", "tests"):
        for folder in sorted((root / parent).glob("*")):
            if folder.is_dir():
                found += unlisted_problems(root, folder)
        for build_file in sorted((root / parent).rglob("meson.build")):
            found += list_problems(build_file.relative_to(root).as_posix(), meson_text(build_file))
    return found
