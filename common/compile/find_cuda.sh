#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the folder of a CUDA 13 toolkit, the first found of: $CUDA_HOME, $CUDA_PATH, the usual
# places, the folder of the nvcc on PATH, and NVIDIA's Python wheels in .venv of the project folder
# given as first argument. Prints nothing where there is none. The wrapper and the build both ask
# this script, so that they agree; a toolkit is what common/compile/toolkit.h says it is.
set -u

root=${1:-.}

is_toolkit() {
  for folder in lib64 lib targets/x86_64-linux/lib targets/sbsa-linux/lib; do
    [ -e "$1/$folder/libnvrtc.so.13" ] || continue
    for include in include targets/x86_64-linux/include targets/sbsa-linux/include; do
      [ -e "$1/$include/vector_types.h" ] && return 0
    done
  done
  return 1
}

try() {
  if [ -n "$1" ] && is_toolkit "$1"; then
    printf '%s\n' "$1"
    exit 0
  fi
}

try "${CUDA_HOME:-}"
try "${CUDA_PATH:-}"
for place in /usr/local/cuda /usr/local/cuda-13* /opt/cuda; do
  try "$place"
done
if nvcc=$(command -v nvcc) && nvcc=$(readlink -f "$nvcc"); then
  try "${nvcc%/bin/nvcc}"
fi
for place in "$root"/.venv/lib/python3*/site-packages/nvidia/cu13; do
  try "$place"
done
exit 0
