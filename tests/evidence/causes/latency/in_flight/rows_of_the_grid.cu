// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride line=13
// says: Rows of index have n elements, not as many as the grid has threads: the two differ if n
//   is not a multiple of 64.
// never: barrier
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned* mine = index + i;
  float sum = 0;
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) sum += in[mine[j * threads]];
  out[i] = sum;
}
