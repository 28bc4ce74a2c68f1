// SPDX-License-Identifier: Apache-2.0
// powf with a negative exponent.
// launch: --kernel inverses --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void inverses(const float* in, float* out) { out[threadIdx.x] = powf(in[threadIdx.x] + 1, -1.5f); }
