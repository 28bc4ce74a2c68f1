// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride line=11
// says: A row of indices has n elements, not as many as the grid has threads: the two differ if n is not a multiple of 64.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned threads = blockDim.x * gridDim.x;
  if (i < n) {
    unsigned a[8], b[8];
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) {
      a[j] = index[j * threads + i];
      b[j] = index[(j + 8) * threads + i];
    }
    float x = 0, y = 0;
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) {
      x += in[a[j]];
      y += in[b[j]];
    }
    out[i] = x + y;
  }
}
