// SPDX-License-Identifier: Apache-2.0
// Tree reduction in shared memory: one sum and one maximum per block.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ float sums[256];
  __shared__ int most[256];
  const unsigned t = threadIdx.x;
  sums[t] = __uint_as_float(0x3f000000 | (in[blockIdx.x * 256 + t] & 0x7fffff));
  most[t] = static_cast<int>(in[blockIdx.x * 256 + t]);
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) {
      sums[t] += sums[t + half];
      most[t] = max(most[t], most[t + half]);
    }
  }
  if (t == 0) {
    out[2 * blockIdx.x] = __float_as_uint(sums[0]);
    out[2 * blockIdx.x + 1] = static_cast<unsigned>(most[0]);
  }
}
