#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# try_debian.sh WHEEL FOLDER [PYTHON ...]: installs the wheel on clean Debian 12 and 13 systems and runs
# the examples of README.md and docs/python.md, which must print what the documents promise.
#
# As root. The systems are chroots in FOLDER (debootstrap), created if missing. Each has its own Python
# (3.11 and 3.13). PYTHON is the prefix of another one, as pyenv or `uv python install` makes it; the
# chroots get a copy. Ends with 0 if all Pythons work on both.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
wheel=$(readlink -f "$1")
folder=$(readlink -f "$2")
shift 2

# Runs in the chroot $1: creates a virtual environment with the Python $2 and runs the examples in it.
try_python() {
  chroot "$1" /usr/bin/env -i HOME=/srv PATH=/usr/bin:/bin PIP_CERT=/etc/ssl/certs/ca-certificates.crt bash -euc '
    rm -rf /srv/venv
    "$1" -m venv /srv/venv
    /srv/venv/bin/pip install -q --disable-pip-version-check "$2[notebook]"
    cd /srv/documents
    /srv/venv/bin/python --version
    /srv/venv/bin/python run_examples.py README.md python.md
  ' - "$2" "/srv/$(basename "$wheel")"
}

export -f try_python
export wheel
for release in bookworm trixie; do
  system=$folder/$release
  [[ -e $system/usr/bin/python3 ]] ||
    debootstrap --variant=minbase --include=ca-certificates,python3-venv "$release" "$system" >/dev/null
  mkdir -p "$system/srv/documents"
  cp "$wheel" "$system/srv"
  cp "$root"/{README.md,docs/python.md,packaging/run_examples.py} "$system/srv/documents"
  # The network as on this machine.
  cp -L /etc/resolv.conf "$system/etc/resolv.conf"
  cp -L /etc/ssl/certs/ca-certificates.crt "$system/etc/ssl/certs/ca-certificates.crt"
  pythons=(/usr/bin/python3)
  for python in "$@"; do
    mkdir -p "$system$(dirname "$python")"
    [[ -e $system$python ]] || cp -a "$python" "$system$python"
    pythons+=("$python/bin/python3")
  done
  for python in "${pythons[@]}"; do
    printf '%s, %s\n' "$release" "$python"
    # The program needs /proc; the mount ends with the process.
    unshare --mount bash -euc 'mount -t proc proc "$1/proc"; try_python "$@"' - "$system" "$python"
  done
done
