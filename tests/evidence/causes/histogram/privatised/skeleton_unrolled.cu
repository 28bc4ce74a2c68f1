// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_load|partial_sectors|global_atomics line=13
// says: Each thread reads a stretch of its own, so a load uses one byte of each sector, and each
//   byte costs an atomic on global memory: count in shared memory, with neighbouring lanes on
//   neighbouring words.
// never: several threads load the same element;give each thread its own
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned each = (n + threads - 1) / threads;
  const unsigned first = min((blockIdx.x * blockDim.x + threadIdx.x) * each, n);
  const unsigned end = min(first + each, n);
#pragma unroll 4
  for (unsigned i = first; i < end; ++i) atomicAdd(&bins[in[i]], 1u);
}
