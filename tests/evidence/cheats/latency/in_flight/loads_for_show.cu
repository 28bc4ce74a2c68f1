// SPDX-License-Identifier: Apache-2.0
// tries: Loads 16 words at once whose values nobody uses, and beside them index by index: many loads are in
//   flight.
// stopped by: The gate on loads leaves room for the loads of the work alone (labs/gates.toml), and the sums
//   still wait.
// verdict: fail mechanism, 4 points
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned unused[16];
#pragma unroll
  for (unsigned j = 0; j < 16; ++j)
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(unused[j]) : "l"(index + i));
  float sum = 0;
#pragma unroll 1
  for (unsigned j = 0; j < 16; ++j) sum += in[index[i + j * n]];
  out[i] = sum;
}
