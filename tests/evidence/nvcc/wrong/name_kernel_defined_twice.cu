// SPDX-License-Identifier: Apache-2.0
// Two kernels with the same parameters.
__global__ void kernel(int* out) { out[threadIdx.x] = 1; }
__global__ void kernel(int* out) { out[threadIdx.x] = 2; }
