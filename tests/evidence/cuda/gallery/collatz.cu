// SPDX-License-Identifier: Apache-2.0
// Collatz lengths: loops of very different lengths in one warp.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long n = (in[i] & 0xffff) + 1;
  unsigned steps = 0;
  while (n != 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ++steps;
  }
  out[i] = steps;
}
