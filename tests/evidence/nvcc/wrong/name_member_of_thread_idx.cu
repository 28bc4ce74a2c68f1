// SPDX-License-Identifier: Apache-2.0
// threadIdx.w does not exist.
__global__ void kernel(int* out) { out[threadIdx.w] = 1; }
