// SPDX-License-Identifier: Apache-2.0
// Indexing a void pointer.
__global__ void kernel(void* out) { out[threadIdx.x] = 1; }
