// SPDX-License-Identifier: Apache-2.0
// pow() of a float and an int.
// launch: --kernel cubes --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void cubes(const float* in, float* out) { out[threadIdx.x] = pow(in[threadIdx.x], 3); }
