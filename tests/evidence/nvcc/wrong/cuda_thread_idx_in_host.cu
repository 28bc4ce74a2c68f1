// SPDX-License-Identifier: Apache-2.0
// threadIdx used in a function without a space.
int position() { return blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void kernel(int* out) { out[position()] = 1; }
