// SPDX-License-Identifier: Apache-2.0
// tries: Knows that the bytes are random and adds n / 256 to each bin. Reads all bytes only to
//   satisfy the counters.
// stopped by: All bins are compared with a reference (common/verify/compare.cpp).
// verdict: fail incorrect, 0 points
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  unsigned seen = 0;
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n / 16; i += gridDim.x * 256) {
    const uint4 group = groups[i];
    seen |= group.x | group.y | group.z | group.w;
  }
  if (blockIdx.x == 0) atomicAdd(&bins[threadIdx.x], n / 256 + (seen == 1));
}
