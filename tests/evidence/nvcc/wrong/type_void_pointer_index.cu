// SPDX-License-Identifier: Apache-2.0
// A void pointer that is indexed.
__global__ void kernel(void* out) { out[threadIdx.x] = 1; }
