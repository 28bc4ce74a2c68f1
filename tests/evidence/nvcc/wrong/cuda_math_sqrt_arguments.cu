// SPDX-License-Identifier: Apache-2.0
// sqrtf with two arguments.
__global__ void kernel(float* out) { out[threadIdx.x] = sqrtf(2.0f, 3.0f); }
