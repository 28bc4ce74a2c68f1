// SPDX-License-Identifier: Apache-2.0
// __restrict__ pointers and const data through the read-only cache.
// launch: --kernel saxpy --grid 2 --block 32 --arg in:f32:64:iota --arg in:f32:64:iota --arg out:f32:64
__global__ void saxpy(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2.5f * x[i] + __ldg(y + i);
}
