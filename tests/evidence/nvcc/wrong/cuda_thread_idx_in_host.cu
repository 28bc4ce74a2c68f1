// SPDX-License-Identifier: Apache-2.0
// threadIdx in a function without __device__.
int position() { return blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void kernel(int* out) { out[position()] = 1; }
