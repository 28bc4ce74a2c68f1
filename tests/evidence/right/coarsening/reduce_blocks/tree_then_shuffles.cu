// SPDX-License-Identifier: Apache-2.0
// A tree in shared memory reduces each part from 512 values to 32; shuffles do the rest.
template <int Factor>
__device__ void load_parts(float* s, const float* in, unsigned first, unsigned n) {
  float v[Factor];
#pragma unroll
  for (int c = 0; c < Factor; ++c, first += 512) v[c] = first < n ? in[first] : 0.0f;
#pragma unroll
  for (int c = 0; c < Factor; ++c, s += 512) *s = v[c];
}

template <int Factor>
__global__ void __launch_bounds__(512)
    reduce_blocks(float* __restrict__ partial, const float* __restrict__ in, unsigned n) {
  extern __shared__ float s[];
  const unsigned t = threadIdx.x;
  load_parts<Factor>(s + t, in, blockIdx.x * Factor * 512 + t, n);
  __syncthreads();
#pragma unroll
  for (unsigned half = 256; half >= 32; half /= 2) {
    if (t < half) {
      float* p = s + t;
#pragma unroll
      for (int c = 0; c < Factor; ++c, p += 512) *p += p[half];
    }
    __syncthreads();
  }
  if (t < 32) {
#pragma unroll
    for (int c = 0; c < Factor; ++c) {
      float v = s[c * 512 + t];
#pragma unroll
      for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
      if (t == 0) partial[blockIdx.x * Factor + c] = v;
    }
  }
}
