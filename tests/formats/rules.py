# SPDX-License-Identifier: Apache-2.0
"""The rules of the services that read a grade, as functions from a file's text to a list of problems.

Each function names its source. If a service has its own checker, or a schema that a package ships,
test_formats.py uses it in addition.
"""

import json
import re
import urllib.parse

LEAST_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
TIME = re.compile(r"^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$")
VISIBILITIES = {"hidden", "after_due_date", "after_published", "visible"}
OUTPUT_FORMATS = {"text", "html", "simple_format", "md", "ansi"}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def expect(problems, holds, what):
    if not holds:
        problems.append(what)


def control_characters(value):
    """The strings of parsed JSON with a control character other than a newline."""
    if isinstance(value, str):
        return [value] if LEAST_CONTROL.search(value) else []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [found for part in parts for found in control_characters(part)]


def gradescope(text):
    """https://gradescope-autograders.readthedocs.io/en/latest/specs/, "Output format"."""
    out = json.loads(text)
    problems = [f"control character in {one!r}" for one in control_characters(out)]
    known = {
        *("score", "execution_time", "output", "output_format", "test_output_format"),
        *("test_name_format", "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard"),
    }
    expect(problems, set(out) <= known, f"unknown keys {set(out) - known}")
    tests = out.get("tests", [])
    scored = bool(tests) and all("score" in test for test in tests)
    expect(problems, "score" in out or scored, "a score at the top or on each test is required")
    expect(problems, is_number(out.get("score", 0)), "score must be a number")
    for part in (out, *tests):
        expect(problems, part.get("visibility", "visible") in VISIBILITIES, "visibility")
        expect(problems, part.get("output_format", "text") in OUTPUT_FORMATS, "output_format")
        expect(problems, isinstance(part.get("output", ""), str), "output must be a string")
    expect(problems, out.get("stdout_visibility", "hidden") in VISIBILITIES, "stdout_visibility")
    known = {
        *("score", "max_score", "status", "name", "name_format", "number", "output"),
        *("output_format", "tags", "visibility", "extra_data"),
    }
    for test in tests:
        expect(problems, set(test) <= known, f"unknown keys {set(test) - known}")
        expect(problems, test.get("status", "passed") in ("passed", "failed"), "status")
        for key in ("score", "max_score"):
            expect(problems, is_number(test.get(key, 0)), f"{key} must be a number")
    return problems


def autolab(text):
    """parseAutoresult() and saveAutograde() of Autolab's assessment_autograde_core.rb.

    The last line that is not empty is JSON with an object `scores`. Autolab first puts each word
    right before a colon in quotes, which must not change our line.
    """
    problems = [] if not LEAST_CONTROL.search(text) else ["a control character"]
    lines = text.rstrip().splitlines()
    if not lines:
        return ["The Autograder returned no output"]
    quoted = re.sub(r"([a-zA-Z0-9]+):", r'"\1":', lines[-1])
    scores = json.loads(quoted).get("scores")
    if not isinstance(scores, dict):
        return problems + ["Missing 'scores' object in the autoresult"]
    expect(problems, scores == json.loads(lines[-1])["scores"], "the quotes changed the scores")
    expect(problems, all(is_number(value) for value in scores.values()), "a score is not a number")
    return problems


def prairielearn(text):
    """https://docs.prairielearn.com/externalGrading/, "Grading results", and the keys that
    elements/pl-external-grader-results/pl-external-grader-results.py reads."""
    problems = [] if len(text.encode()) < 1_000_000 else ["the file must be below 1 MB"]
    out = json.loads(text)
    problems += [f"control character in {one!r}" for one in control_characters(out)]
    if out.get("gradable", True):
        score = out.get("score")
        expect(problems, is_number(score) and 0 <= score <= 1, "score must be from 0 to 1")
    else:
        errors = out.get("format_errors", [])
        errors = [errors] if isinstance(errors, str) else errors
        expect(problems, all(isinstance(one, str) for one in errors), "format_errors")
        expect(problems, bool(errors), "the student is not told why it is not gradable")
    for test in out.get("tests", []):
        for key in ("points", "max_points"):
            expect(problems, is_number(test.get(key)), f"{key} is missing, which hides all points")
        for key in ("name", "output"):
            expect(problems, isinstance(test.get(key), str), f"{key} must be a string")
    expect(problems, isinstance(out.get("message", ""), str), "message must be a string")
    return problems


