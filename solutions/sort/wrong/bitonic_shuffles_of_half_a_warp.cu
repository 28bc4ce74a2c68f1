// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// Shuffles within 16 lanes, so a lane gets its own key from the other half.
constexpr unsigned kKeys = 2048;  // per block
constexpr unsigned kThreads = 512;
constexpr unsigned kOwn = 4;  // keys per thread
constexpr unsigned kWarpKeys = 32 * kOwn;
constexpr unsigned kLargest = 0xffffffffu;

__global__ void bitonic_block(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned exchanged[2][kOwn][kThreads];
  const unsigned t = threadIdx.x, first = t * kOwn;
  const unsigned begin = blockIdx.x * kKeys + first;

  unsigned keys[kOwn] = {kLargest, kLargest, kLargest, kLargest};
  if (begin + kOwn <= n) {
    const uint4 four = *reinterpret_cast<const uint4*>(in + begin);
    keys[0] = four.x;
    keys[1] = four.y;
    keys[2] = four.z;
    keys[3] = four.w;
  } else {
    for (unsigned k = 0; k < kOwn; ++k) {
      if (begin + k < n) keys[k] = in[begin + k];
    }
  }

  unsigned half = 0;
#pragma unroll
  for (unsigned size = 2; size <= kKeys; size *= 2) {
#pragma unroll
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      if (distance < kOwn) {
#pragma unroll
        for (unsigned k = 0; k < kOwn; ++k) {
          if ((k & distance) != 0) continue;
          const bool is_ascending = ((first + k) & size) == 0;
          const unsigned low = min(keys[k], keys[k + distance]);
          const unsigned high = max(keys[k], keys[k + distance]);
          keys[k] = is_ascending ? low : high;
          keys[k + distance] = is_ascending ? high : low;
        }
        continue;
      }
      const unsigned other = t ^ (distance / kOwn);
      const bool keeps_low = ((first & size) == 0) == ((first & distance) == 0);
      if (distance >= kWarpKeys) {
#pragma unroll
        for (unsigned k = 0; k < kOwn; ++k) exchanged[half][k][t] = keys[k];
        __syncthreads();
      }
#pragma unroll
      for (unsigned k = 0; k < kOwn; ++k) {
        const unsigned key = distance >= kWarpKeys
                                 ? exchanged[half][k][other]
                                 : __shfl_xor_sync(0xffffffffu, keys[k], distance / kOwn % 16);
        keys[k] = keeps_low ? min(keys[k], key) : max(keys[k], key);
      }
      if (distance >= kWarpKeys) half ^= 1;
    }
  }

  if (begin + kOwn <= n) {
    *reinterpret_cast<uint4*>(out + begin) = {keys[0], keys[1], keys[2], keys[3]};
  } else {
    for (unsigned k = 0; k < kOwn; ++k) {
      if (begin + k < n) out[begin + k] = keys[k];
    }
  }
}
