// SPDX-License-Identifier: Apache-2.0
// A pseudo-random number generator and a Monte Carlo estimate.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long s = in[i] | 1ULL << 40;
  unsigned inside = 0;
  for (int k = 0; k < 100; ++k) {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    const float x = static_cast<float>(static_cast<unsigned>(s) >> 8) * 0x1p-24F;
    const float y = static_cast<float>(static_cast<unsigned>(s >> 40)) * 0x1p-24F;
    if (x * x + y * y <= 1.0F) ++inside;
  }
  out[i] = inside ^ static_cast<unsigned>(s);
}
