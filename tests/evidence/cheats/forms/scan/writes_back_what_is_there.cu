// SPDX-License-Identifier: Apache-2.0
// tries: Leaves each element unchanged and hopes that an in-place buffer is its own reference.
// stopped by: The reference uses its own copy, made from the seed (grader/cases/reference.cpp).
// verdict: fail incorrect, 0 points
__global__ void scan(int* data, int n, bool exclusive) {
  const int i = 256 * blockIdx.x + threadIdx.x;
  if (i < n) atomicAdd(&data[i], 0);
}
