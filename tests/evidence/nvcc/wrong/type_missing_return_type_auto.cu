// SPDX-License-Identifier: Apache-2.0
// An auto function with two return types.
__device__ auto pick(bool b) {
  if (b) return 1;
  return 2.0f;
}
__global__ void kernel(float* out) { out[threadIdx.x] = pick(true); }
