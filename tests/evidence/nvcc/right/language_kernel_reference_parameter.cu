// SPDX-License-Identifier: Apache-2.0
// A kernel with a reference parameter.
__global__ void kernel(int* out, int& n) { out[threadIdx.x] = n; }
