// SPDX-License-Identifier: Apache-2.0
// launch: --grid 4 --block 64 --arg out:i32:1
__device__ int lock, sum, missed;
extern "C" __global__ void k(int* out) {
  __shared__ bool has;
  if (threadIdx.x == 0) {
    has = false;
    for (int tries = 0; tries < 100 && !has; ++tries) has = atomicExch(&lock, 1) == 0;
    __threadfence();
  }
  __syncthreads();
  if (has && threadIdx.x == 40) sum += 1;
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  if (has) {
    atomicExch(&lock, 0);
  } else {
    atomicAdd(&missed, 1);
  }
  if (blockIdx.x == 0) *out = 0;
}
