// SPDX-License-Identifier: Apache-2.0
// cub::BlockHistogram with atomics that add the constant 1.
#include <cub/block/block_histogram.cuh>

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  using Histogram = cub::BlockHistogram<unsigned char, 256, 16, 256, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ unsigned counts[256];
  Histogram(storage).InitHistogram(counts);
  __syncthreads();
  const unsigned parts = n / 4096;
  for (unsigned part = blockIdx.x; part < parts; part += gridDim.x) {
    const uint4 group = reinterpret_cast<const uint4*>(in)[part * 256 + threadIdx.x];
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
    unsigned char bytes[16];
    for (int k = 0; k < 16; ++k) bytes[k] = words[k / 4] >> k % 4 * 8;
    Histogram(storage).Composite(bytes, counts);
    __syncthreads();
  }
  for (unsigned i = parts * 4096 + blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    atomicAdd(&counts[in[i]], 1u);
  }
  __syncthreads();

  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
