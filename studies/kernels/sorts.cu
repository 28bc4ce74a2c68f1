// SPDX-License-Identifier: Apache-2.0
// Kernels of the study `sorts`: bitonic sorts of 2048 keys per block of 512 threads; n is a
// multiple of 2048.

// Orders words `low` and `low + distance` of a step of runs of `size`.
__device__ void order(unsigned (&keys)[2048], unsigned low, unsigned distance, unsigned size) {
  const unsigned least = min(keys[low], keys[low + distance]);
  const unsigned most = max(keys[low], keys[low + distance]);
  keys[low] = (low & size) == 0 ? least : most;
  keys[low + distance] = (low & size) == 0 ? most : least;
}

// A thread owns four neighbouring words of shared memory.
__global__ void four_words(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned keys[2048];
  const unsigned begin = blockIdx.x * 2048, t = threadIdx.x;
  for (unsigned i = t; i < 2048; i += 512) keys[i] = in[begin + i];
  for (unsigned size = 2; size <= 2048; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      for (unsigned i = 4 * t; i < 4 * t + 4; ++i) {
        if ((i & distance) == 0) order(keys, i, distance, size);
      }
    }
  }
  __syncthreads();
  for (unsigned i = t; i < 2048; i += 512) out[begin + i] = keys[i];
}

// Neighbouring threads have neighbouring pairs.
__global__ void pairs(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned keys[2048];
  const unsigned begin = blockIdx.x * 2048, t = threadIdx.x;
  for (unsigned i = t; i < 2048; i += 512) keys[i] = in[begin + i];
  for (unsigned size = 2; size <= 2048; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      for (unsigned pair = t; pair < 1024; pair += 512) {
        order(keys, 2 * pair - pair % distance, distance, size);
      }
    }
  }
  __syncthreads();
  for (unsigned i = t; i < 2048; i += 512) out[begin + i] = keys[i];
}

// Four keys of a thread in registers; shuffles within a warp, shared memory between warps.
__global__ void shuffles(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned exchanged[2][4][512];
  const unsigned t = threadIdx.x, first = 4 * t, begin = blockIdx.x * 2048 + first;
  const uint4 four = *reinterpret_cast<const uint4*>(in + begin);
  unsigned keys[4] = {four.x, four.y, four.z, four.w};
  unsigned half = 0;
#pragma unroll
  for (unsigned size = 2; size <= 2048; size *= 2) {
#pragma unroll
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      if (distance < 4) {
#pragma unroll
        for (unsigned k = 0; k < 4; ++k) {
          if ((k & distance) != 0) continue;
          const bool is_ascending = ((first + k) & size) == 0;
          const unsigned low = min(keys[k], keys[k + distance]);
          const unsigned high = max(keys[k], keys[k + distance]);
          keys[k] = is_ascending ? low : high;
          keys[k + distance] = is_ascending ? high : low;
        }
        continue;
      }
      const unsigned other = t ^ (distance / 4);
      const bool keeps_low = ((first & size) == 0) == ((first & distance) == 0);
      if (distance >= 128) {
#pragma unroll
        for (unsigned k = 0; k < 4; ++k) exchanged[half][k][t] = keys[k];
        __syncthreads();
      }
#pragma unroll
      for (unsigned k = 0; k < 4; ++k) {
        const unsigned key = distance >= 128 ? exchanged[half][k][other]
                                             : __shfl_xor_sync(0xffffffffu, keys[k], distance / 4);
        keys[k] = keeps_low ? min(keys[k], key) : max(keys[k], key);
      }
      if (distance >= 128) half ^= 1;
    }
  }

  *reinterpret_cast<uint4*>(out + begin) = {keys[0], keys[1], keys[2], keys[3]};
}
