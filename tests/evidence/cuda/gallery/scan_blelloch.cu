// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sum by up-sweep and down-sweep, 128 words per block.
// launch: grid 8 block 64

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned data[128];
  const unsigned t = threadIdx.x;
  const unsigned base = blockIdx.x * 128;
  data[2 * t] = in[base + 2 * t] & 0x3ff;
  data[2 * t + 1] = in[base + 2 * t + 1] & 0x3ff;
  unsigned offset = 1;
  for (unsigned d = 64; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) data[offset * (2 * t + 2) - 1] += data[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) data[127] = 0;
  for (unsigned d = 1; d < 128; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const unsigned left = data[offset * (2 * t + 1) - 1];
      data[offset * (2 * t + 1) - 1] = data[offset * (2 * t + 2) - 1];
      data[offset * (2 * t + 2) - 1] += left;
    }
  }
  __syncthreads();
  out[base + 2 * t] = data[2 * t];
  out[base + 2 * t + 1] = data[2 * t + 1];
}
