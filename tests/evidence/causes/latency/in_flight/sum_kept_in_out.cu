// SPDX-License-Identifier: Apache-2.0
// cause: redundant_stores|few_loads_in_flight line=13
// says: Each of the 16 steps stores to out[i], and no load can pass a store that may overlap it; add in a register
//   and store once.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float* const mine = out + i;
    const unsigned* next = index + i;
    *mine = 0;
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      *mine += in[*next];
      next += n;
    }
  }
}
