// SPDX-License-Identifier: Apache-2.0
// Operator products and sums of halves: some may become an fma, some products have several readers,
// some sums loop.
// launch: grid 4 block 256
#include <cuda_fp16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto value = [&](unsigned at) {
    return __ushort_as_half(static_cast<unsigned short>(0x3c00 | (in[at] & 0x3ff)));
  };
  const __half a = value(i);
  const __half b = value(i + 1);
  const __half c = value(i + 2);
  unsigned r = __half_as_ushort(a * b + c);
  r = r * 31 + __half_as_ushort(c - b * a);
  r = r * 31 + __half_as_ushort(b * c - a);
  const __half shared = a * c;
  r = r * 31 + __half_as_ushort(shared + b) + 7 * __half_as_ushort(shared);
  const __half twice = b * value(i + 3);
  r = r * 31 + __half_as_ushort(twice + a) + 7 * __half_as_ushort(twice - c);
  r = r * 31 + __half_as_ushort(a * value(i + 4) + b * value(i + 5));
  r = r * 31 + __half_as_ushort(__hmul_rn(a, value(i + 6)) + c);
  r = r * 31 + __half_as_ushort(__hadd_rn(a * value(i + 7), c));
  const __half far = a * value(i + 8);
  if (in[i] & 1) r = r * 31 + __half_as_ushort(far + b);
  __half sum = c;
  for (unsigned k = 0; k < 5 + (in[i] & 7); ++k) sum = sum + value(i + k) * value(i + 2 * k);
  out[i] = r * 31 + __half_as_ushort(sum);
}
