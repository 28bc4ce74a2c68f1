// SPDX-License-Identifier: Apache-2.0
// Steps as functions: in a thread, in a warp and in the block, each a template over the distance.
template <unsigned Size, unsigned Distance>
__device__ void step(unsigned (&keys)[4], unsigned (&shared)[4][512]) {
  const unsigned first = 4 * threadIdx.x;
  if constexpr (Distance < 4) {
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      if (k & Distance) continue;
      unsigned &a = keys[k], &b = keys[k + Distance];
      if ((a > b) == (((first + k) & Size) == 0)) {
        const unsigned c = a;
        a = b;
        b = c;
      }
    }
  } else {
    const bool is_low = ((first & Size) == 0) == ((first & Distance) == 0);
    if constexpr (Distance >= 128) {
#pragma unroll
      for (unsigned k = 0; k < 4; ++k) shared[k][threadIdx.x] = keys[k];
      __syncthreads();
    }
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      unsigned other;
      if constexpr (Distance >= 128) {
        other = shared[k][threadIdx.x ^ (Distance / 4)];
      } else {
        other = __shfl_xor_sync(~0u, keys[k], Distance / 4);
      }
      keys[k] = is_low ? min(keys[k], other) : max(keys[k], other);
    }
    if constexpr (Distance >= 128) __syncthreads();
  }
  if constexpr (Distance > 1) step<Size, Distance / 2>(keys, shared);
}

template <unsigned Size>
__device__ void stages(unsigned (&keys)[4], unsigned (&shared)[4][512]) {
  step<Size, Size / 2>(keys, shared);
  if constexpr (Size < 2048) stages<2 * Size>(keys, shared);
}

__global__ void bitonic_block(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned shared[4][512];
  const unsigned begin = blockIdx.x * 2048;
  unsigned keys[4];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = begin + k * 512 + threadIdx.x;
    keys[k] = i < n ? in[i] : ~0u;  // any order to start with
  }
  stages<2>(keys, shared);
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) shared[k][threadIdx.x] = keys[k];
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = k * 512 + threadIdx.x;
    if (begin + i < n) out[begin + i] = shared[i % 4][i / 4];
  }
}
