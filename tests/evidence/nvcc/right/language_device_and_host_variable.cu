// SPDX-License-Identifier: Apache-2.0
// A __host__ qualifier on a variable.
__host__ int count = 1;
__global__ void kernel(int* out) { out[threadIdx.x] = 1; }
