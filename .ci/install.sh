# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of this folder.

# Installs Debian packages, with fresh lists where the old ones do not know them.
install() {
  [[ $EUID -eq 0 ]] && command -v apt-get || return
  export DEBIAN_FRONTEND=noninteractive
  apt-get install -y --no-install-recommends "$@" ||
    { apt-get update && apt-get install -y --no-install-recommends "$@"; }
}
