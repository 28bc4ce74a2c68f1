// SPDX-License-Identifier: Apache-2.0
// Conversions of eight-bit floats.
#include <cuda_fp8.h>
#define KERNEL(name) extern "C" __global__ void name(char* out, char* in)
KERNEL(float_to_e4m3) {
  ((unsigned char*)out)[threadIdx.x] =
      __nv_cvt_float_to_fp8(((float*)in)[threadIdx.x], __NV_SATFINITE, __NV_E4M3);
}
KERNEL(float_to_e5m2) {
  ((unsigned char*)out)[threadIdx.x] =
      __nv_cvt_float_to_fp8(((float*)in)[threadIdx.x], __NV_NOSAT, __NV_E5M2);
}
KERNEL(pair_to_e4m3) {
  ((unsigned short*)out)[threadIdx.x] =
      __nv_cvt_float2_to_fp8x2(((float2*)in)[threadIdx.x], __NV_SATFINITE, __NV_E4M3);
}
KERNEL(e4m3_to_half) {
  ((__half_raw*)out)[threadIdx.x] =
      __nv_cvt_fp8_to_halfraw(((unsigned char*)in)[threadIdx.x], __NV_E4M3);
}
KERNEL(e5m2_pair_to_half) {
  ((__half2_raw*)out)[threadIdx.x] =
      __nv_cvt_fp8x2_to_halfraw2(((unsigned short*)in)[threadIdx.x], __NV_E5M2);
}
KERNEL(half_pair_to_e4m3) {
  ((unsigned short*)out)[threadIdx.x] =
      __nv_cvt_halfraw2_to_fp8x2(((__half2_raw*)in)[threadIdx.x], __NV_SATFINITE, __NV_E4M3);
}
KERNEL(e4m3_to_float) { ((float*)out)[threadIdx.x] = float(((__nv_fp8_e4m3*)in)[threadIdx.x]); }
KERNEL(double_to_e5m2) {
  ((__nv_fp8_e5m2*)out)[threadIdx.x] = __nv_fp8_e5m2(((double*)in)[threadIdx.x]);
}
KERNEL(four_e4m3_to_float) {
  ((float4*)out)[threadIdx.x] = float4(((__nv_fp8x4_e4m3*)in)[threadIdx.x]);
}
