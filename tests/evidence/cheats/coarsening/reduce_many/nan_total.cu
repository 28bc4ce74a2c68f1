// SPDX-License-Identifier: Apache-2.0
// tries: Writes NaN, which a comparison of sums might not find unequal.
// stopped by: NaN never passes (grader/cases/reference.cpp).
// verdict: fail incorrect, 0 points
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  if (threadIdx.x == 0) partial[blockIdx.x] = __int_as_float(0x7fc00000);
}
