// SPDX-License-Identifier: Apache-2.0
// tries: One thread copies one element, and all others exit.
// stopped by: Outputs start as poison, and all elements are compared (common/verify/compare.cpp).
// verdict: fail incorrect, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  if (threadIdx.x + threadIdx.y + blockIdx.x + blockIdx.y == 0) out[0] = in[0];
}
