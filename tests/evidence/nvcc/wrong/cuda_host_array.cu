// SPDX-License-Identifier: Apache-2.0
// A global host array used in a kernel.
float weights[4] = {1, 2, 3, 4};
__global__ void kernel(float* out) { out[threadIdx.x] = weights[threadIdx.x % 4]; }
