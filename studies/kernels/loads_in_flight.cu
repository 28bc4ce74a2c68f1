// SPDX-License-Identifier: Apache-2.0
// Sums of 16 elements per thread, with Loads of them in flight at a time.
template <int Loads>
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (unsigned j = 0; j < 16; j += Loads) {
    unsigned at[Loads];
#pragma unroll
    for (int l = 0; l < Loads; ++l) at[l] = index[i + (j + l) * n];
#pragma unroll
    for (int l = 0; l < Loads; ++l) sum += in[at[l]];
  }
  out[i] = sum;
}
