// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 64 --arg out:i32:100
// | bounds_past_end.cu:8:3: out_of_bounds: writes out[100], but out has elements 0 to 99; check the index against the size before the access
// |     8 |   out[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // no check against 100
// |       |   ^
// |       block (1, 0, 0), thread (36, 0, 0)
extern "C" __global__ void k(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // no check against 100
}
