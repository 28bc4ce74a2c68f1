// SPDX-License-Identifier: Apache-2.0
// __syncthreads_count, _and, _or, and a named barrier that only half of the warps reach.
// launch: grid 4 block 128

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned r = static_cast<unsigned>(__syncthreads_count(in[i] & 1));
  r = r * 2 + static_cast<unsigned>(__syncthreads_and(in[i] != 0) != 0);
  r = r * 2 + static_cast<unsigned>(__syncthreads_or((in[i] & 0xfff) == 5) != 0);
  if (threadIdx.x < 64) asm volatile("bar.sync 1, 64;");
  __syncwarp();
  out[i] = r;
}
