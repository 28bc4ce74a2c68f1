// SPDX-License-Identifier: Apache-2.0
// A macro does each step of the tree for all parts, followed by one barrier. Lane 0 of each of the
// first Factor warps writes a sum.
#define STEP(half)                                                              \
  if (t < half)                                                                 \
    for (int c = 0; c < Factor; c++) s[c * 512 + t] += s[c * 512 + t + half];   \
  __syncthreads()

template <int Factor>
__global__ void reduce_blocks(float *partial, const float *in, unsigned n)
{
  extern __shared__ float s[];
  const unsigned t = threadIdx.x, first = blockIdx.x * 512 * Factor + t;
  float v[Factor];
  #pragma unroll
  for (int c = 0; c < Factor; c++) v[c] = first + c * 512 < n ? in[first + c * 512] : 0.0f;
  #pragma unroll
  for (int c = 0; c < Factor; c++) s[c * 512 + t] = v[c];
  __syncthreads();
  STEP(256);
  STEP(128);
  STEP(64);
  STEP(32);
  STEP(16);
  STEP(8);
  STEP(4);
  STEP(2);
  STEP(1);
  if (t % 32 == 0 && t / 32 < Factor) partial[blockIdx.x * Factor + t / 32] = s[t / 32 * 512];
}
