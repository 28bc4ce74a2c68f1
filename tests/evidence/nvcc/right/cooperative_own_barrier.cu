// SPDX-License-Identifier: Apache-2.0
// A hand-written grid barrier on an atomic counter.
// launch: --kernel rounds --grid 6 --block 64 --cooperative --arg inout:u32:1:zeros --arg inout:i32:384:iota --arg inout:i32:384:zeros
__device__ void meet(unsigned* counter, unsigned target) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(counter, 1);
    while (*static_cast<volatile unsigned*>(counter) < target) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void rounds(unsigned* counter, int* a, int* b) {
  const int n = gridDim.x * blockDim.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < 4; ++round) {
    b[i] = a[(i * 7 + 64) % n] + round;
    meet(counter, (2 * round + 1) * gridDim.x);
    a[i] = b[(i + 100) % n];
    meet(counter, (2 * round + 2) * gridDim.x);
  }
}
