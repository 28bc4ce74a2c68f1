// SPDX-License-Identifier: Apache-2.0
// tries: Sees that both pointers are one buffer, which then is compared with itself, and does nothing.
// stopped by: What the buffer becomes is compared with what the reference makes of its own copy
//   (grader/cases/outputs.cpp).
// verdict: fail incorrect, 0 points
__global__ void reverse(float* to, const float* from) {
  if (to == from) return;
  to[256 * blockIdx.x + threadIdx.x] = from[256 * blockIdx.x + 255 - threadIdx.x];
}
