// SPDX-License-Identifier: Apache-2.0
// Half of the threads compute two neighbouring outputs each, with 16 loads of 8 bytes in flight.
// deserves: fail performance, 5 points; 0.31 of copy on an H200, 0.42 on an H100, bound
//   0.43: the assembler loads the last indices only after the first elements have arrived
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x * 2;
  if (threadIdx.x >= 32 || i >= n) return;
  if (n % 2 == 0) {
    uint2 pair[16];
#pragma unroll
    for (unsigned j = 0; j < 16; ++j) pair[j] = *(const uint2*)(index + i + j * n);
    float2 sum = {0, 0};
#pragma unroll
    for (unsigned j = 0; j < 16; ++j) {
      sum.x += in[pair[j].x];
      sum.y += in[pair[j].y];
    }
    *(float2*)(out + i) = sum;
    return;
  }
  for (unsigned o = i; o < i + 2 && o < n; ++o) {
    float sum = 0;
#pragma unroll
    for (unsigned j = 0; j < 16; ++j) sum += in[index[o + j * n]];
    out[o] = sum;
  }
}
