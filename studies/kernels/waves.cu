// SPDX-License-Identifier: Apache-2.0
// Kernel of the study `waves`: each thread counts the 1 bits of 32 bytes, one after the other, as the
// kernel `ones` of the lab on profiling. Each warp waits with one load in flight.
__global__ void ones(unsigned* out, const unsigned char* in) {
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < 32; ++k) sum += __popc(in[i + k * threads]);
  out[i] = sum;
}
