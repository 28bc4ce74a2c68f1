#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# try_wheel.sh FOLDER [PIP-OPTION ...]: installs the wheel in FOLDER as a student does, writes a course
# folder and grades in it: an untouched skeleton earns nothing, which is exit code 1 and not 3.
set -euo pipefail
wheel=$(echo "$(readlink -f "$1")"/warpgrade-*.whl)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
unset WARPGRADE_ROOT
python3 -m venv "$place/venv"
"$place/venv/bin/pip" install --disable-pip-version-check --no-input -q "${@:2}" "$wheel"
cd "$place"
venv/bin/warpgrade --version
venv/bin/python -c 'import warpgrade; print(warpgrade.program(), warpgrade.version())
assert warpgrade.program().startswith("'"$place"'") and "coalescing/copy" in warpgrade.exercises()'
venv/bin/warpgrade init course
cd course
# The chapters' figures are drawn and their book is made when the wheel is.
for figure in $(grep -ho 'figures/[a-z_0-9]*\.svg' handouts/*.md | sort -u) book.html; do
  [[ -s handouts/$figure ]] || { echo "handouts/$figure is missing" && exit 1; }
done
status=0
report=$(../venv/bin/warpgrade grade coalescing/copy --backend sim) || status=$?
tail -n 1 <<<"$report"
[[ $status -eq 1 && $report == *'0 of 10 points, 0 of 1 exercise passed' ]]
