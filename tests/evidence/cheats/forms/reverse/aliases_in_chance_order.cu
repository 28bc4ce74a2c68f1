// SPDX-License-Identifier: Apache-2.0
// tries: Swaps ends without a barrier, by a warp a pair of rows, in the order in which warps happen to
//   run; the aliases are two names, so that no check sees both ends of a swap.
// stopped by: Checks go by addresses, whatever they are called (common/check/global_race.cpp).
// verdict: fail diagnostic race, 0 points
__global__ void reverse(float* to, const float* from) {
  const int first = 256 * blockIdx.x;
  const float own = from[first + 255 - threadIdx.x];
  if (threadIdx.x < 128) __syncwarp();
  to[first + threadIdx.x] = own;
}
