// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
__global__ void reverse(float* to, const float* from) {
  const int first = 256 * blockIdx.x;
  to[first + threadIdx.x] = from[first + 255 - threadIdx.x];
}
