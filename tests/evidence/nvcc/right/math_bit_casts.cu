// SPDX-License-Identifier: Apache-2.0
// __float_as_int and related casts, and the high and low words of doubles.
// launch: --kernel bits --grid 1 --block 32 --arg in:f32:32:iota --arg out:u32:32
__global__ void bits(const float* in, unsigned* out) {
  const float x = in[threadIdx.x] - 3.25f;
  const double d = __hiloint2double(__float_as_int(x), 0x1234);
  out[threadIdx.x] = __float_as_uint(x) ^ unsigned(__double2hiint(d * 2)) ^ unsigned(__double2loint(d)) ^
                     unsigned(__double_as_longlong(x) >> 20) ^ __float_as_uint(__int_as_float(0x40490fdb));
}
