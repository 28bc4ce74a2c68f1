// SPDX-License-Identifier: Apache-2.0
// Sixteen loads in inline PTX with a streaming hint.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  unsigned at[16];
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) {
    asm("ld.global.cs.u32 %0, [%1];" : "=r"(at[j]) : "l"(index + i + j * n));
  }
  float sum = 0;
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) sum += in[at[j]];
  out[i] = sum;
}
