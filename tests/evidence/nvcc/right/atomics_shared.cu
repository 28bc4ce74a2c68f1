// SPDX-License-Identifier: Apache-2.0
// Shared memory atomics that count a block's bytes modulo 7.
// launch: --kernel counts --grid 2 --block 128 --arg in:u8:256:iota --arg out:i32:16
__global__ void counts(const unsigned char* in, int* out) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[blockIdx.x * 128 + threadIdx.x] % 7], 1);
  __syncthreads();
  if (threadIdx.x < 8) out[8 * blockIdx.x + threadIdx.x] = bins[threadIdx.x];
}
