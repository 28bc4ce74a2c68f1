#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums up a run of `meson test`: prints `N passed, N failed`, exits 1 if anything failed.

Arguments: Meson's JUnit report and the exit code of `meson test`. A test program with the gtest
protocol counts by its cases; one that crashed before it wrote its report counts as one failure.
"""
import sys
import xml.etree.ElementTree as ElementTree


def count(report):
    """(passed, failed, skipped) over all test cases of the report at this path."""
    passed = failed = skipped = 0
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def main():
    report, status = sys.argv[1], int(sys.argv[2])
    try:
        passed, failed, skipped = count(report)
    except (OSError, ElementTree.ParseError) as error:
        print(f"no report of the tests: {error}", file=sys.stderr)
        passed, failed, skipped = 0, 1, 0
    # Meson reports failures that no case shows: a timeout, a crash, no test at all.
    if status != 0 or passed + failed == 0:
        failed = max(failed, 1)
    note = f", {skipped} skipped" if skipped else ""
    print(f"{passed} passed, {failed} failed{note}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
