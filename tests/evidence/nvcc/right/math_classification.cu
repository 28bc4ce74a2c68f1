// SPDX-License-Identifier: Apache-2.0
// isnan, isinf and isfinite on special values.
// launch: --kernel classes --grid 1 --block 32 --arg out:i32:32
__global__ void classes(int* out) {
  const float zero = threadIdx.x / 40;
  const float values[] = {zero, 1 / zero, zero / zero, 3.5f, 1e-40f};
  const float x = values[threadIdx.x % 5];
  out[threadIdx.x] = isnan(x) * 1 + isinf(x) * 2 + isfinite(x) * 4 + (isnan(double(x)) ? 8 : 0);
}
