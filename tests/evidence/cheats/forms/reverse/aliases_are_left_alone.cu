// SPDX-License-Identifier: Apache-2.0
// tries: Does nothing if both pointers name one buffer, hoping that it is compared with itself.
// stopped by: The buffer is compared with the result that the reference computes in its own copy
//   (grader/cases/reference.cpp).
// verdict: fail incorrect, 0 points
__global__ void reverse(float* to, const float* from) {
  if (to == from) return;
  to[256 * blockIdx.x + threadIdx.x] = from[256 * blockIdx.x + 255 - threadIdx.x];
}
