// SPDX-License-Identifier: Apache-2.0
// Histograms of bytes with bins of each block and 16 bytes per load. They differ in how the lanes
// of a warp add to one counter. `n` is a multiple of 16; `weight` is 1, which the compiler cannot
// know.

template <unsigned kCopies, class Count>
__device__ void count_bytes(unsigned* bins, const unsigned char* in, unsigned n,
                            const Count& count) {
  __shared__ unsigned counts[256 * kCopies];
  for (unsigned k = 0; k < kCopies; ++k) counts[k * 256 + threadIdx.x] = 0;
  __syncthreads();
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  for (unsigned g = blockIdx.x * 256 + threadIdx.x; g < n / 16; g += gridDim.x * 256) {
    const uint4 group = groups[g];
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) count(counts, words[k / 4] >> k % 4 * 8 & 0xff);
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned k = 0; k < kCopies; ++k) {
    sum += counts[threadIdx.x * kCopies + (k + threadIdx.x / 4) % kCopies];
  }
  atomicAdd(&bins[threadIdx.x], sum);
}

__global__ void one_by_one(unsigned* bins, const unsigned char* in, unsigned n, unsigned weight) {
  count_bytes<1>(bins, in, n,
                 [&](unsigned* counts, unsigned value) { atomicAdd(&counts[value], weight); });
}

__global__ void eight_copies(unsigned* bins, const unsigned char* in, unsigned n, unsigned weight) {
  count_bytes<8>(bins, in, n, [&](unsigned* counts, unsigned value) {
    atomicAdd(&counts[value * 8 + threadIdx.x % 8], weight);
  });
}

__global__ void match(unsigned* bins, const unsigned char* in, unsigned n, unsigned) {
  count_bytes<1>(bins, in, n, [&](unsigned* counts, unsigned value) {
    const unsigned equal = __match_any_sync(__activemask(), value);
    if (threadIdx.x % 32 == __ffs(equal) - 1) atomicAdd(&counts[value], __popc(equal));
  });
}

__global__ void constant(unsigned* bins, const unsigned char* in, unsigned n, unsigned) {
  count_bytes<1>(bins, in, n,
                 [&](unsigned* counts, unsigned value) { atomicAdd(&counts[value], 1u); });
}
