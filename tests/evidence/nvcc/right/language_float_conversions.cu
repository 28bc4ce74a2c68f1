// SPDX-License-Identifier: Apache-2.0
// Conversions between float, double and integers, including out-of-range values.
// launch: --kernel converted --grid 1 --block 32 --arg out:i32:32
__global__ void converted(int* out) {
  const float x = (threadIdx.x - 16.0f) * 3e8f;
  out[threadIdx.x] = int(x) / 16 + int(unsigned(fabsf(x)) >> 8) + int(double(x) * 1e-3);
}
