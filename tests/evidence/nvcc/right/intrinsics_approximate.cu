// SPDX-License-Identifier: Apache-2.0
// Fast float intrinsics, rounded so that only gross errors show.
// launch: --kernel rounded --grid 1 --block 32 --arg in:f32:32:iota --arg out:i32:32
__global__ void rounded(const float* in, int* out) {
  const float x = in[threadIdx.x] / 8 + 0.125f;
  out[threadIdx.x] = int(100 * __expf(x)) + int(1000 * __sinf(x) + 0.5f) + int(1000 * __cosf(x) + 0.5f) + int(1000 * __logf(x) + 0.5f) + int(1000 * __fdividef(x, 3) + 0.5f);
}
