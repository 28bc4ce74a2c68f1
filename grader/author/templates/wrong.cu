// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// FILL IN: a likely mistake; the first line names its failure
// Here no thread checks that its element exists.
__global__ void EXERCISE_kernel(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
