// SPDX-License-Identifier: Apache-2.0
// A float multiplied by a literal without f is computed in double.
// launch: --kernel mixed --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void mixed(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x] * 0.1 + 1.0 / 3; }
