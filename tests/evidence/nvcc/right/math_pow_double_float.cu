// SPDX-License-Identifier: Apache-2.0
// pow() of a double constant and a float.
// launch: --kernel powers --grid 1 --block 32 --arg in:f32:32:iota --arg out:f64:32
__global__ void powers(const float* in, double* out) { out[threadIdx.x] = pow(2.0, in[threadIdx.x]); }
