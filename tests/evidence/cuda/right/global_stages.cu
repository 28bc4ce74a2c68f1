// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 96 --arg out:i32:192
extern "C" __global__ void k(int* out) {
  int* mine = out + 96 * blockIdx.x;
  mine[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int other = mine[95 - threadIdx.x];
  __syncthreads();
  mine[threadIdx.x] = other;
}
