// SPDX-License-Identifier: Apache-2.0
// fmaf with two arguments.
__global__ void kernel(float* out) { out[threadIdx.x] = fmaf(2.0f, 3.0f); }
