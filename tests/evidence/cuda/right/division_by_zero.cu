// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:64 --arg i32:0
extern "C" __global__ void k(int* out, int zero) {
  out[threadIdx.x] = static_cast<int>(threadIdx.x) / zero;  // does not fault on a GPU
  out[threadIdx.x + 32] = __float_as_int(1.0f / zero);
}
