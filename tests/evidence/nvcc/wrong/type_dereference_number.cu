// SPDX-License-Identifier: Apache-2.0
// A number that is dereferenced.
__global__ void kernel(int* out, int n) { out[threadIdx.x] = *n; }
