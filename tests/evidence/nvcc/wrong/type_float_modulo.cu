// SPDX-License-Identifier: Apache-2.0
// The operator % on floats.
__global__ void kernel(float* out, const float* in) { out[threadIdx.x] = in[threadIdx.x] % 2.0f; }
