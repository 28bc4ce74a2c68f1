// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_load|partial_sectors line=13
// says: Each thread reads a stretch of its own, so in each load every lane uses one byte of a
//   sector: let neighbouring lanes load neighbouring bytes.
// never: several threads load the same element;give each thread its own;global atomics
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned threads = gridDim.x * blockDim.x, each = (n + threads - 1) / threads;
  const unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (unsigned i = first; i < first + each && i < n; ++i) {
    atomicAdd(&counts[in[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
