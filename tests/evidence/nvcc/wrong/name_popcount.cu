// SPDX-License-Identifier: Apache-2.0
// popcount without underscores and header.
__global__ void kernel(int* out) { out[threadIdx.x] = popcount(threadIdx.x); }
