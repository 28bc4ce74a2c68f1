// SPDX-License-Identifier: Apache-2.0
// tries: Reverses a block's elements in place without a barrier, in the order in which warps happen
//   to run. The two names of the buffer might hide the race from checks.
// stopped by: Checks compare addresses, not names (common/check/global_race.cpp).
// verdict: fail diagnostic race, 0 points
__global__ void reverse(float* to, const float* from) {
  const int first = 256 * blockIdx.x;
  const float own = from[first + 255 - threadIdx.x];
  if (threadIdx.x < 128) __syncwarp();
  to[first + threadIdx.x] = own;
}
