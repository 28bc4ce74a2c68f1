// SPDX-License-Identifier: Apache-2.0
// __shfl_sync without a mask.
__global__ void kernel(int* out) { out[threadIdx.x] = __shfl_sync(threadIdx.x, 0); }
