// SPDX-License-Identifier: Apache-2.0
// cause: float_index line=6
// says: A float has 24 bits, so i + j * n is rounded beyond 16,777,216 and selects a neighbour; compute the index
//   in unsigned.
__device__ unsigned place(float i, float j, float n) {
  return static_cast<unsigned>(i + j * n);
}

__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  unsigned where[16];
#pragma unroll
  for (int j = 0; j < 16; ++j) where[j] = index[place(i, j, n)];
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j < 16; ++j) sum += in[where[j]];
  out[i] = sum;
}
