// SPDX-License-Identifier: Apache-2.0
// Dereferencing a number.
__global__ void kernel(int* out, int n) { out[threadIdx.x] = *n; }
