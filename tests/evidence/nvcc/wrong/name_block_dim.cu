// SPDX-License-Identifier: Apache-2.0
// blockdim instead of blockDim.
__global__ void kernel(int* out) { out[blockIdx.x * blockdim.x + threadIdx.x] = 1; }
