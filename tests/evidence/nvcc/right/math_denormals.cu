// SPDX-License-Identifier: Apache-2.0
// Denormals are not flushed by default.
// launch: --kernel small --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void small(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x] * 1e-38f * 0.01f + 1e-45f; }
