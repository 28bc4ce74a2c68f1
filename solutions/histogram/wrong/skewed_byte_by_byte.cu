// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed_h200
// cause: narrow_accesses line=10
// Adding the constant 1 avoids the contention, but one-byte loads leave the memory mostly idle.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    atomicAdd(&counts[in[i]], 1u);
  }
  __syncthreads();

  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
