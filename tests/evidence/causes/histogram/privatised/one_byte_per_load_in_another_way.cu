// SPDX-License-Identifier: Apache-2.0
// cause: narrow_accesses line=13
// says: Each lane loads one byte at a time, so a request moves only 32 bytes; load 16 bytes as a uint4 and take
//   them apart.
constexpr int kValues = 256;

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned block_bins[kValues];
  for (int v = threadIdx.x; v < kValues; v += blockDim.x) block_bins[v] = 0;
  __syncthreads();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    const unsigned char value = in[i];
    atomicAdd(&block_bins[value], 1u);
    i += blockDim.x * gridDim.x;
  }
  __syncthreads();
  for (int v = threadIdx.x; v < kValues; v += blockDim.x)
    if (block_bins[v] != 0) atomicAdd(&bins[v], block_bins[v]);
}
