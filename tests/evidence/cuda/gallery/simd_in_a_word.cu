// SPDX-License-Identifier: Apache-2.0
// The SIMD intrinsics for bytes and half words.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = in[i];
  const unsigned b = in[i + 1024];
  unsigned r = __vadd4(a, b);
  r = r * 31 + __vsub4(a, b) + __vabs4(a) + __vneg2(b) + __vadd2(a, b);
  r = r * 31 + __vaddus4(a, b) + __vsubss2(a, b) + __vaddss4(a, b) + __vsubus4(a, b);
  r = r * 31 + __vmaxu4(a, b) + __vmins2(a, b) + __vminu4(a, b) + __vmaxs4(a, b);
  r = r * 31 + __vabsdiffu4(a, b) + __vabsdiffs2(a, b) + __vsadu4(a, b) + __vsads4(a, b);
  r = r * 31 + __vcmpeq4(a, b) + __vcmpgtu2(a, b) + __vsetlts4(a, b) + __vcmpges4(a, b);
  r = r * 31 + __vavgu4(a, b) + __vavgs2(a, b) + __vhaddu4(a, b);
  r = r * 31 + __viaddmax_s32(static_cast<int>(a), static_cast<int>(b), 7) + __vimax3_u32(a, b, 9u);
  r = r * 31 + __vimin_s32_relu(static_cast<int>(a), static_cast<int>(b)) +
      __vimax3_s16x2(a, b, 3u);
  out[i] = r;
}
