// SPDX-License-Identifier: Apache-2.0
// cause: issue_bound|busy_pipe line=14
// says: Each element is added bit by bit in a loop of many instructions; add it once.

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float w[32];
  const unsigned t = threadIdx.x;
  float x = 0;
  for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    const float v = in[i];
    const unsigned bits = __float_as_uint(v);
    unsigned kept = 0;
#pragma unroll 1
    for (int b = 0; b < 32; ++b) kept |= bits & (1u << b);
    x += __uint_as_float(kept);
  }
  for (int o = 16; o; o /= 2) x += __shfl_xor_sync(~0u, x, o);
  if (t % 32 == 0) w[t / 32] = x;
  __syncthreads();
  if (t == 0) {
    x = 0;
    for (unsigned k = 0; k < blockDim.x / 32; ++k) x += w[k];
    partial[blockIdx.x] = x;
  }
}
