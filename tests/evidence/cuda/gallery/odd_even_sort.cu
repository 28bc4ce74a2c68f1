// SPDX-License-Identifier: Apache-2.0
// Odd-even transposition sort of 128 signed words per block.
// launch: grid 8 block 64

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ int keys[128];
  const unsigned t = threadIdx.x;
  keys[t] = static_cast<int>(in[blockIdx.x * 128 + t]);
  keys[t + 64] = static_cast<int>(in[blockIdx.x * 128 + t + 64]);
  for (unsigned step = 0; step < 128; ++step) {
    __syncthreads();
    const unsigned i = 2 * t + step % 2;
    if (i + 1 < 128 && keys[i] > keys[i + 1]) {
      const int a = keys[i];
      keys[i] = keys[i + 1];
      keys[i + 1] = a;
    }
  }
  __syncthreads();
  out[blockIdx.x * 128 + t] = static_cast<unsigned>(keys[t]);
  out[blockIdx.x * 128 + t + 64] = static_cast<unsigned>(keys[t + 64]);
}
