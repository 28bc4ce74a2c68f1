// SPDX-License-Identifier: Apache-2.0
// char4, uchar4, short2 and ushort3 with conversions.
// launch: --kernel narrow --grid 1 --block 32 --arg out:i32:32
__global__ void narrow(int* out) {
  const char4 c = make_char4(threadIdx.x, -1, 100, threadIdx.x * 9);
  const uchar4 u = make_uchar4(threadIdx.x * 17, 255, 3, 4);
  const short2 s = make_short2(threadIdx.x * 3000, -5);
  const ushort3 t = {1, 2, 65535};
  out[threadIdx.x] = c.x + c.y + c.w + u.x + u.y + s.x * s.y + t.z;
}
