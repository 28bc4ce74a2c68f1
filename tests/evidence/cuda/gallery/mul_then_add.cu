// SPDX-License-Identifier: Apache-2.0
// Products followed by sums: contracted at the compiler's choice, or kept apart by intrinsics.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = __uint_as_float(0x3f800000 | (in[i] & 0x7fffff));
  const float y = __uint_as_float(0x3f800000 | (in[i + 1024] & 0x7fffff));
  const float product = x * y;
  const float apart = __fadd_rn(__fmul_rn(x, y), -1.5F);
  const float fused = x * y - 1.5F;
  const float kept = product - y * x;
  out[i] = __float_as_uint(apart) ^ __float_as_uint(fused) * 3 ^ __float_as_uint(kept) * 5;
}
