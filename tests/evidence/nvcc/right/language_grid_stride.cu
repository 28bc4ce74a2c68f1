// SPDX-License-Identifier: Apache-2.0
// A grid-stride loop over more elements than threads.
// launch: --kernel saxpy --grid 2 --block 32 --arg in:f32:200:iota --arg out:f32:200 --arg i32:200
__global__ void saxpy(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] * 1.25f + 2;
}
