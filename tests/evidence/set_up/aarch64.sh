#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Grades the course with a program for aarch64 and with this machine's: the same reports, bit by bit?
#
#   tests/evidence/set_up/aarch64.sh FOLDER
#
# Cross-builds the program in FOLDER/build with Debian's libraries for arm64, which are unpacked in
# FOLDER/root, and executes it under qemu with NVIDIA's compiler for aarch64. Then compares the JSON
# reports of all skeletons and solutions with those of ./warpgrade, except for times and versions. Takes
# half an hour of two cores; what FOLDER has already is not made again. For root, on Debian or Ubuntu
# on x86-64, since it installs packages and tells the kernel that qemu executes such programs.
# Exit code 1: a report differs.
set -euo pipefail
root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../../..")
out=$(readlink -f "${1:?name a folder}")
sysroot=$out/root
mkdir -p "$out/debs" "$out/wheels" "$out/cuda"

dpkg --add-architecture arm64
apt-get update
apt-get install -y --no-install-recommends g++-aarch64-linux-gnu qemu-user-static

if [[ ! -d $sysroot ]]; then
  wanted=(libfmt-dev libtomlplusplus-dev libmuparser-dev libgtest-dev libgmock-dev libbenchmark-dev
    libpugixml-dev nettle-dev libsqlite3-dev libsqlitecpp-dev libarchive-dev libpcre2-dev libseccomp-dev
    libutf8proc-dev libstdc++6)
  # With what they depend on. The compiler brings headers and libraries of the C library for itself.
  mapfile -t packages < <(apt-get install --dry-run --no-install-recommends "${wanted[@]/%/:arm64}" |
    sed -n 's/^Inst \([^ ]*:arm64\) .*/\1/p' | grep -v '^libc6-dev\|^linux-libc-dev')
  (cd "$out/debs" && apt-get download "${packages[@]}" libcli11-dev nlohmann-json3-dev googletest)
  mkdir "$sysroot.new"
  for package in "$out"/debs/*.deb; do dpkg -x "$package" "$sysroot.new"; done
  mv "$sysroot.new" "$sysroot"
fi

# The program's children have an empty environment, so they contain the paths of their loader and libraries.
libraries=$sysroot/usr/lib/aarch64-linux-gnu:$sysroot/lib/aarch64-linux-gnu
cat >"$out/cross.ini" <<EOF
[binaries]
c = 'aarch64-linux-gnu-gcc'
cpp = 'aarch64-linux-gnu-g++'
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = 'qemu-aarch64-static'
[properties]
sys_root = '$sysroot'
pkg_config_libdir = ['$sysroot/usr/lib/aarch64-linux-gnu/pkgconfig', '$sysroot/usr/share/pkgconfig']
[built-in options]
cpp_args = ['-isystem', '$sysroot/usr/include']
cpp_link_args = ['-Wl,--dynamic-linker=$sysroot/lib/ld-linux-aarch64.so.1', '-Wl,-rpath,$libraries']
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
EOF
formats=/proc/sys/fs/binfmt_misc
[[ -e $formats/register ]] || mount -t binfmt_misc binfmt_misc "$formats"
[[ -e $formats/qemu-aarch64 ]] ||
  printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:F' >"$formats/register"

"$root/warpgrade" --version  # sets this machine's up
native=$("$root/common/compile/find_cuda.sh" "$root")
nvrtc=$(sed -n '/^wheels_13/,/^)/s/^ *\(nvidia-cuda-nvrtc==.*\)/\1/p' "$root/warpgrade")
python3 -m pip download --no-deps --only-binary=:all: --platform manylinux2014_aarch64 \
  -d "$out/wheels" "$nvrtc"
python3 -m zipfile -e "$out"/wheels/nvidia_cuda_nvrtc-*.whl "$out/wheels"
ln -sfn "$out/wheels/nvidia/cu13/lib" "$out/cuda/lib"
ln -sfn "$native/include" "$out/cuda/include"  # the same headers for both

[[ -e $out/build/build.ninja ]] ||
  meson setup --cross-file "$out/cross.ini" -Dwerror=false -Dunity_size=40 "$out/build" "$root"
ninja -C "$out/build" grader/warpgrade

# Grades with the program given; writes NAME-skeletons.json and NAME-solutions.json.
grade() {
  local name=$1
  shift
  "$@" grade --brief --json "$out/$name-skeletons.json" || [[ $? == 1 ]]
  "$@" grade --brief --json "$out/$name-solutions.json" --solutions
}
export WARPGRADE_ROOT=$root XDG_CACHE_HOME=$out/cache
grade native "$root/warpgrade"
CUDA_HOME=$out/cuda grade aarch64 "$out/build/grader/warpgrade"

python3 - "$out" <<'EOF'
import json, sys

def report(name):
    with open(f"{sys.argv[1]}/{name}.json", encoding="utf-8") as file:
        all = json.load(file)
    return {key: value for key, value in all.items() if key not in ("time", "grader", "toolkit")}

differ = [kind for kind in ("skeletons", "solutions")
          if report(f"native-{kind}") != report(f"aarch64-{kind}")]
print("the reports differ: " + ", ".join(differ) if differ else "all reports are the same")
sys.exit(1 if differ else 0)
EOF