def classroom50(text):
    """foundation50/classroom50: schemas/result-v1.schema.json, and further checks of runner.py."""
    out = json.loads(text)
    problems = [f"control character in {one!r}" for one in control_characters(out)]
    needed = {
        *("schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit"),
        *("release", "review", "datetime", "score", "max-score", "tests"),
    }
    allowed = needed | {"graded_at", "submitted_by"}
    expect(problems, needed <= set(out) <= allowed, f"keys {set(out) ^ needed}")
    expect(problems, out["schema"] == "classroom50/result/v1", "schema")
    expect(problems, out["assignment_type"] in ("individual", "group"), "assignment_type")
    for key in ("classroom", "assignment", "owner", "commit", "release", "review"):
        expect(problems, isinstance(out[key], str) and out[key], f"{key} must be a text")
    expect(problems, out["submission"].startswith("submit/"), "submission")
    expect(problems, TIME.match(out["datetime"]), "datetime")
    for part in (out, *out["tests"]):
        score, most = part["score"], part["max-score"]
        expect(problems, type(score) is int and type(most) is int, "points are whole numbers")
        expect(problems, 0 <= score <= most, f"{score} of {most} points")
    for test in out["tests"]:
        expect(problems, isinstance(test["test-name"], str) and test["test-name"], "test-name")
        expect(problems, isinstance(test["passed"], bool), "passed")
    return problems


def sarif(text):
    """SARIF 2.1.0, errata 01: rules of the text that OASIS's schema does not contain."""
    out = json.loads(text)
    problems = [f"control character in {one!r}" for one in control_characters(out)]
    for run in out["runs"]:
        rules = run["tool"]["driver"]["rules"]
        ids = [rule["id"] for rule in rules]
        expect(problems, len(ids) == len(set(ids)), "ids of rules are unique (3.49.3)")
        for result in run["results"]:
            index = result.get("ruleIndex", -1)
            expect(problems, 0 <= index < len(rules), "ruleIndex is an index (3.27.6)")
            expect(problems, rules[index]["id"] == result["ruleId"], "ruleIndex and ruleId agree")
            related = [one["id"] for one in result.get("relatedLocations", [])]
            expect(problems, len(related) == len(set(related)), "ids are unique (3.28.2)")
            links = re.findall(r"(?<!\\)\[[^\]\\]*(?<!\\)\]\((\d+)\)", result["message"]["text"])
            expect(problems, {int(one) for one in links} <= set(related), "links lead to a location")
            for place in result["locations"] + result.get("relatedLocations", []):
                uri = place["physicalLocation"]["artifactLocation"]["uri"]
                expect(problems, re.fullmatch(r"[!#$&-;=?-\[\]_a-z~%]*", uri), f"RFC 3986: {uri}")
                expect(problems, not re.search("%(?![0-9A-F]{2})", uri), f"RFC 3986: {uri}")
                expect(problems, urllib.parse.urlparse(uri).scheme in ("", "file"), f"scheme: {uri}")
    return problems


def github_summary(text):
    """GitHub, "Adding a job summary": at most 1 MiB. Fences must be closed."""
    problems = [] if len(text.encode()) <= 2**20 else ["a summary has 1 MiB at most"]
    fence = None
    for line in text.splitlines():
        row = re.match("`{3,}", line)
        if row and fence is None:
            fence = row[0]
        elif fence is not None and line.rstrip() == fence:
            fence = None
    expect(problems, fence is None, f"the fence {fence} is open at the end")
    return problems


def github_commands(output):
    """The commands that GitHub's runner reads from standard output, as (name, properties, message).

    Follows TryProcessCommand() in the runner's ActionCommandManager.cs. A line is a command if it
    begins with optional spaces and ::, or contains ##[. After stop-commands the runner ignores
    every command except the word that ends it.
    """
    commands = []
    stopped = None
    for line in output.splitlines():
        found = re.match(r"\s*::([^\s:]+)(?: ([^:]*))?::(.*)$", line)
        if found is None:
            found = re.search(r"##\[([^\s\]]+)(?: ([^\]]*))?\](.*)$", line)
        if found is None:
            continue
        name, properties, message = found[1], found[2] or "", found[3]
        if stopped is not None:
            if name == stopped:
                stopped = None
            continue
        if name == "stop-commands":
            stopped = message
            continue
        commands.append((name, dict(re.findall("([^=,]+)=([^,]*)", properties)), message))
    return commands
