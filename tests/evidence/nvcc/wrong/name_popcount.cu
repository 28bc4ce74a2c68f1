// SPDX-License-Identifier: Apache-2.0
// popcount without underscores or a header.
__global__ void kernel(int* out) { out[threadIdx.x] = popcount(threadIdx.x); }
