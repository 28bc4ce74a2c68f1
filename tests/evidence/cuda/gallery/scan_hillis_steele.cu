// SPDX-License-Identifier: Apache-2.0
// Inclusive prefix sum of each block's 256 words, double buffered in dynamic shared memory.
// launch: grid 4 block 256 shared 2048

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  extern __shared__ unsigned buffer[];
  const unsigned t = threadIdx.x;
  unsigned from = 0;
  buffer[t] = in[blockIdx.x * 256 + t] & 0xff;
  __syncthreads();
  for (unsigned step = 1; step < 256; step *= 2) {
    const unsigned to = 256 - from;
    buffer[to + t] = buffer[from + t] + (t >= step ? buffer[from + t - step] : 0);
    from = to;
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = buffer[from + t];
}
