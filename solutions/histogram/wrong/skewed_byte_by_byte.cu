// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed_h200
// cause: narrow_accesses line=11
// Eight copies avoid the contention, but one-byte loads leave the memory mostly idle.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256 * 8];
  for (unsigned copy = 0; copy < 8; ++copy) counts[threadIdx.x + 256 * copy] = 0;
  __syncthreads();
  const unsigned copy = threadIdx.x % 8;
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    atomicAdd(&counts[in[i] * 8 + copy], 1u);
  }
  __syncthreads();

  unsigned sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum += counts[threadIdx.x * 8 + (k + threadIdx.x) % 8];
  atomicAdd(&bins[threadIdx.x], sum);
}
