#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the folder of a CUDA toolkit, the first found in: $CUDA_HOME, $CUDA_PATH, the usual places,
# the folder of the nvcc on PATH, and NVIDIA's Python wheels in .venv of the project folder, which
# is the first argument. Prints nothing without a toolkit. Both the wrapper and the build use
# this script, so they agree. For the definition of a toolkit see common/compile/toolkit.h.
#
# WARPGRADE_CUDA=12 or 13 selects that series; by default 13 is searched first, in all places.
set -u

root=${1:-.}

# Whether folder $1 contains a toolkit of series $2.
is_toolkit() {
  for library in lib64 lib targets/x86_64-linux/lib targets/sbsa-linux/lib cuda_nvrtc/lib; do
    [ -e "$1/$library/libnvrtc.so.$2" ] || continue
    for include in include targets/x86_64-linux/include targets/sbsa-linux/include \
      cuda_runtime/include; do
      [ -e "$1/$include/vector_types.h" ] && return 0
    done
  done
  return 1
}

series=${WARPGRADE_CUDA:-13 12}

# Prints folder $1 and exits if it contains a toolkit of one of the given series.
try() {
  folder=$1
  shift
  for one in "$@"; do
    if [ -n "$folder" ] && is_toolkit "$folder" "$one"; then
      printf '%s\n' "$folder"
      exit 0
    fi
  done
}

# shellcheck disable=SC2086  # a list of words
{
  try "${CUDA_HOME:-}" $series
  try "${CUDA_PATH:-}" $series
}
for one in $series; do
  for place in /usr/local/cuda /usr/local/cuda-"$one"* /opt/cuda; do
    try "$place" "$one"
  done
  if nvcc=$(command -v nvcc) && nvcc=$(readlink -f "$nvcc"); then
    try "${nvcc%/bin/nvcc}" "$one"
  fi
  for place in "$root"/.venv/lib/python3*/site-packages/nvidia/cu13 \
    "$root"/.venv/lib/python3*/site-packages/nvidia; do
    try "$place" "$one"
  done
done
exit 0
