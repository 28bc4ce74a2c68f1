// SPDX-License-Identifier: Apache-2.0
// Two return types of one auto function.
__device__ auto pick(bool b) {
  if (b) return 1;
  return 2.0f;
}
__global__ void kernel(float* out) { out[threadIdx.x] = pick(true); }
