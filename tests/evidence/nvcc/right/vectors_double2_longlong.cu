// SPDX-License-Identifier: Apache-2.0
// double2, longlong2 and int4 in arrays.
// launch: --kernel pairs --grid 1 --block 32 --arg out:f64:64
__global__ void pairs(double2* out) {
  const longlong2 l = make_longlong2(1ll << 33, threadIdx.x);
  const int4 i = make_int4(1, 2, 3, 4);
  out[threadIdx.x] = make_double2(l.x / 3.0, double(l.y * i.w));
}
