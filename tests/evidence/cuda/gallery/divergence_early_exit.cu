// SPDX-License-Identifier: Apache-2.0
// Nested divergence, breaks out of nested loops, threads that leave early.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = in[i];
  if (v % 11 == 0) return;
  unsigned r = 0;
  for (unsigned a = 0; a < v % 13; ++a) {
    for (unsigned b = 0; b < 9; ++b) {
      if ((a * b + v) % 17 == 0) goto found;
      if (b > v % 8) break;
      r += a ^ b;
    }
    if (r % 5 == 4) continue;
    r = r * 3 + 1;
  }
  r += 1000;
found:
  out[i] = r;
}
