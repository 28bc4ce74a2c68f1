# SPDX-License-Identifier: Apache-2.0
"""README.md's table: files, exit codes and the peak use of a single file, by family."""

COLUMNS = ("family", "files", "exit 0", "exit 1", "exit 3", "problems", "most CPU", "most memory")


def rows(text):
    """Cells by family."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {row[0]: row for row in cells if len(row) == len(COLUMNS) and row[0] != COLUMNS[0]}


def by_family(files):
    found = {}
    for file in files:
        found.setdefault(file.family, []).append(file.name)
    return found


def row(family, names, results):
    """A line of the table; without results if the family was not graded completely."""
    done = [results[name] for name in names if name in results]
    cells = [family, str(len(names))]
    if len(done) < len(names):
        cells += [""] * (len(COLUMNS) - len(cells))
    else:
        cells += [str(sum(item["exit"] == code for item in done)) for code in (0, 1, 3)]
        cells.append(str(sum(not item["as_expected"] for item in done)))
        for key, unit in (("cpu_seconds", "s"), ("memory_mib", "MiB")):
            most = max(done, key=lambda item: item[key])
            cells.append(f"{most[key]:.0f} {unit}, `{most['file'].partition('/')[2]}`")
    return "| " + " | ".join(cells) + " |"


def accept(readme, files, results):
    """Replaces the table at the end of the file."""
    prose = readme.read_text(encoding="utf-8").partition("| family | files |")[0].splitlines()
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += [row(family, names, results) for family, names in by_family(files).items()]
    readme.write_text("\n".join([*prose, *lines]) + "\n", encoding="utf-8")


def problems(readme, files):
    """Families that the table lacks or counts incorrectly."""
    found = rows(readme.read_text(encoding="utf-8"))
    counts = {family: str(len(names)) for family, names in by_family(files).items()}
    for family, count in counts.items():
        if found.get(family, ["", ""])[1] != count:
            yield f"README.md: the row of {family} does not have {count} files; run with --accept"
    for family in found.keys() - counts.keys():
        yield f"README.md: there is no family {family}"
