// SPDX-License-Identifier: Apache-2.0
// Conversion intrinsics with rounding.
// launch: --kernel converted --grid 1 --block 32 --arg in:f32:32:iota --arg out:i32:32
__global__ void converted(const float* in, int* out) {
  const float x = in[threadIdx.x] * 0.77f - 9;
  out[threadIdx.x] = __float2int_rd(x) + 3 * __float2int_ru(x) + 5 * __float2int_rn(x) + 7 * __float2int_rz(x) +
                     int(__float2uint_rn(x)) + __double2int_rn(x * 1.5) + int(__float2ll_rd(x)) + __float2int_rn(__int2float_rz(12345679));
}
