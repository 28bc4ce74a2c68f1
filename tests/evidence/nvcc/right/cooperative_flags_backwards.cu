// SPDX-License-Identifier: Apache-2.0
// Each block waits for the next block, by a volatile flag and fences: all must be resident.
// launch: --kernel chain --grid 7 --block 32 --cooperative --arg inout:i32:8:zeros --arg inout:i32:256:zeros
__global__ void chain(volatile int* flags, int* data) {
  const int b = blockIdx.x;
  if (b + 1 < gridDim.x) {
    if (threadIdx.x == 0) {
      while (flags[b + 1] == 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }
  data[b * 32 + threadIdx.x] = b + (b + 1 < gridDim.x ? 2 * data[(b + 1) * 32 + 31 - threadIdx.x] : threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    flags[b] = 1;
  }
}
