// SPDX-License-Identifier: Apache-2.0
// pow() of a float and a double constant is computed in double.
// launch: --kernel roots --grid 1 --block 32 --arg in:f32:32:iota --arg out:f64:32
__global__ void roots(const float* in, double* out) { out[threadIdx.x] = pow(in[threadIdx.x], 0.5); }
