// SPDX-License-Identifier: Apache-2.0
// A launch from a kernel without relocatable device code.
__global__ void child(int* out) { out[threadIdx.x] = 7; }
__global__ void parent(int* out) {
  if (threadIdx.x == 0) child<<<1, 32>>>(out);
}
