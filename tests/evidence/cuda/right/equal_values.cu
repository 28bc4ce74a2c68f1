// SPDX-License-Identifier: Apache-2.0
// launch: --grid 4 --block 64 --arg out:i32:1 --arg in:i32:256:iota
extern "C" __global__ void k(int* out, const int* in) {
  if (in[blockIdx.x * 64 + threadIdx.x] % 7 == 3) *out = 1;
}
