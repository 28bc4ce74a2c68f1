// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed_h200
// A barrier in each iteration keeps the compiler from moving loads across it.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned j = 0; j < 16; ++j) {
    if (i < n) sum += in[index[i + j * n]];
    __syncthreads();
  }
  if (i < n) out[i] = sum;
}
