// SPDX-License-Identifier: Apache-2.0
// sqrt() of a float and of a double.
// launch: --kernel roots --grid 1 --block 32 --arg in:f32:32:iota --arg out:f64:32
__global__ void roots(const float* in, double* out) {
  const float x = in[threadIdx.x];
  out[threadIdx.x] = sqrt(x) + sqrt(double(x));
}
