// SPDX-License-Identifier: Apache-2.0
// static_assert on sizes and alignment.
// launch: --kernel sizes --grid 1 --block 32 --arg out:i32:32
struct Pixel {
  unsigned char r, g, b;
};
static_assert(sizeof(Pixel) == 3);
static_assert(sizeof(void*) == 8 && alignof(double) == 8, "64-bit device code");
__global__ void sizes(int* out) {
  static_assert(sizeof(long) == 8);
  out[threadIdx.x] = sizeof(Pixel) * threadIdx.x + offsetof(Pixel, b);
}
