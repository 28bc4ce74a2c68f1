// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: missing_barrier line=6
__global__ void reverse(float* to, const float* from) {
  const int first = 256 * blockIdx.x;
  to[first + threadIdx.x] = from[first + 255 - threadIdx.x];
}
