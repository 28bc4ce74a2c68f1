// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:i32:64
// | bounds_device_variable.cu:9:3: out_of_bounds: writes table[32], but table has elements 0 to 31; check the index against the size before the access
// |     9 |   table[threadIdx.x] = threadIdx.x;
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
__device__ int table[32];
extern "C" __global__ void k(int* out) {
  table[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = 1;
}
