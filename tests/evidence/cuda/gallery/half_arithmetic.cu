// SPDX-License-Identifier: Apache-2.0
// Scalar half precision: every operator, fma, conversions, comparisons, saturation.
// launch: grid 4 block 256
#include <cuda_fp16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half a = __ushort_as_half(static_cast<unsigned short>(in[i]));
  const __half b = __ushort_as_half(static_cast<unsigned short>(in[i] >> 16));
  const __half c = __float2half(static_cast<float>(in[i + 1024] & 0xffff) / 4096.0F);
  unsigned r = __half_as_ushort(a + b);
  r = r * 31 + __half_as_ushort(a - b);
  r = r * 31 + __half_as_ushort(a * c);
  r = r * 31 + __half_as_ushort(__hfma(a, c, b));
  r = r * 31 + __half_as_ushort(__hfma_sat(b, c, a));
  r = r * 31 + __half_as_ushort(__hadd_sat(a, c));
  r = r * 31 + __half_as_ushort(__hfma_relu(a, c, b));
  r = r * 31 + __half_as_ushort(__hneg(a));
  r = r * 31 + __half_as_ushort(__habs(b));
  r = r * 31 + __half_as_ushort(__hmin(a, b));
  r = r * 31 + __half_as_ushort(__hmax_nan(a, c));
  r = r * 31 + __hlt(a, b) + 2 * __hgeu(a, c) + 4 * __hisnan(a) + 8 * (a == b);
  r = r * 31 + static_cast<unsigned>(__half2int_rn(c));
  r = r * 31 + static_cast<unsigned>(__half2short_rz(b));
  r = r * 31 + __half_as_ushort(__int2half_rn(static_cast<int>(in[i]) >> 8));
  r = r * 31 + __half_as_ushort(__double2half(static_cast<double>(in[i]) / 65537.0));
  r = r * 31 + __half_as_ushort(__float2half_rz(__half2float(c) * 1.0001F));
  r = r * 31 + __half_as_ushort(htrunc(c)) + __half_as_ushort(hceil(c)) +
      __half_as_ushort(hrint(c));
  out[i] = r;
}
