// SPDX-License-Identifier: Apache-2.0
// cause: divergent_barrier line=27
// says: Threads below `step` skip the barrier inside the `if`; every thread of the block must reach each
//   __syncthreads(), so put it outside.
constexpr unsigned kEach = 4;

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned sums[256];
  const unsigned t = threadIdx.x, first = blockIdx.x * 1024 + t * kEach;
  unsigned v[kEach] = {};
  if (first + kEach <= n) {
    const uint4 q = *reinterpret_cast<const uint4*>(in + first);
    v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
  } else {
#pragma unroll
    for (unsigned k = 0; k < kEach; ++k)
      if (first + k < n) v[k] = in[first + k];
  }
#pragma unroll
  for (unsigned k = 1; k < kEach; ++k) v[k] += v[k - 1];

  sums[t] = v[3];
  __syncthreads();
  for (unsigned step = 1; step < 256; step <<= 1) {
    if (t >= step) {
      const unsigned left = sums[t - step];
      __syncthreads();
      sums[t] += left;
    }
    __syncthreads();
  }

  const unsigned before = t == 0 ? 0 : sums[t - 1];
  if (first + kEach <= n) {
    *reinterpret_cast<uint4*>(out + first) = {before + v[0], before + v[1], before + v[2], before + v[3]};
  } else {
#pragma unroll
    for (unsigned k = 0; k < kEach; ++k)
      if (first + k < n) out[first + k] = before + v[k];
  }
  if (t == 255) totals[blockIdx.x] = sums[255];
}
