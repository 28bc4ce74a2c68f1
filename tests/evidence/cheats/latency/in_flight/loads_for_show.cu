// SPDX-License-Identifier: Apache-2.0
// tries: Starts 16 loads whose values it never uses, so that many are in flight, and then loads the
//   indices one by one.
// stopped by: The gate on loads allows only the loads of the work (labs/gates.toml), and the sums
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
