// SPDX-License-Identifier: Apache-2.0
// WARP_SIZE is not defined.
__global__ void kernel(int* out) { out[threadIdx.x] = threadIdx.x % WARP_SIZE; }
