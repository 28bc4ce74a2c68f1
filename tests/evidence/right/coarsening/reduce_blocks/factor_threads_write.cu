// SPDX-License-Identifier: Apache-2.0
// Factor threads write the results at once. They read words 512 apart, which are in one bank, but
// only once per block.
template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float s[];
  const unsigned t = threadIdx.x;
  float v[Factor];
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * 512 + t;
    v[c] = i < n ? in[i] : 0.0f;
  }
#pragma unroll
  for (int c = 0; c < Factor; ++c) s[c * 512 + t] = v[c];
  __syncthreads();
#pragma unroll
  for (unsigned half = 256; half > 0; half /= 2) {
    if (t < half) {
#pragma unroll
      for (int c = 0; c < Factor; ++c) s[c * 512 + t] += s[c * 512 + t + half];
    }
    __syncthreads();
  }
  if (t < Factor) partial[blockIdx.x * Factor + t] = s[t * 512];
}
