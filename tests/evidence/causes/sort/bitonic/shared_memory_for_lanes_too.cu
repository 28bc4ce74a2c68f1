// SPDX-License-Identifier: Apache-2.0
// cause: barriers line=37
// says: All distances from 4 on go through shared memory and a barrier, 45 times; distances 4 to 64 stay within a warp and need only a shuffle.
// reports: redundant_shared_loads line=41
constexpr unsigned kKeys = 2048, kThreads = 512;

__global__ void bitonic_block(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned exchange[2][4][kThreads];
  const unsigned t = threadIdx.x, first = blockIdx.x * kKeys + 4 * t;
  unsigned k[4];
  if (first + 4 <= n) {
    const uint4 all = *(const uint4*)(in + first);
    k[0] = all.x, k[1] = all.y, k[2] = all.z, k[3] = all.w;
  } else {
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) k[j] = first + j < n ? in[first + j] : 0xffffffffu;
  }
  unsigned turn = 0;
#pragma unroll
  for (unsigned size = 2; size <= kKeys; size *= 2) {
#pragma unroll
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      if (distance < 4) {
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
          if (j & distance) continue;
          const bool up = ((4 * t + j) & size) == 0;
          if ((k[j] > k[j + distance]) == up) {
            const unsigned keep = k[j];
            k[j] = k[j + distance];
            k[j + distance] = keep;
          }
        }
      } else {
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) exchange[turn][j][t] = k[j];
        __syncthreads();
        const bool low = ((4 * t & size) == 0) == ((4 * t & distance) == 0);
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
          const unsigned other = exchange[turn][j][t ^ distance / 4];
          k[j] = low ? min(k[j], other) : max(k[j], other);
        }
        turn ^= 1;
      }
    }
  }
  if (first + 4 <= n) {
    *(uint4*)(out + first) = make_uint4(k[0], k[1], k[2], k[3]);
  } else {
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      if (first + j < n) out[first + j] = k[j];
    }
  }
}
