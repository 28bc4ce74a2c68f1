// SPDX-License-Identifier: Apache-2.0
// floor, ceil, trunc, round, rint, nearbyint and lrint.
// launch: --kernel rounded --grid 1 --block 32 --arg out:f32:32
__global__ void rounded(float* out) {
  const float x = threadIdx.x * 0.5f - 7.25f + (threadIdx.x % 2) * 0.25f;
  out[threadIdx.x] = floorf(x) + 2 * ceilf(x) + 3 * truncf(x) + 5 * roundf(x) + 7 * rintf(x) + 11 * nearbyintf(x) + lrintf(x) + lroundf(x);
}
