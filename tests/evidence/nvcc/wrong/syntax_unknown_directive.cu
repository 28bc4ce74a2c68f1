// SPDX-License-Identifier: Apache-2.0
// An unknown directive.
#includ <cstdio>
__global__ void kernel(int* out) { out[threadIdx.x] = 1; }
