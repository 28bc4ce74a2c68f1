// SPDX-License-Identifier: Apache-2.0
// Operator products and sums of half pairs and of bfloat16, with a loop.
// launch: grid 4 block 256
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto bits = [](__half2 v) { return *reinterpret_cast<const unsigned*>(&v); };
  const auto pair = [&](unsigned at) {
    return __halves2half2(
        __ushort_as_half(static_cast<unsigned short>(0x3c00 | (in[at] & 0x3ff))),
        __ushort_as_half(static_cast<unsigned short>(0xbc00 | (in[at] >> 20 & 0x3ff))));
  };
  const auto brain = [&](unsigned at) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(0x3f80 | (in[at] & 0x7f)));
  };
  __half2 sum = pair(i);
  for (int k = 1; k < 6; ++k) sum = sum + pair(i + k) * pair(i + 2 * k);
  unsigned r = bits(sum) + 5 * bits(pair(i) * pair(i + 9) - pair(i + 1));
  r = r * 31 + __bfloat16_as_ushort(brain(i) * brain(i + 1) + brain(i + 2));
  r = r * 31 + __bfloat16_as_ushort(brain(i) - brain(i + 1) * brain(i + 3));
  __nv_bfloat16 total = brain(i);
  for (unsigned k = 0; k < 3 + (in[i] & 3); ++k) total += brain(i + k) * brain(i + 2 * k);
  out[i] = r * 31 + __bfloat16_as_ushort(total);
}
