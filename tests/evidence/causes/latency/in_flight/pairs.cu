// SPDX-License-Identifier: Apache-2.0
// cause: few_loads_in_flight line=12
// says: Two loads are in flight at a time; at 8 warps per multiprocessor a thread needs about
//   12. Unroll the whole loop, all 16 indices first.
// never: several threads
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float even = 0, odd = 0;
#pragma unroll 1
  for (unsigned j = 0; j < 16; j += 2) {
    const unsigned a = index[i + j * n], b = index[i + (j + 1) * n];
    even += in[a];
    odd += in[b];
  }
  out[i] = even + odd;
}
