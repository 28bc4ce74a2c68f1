// SPDX-License-Identifier: Apache-2.0
// fma() of a float and an int.
__global__ void kernel(float* out) {
  const float x = out[threadIdx.x];
  out[threadIdx.x] = fma(x, 2, x);
}
