// SPDX-License-Identifier: Apache-2.0
// cudaMallocHost in a kernel.
__global__ void kernel(int* out) {
  int* p;
  cudaMallocHost(&p, 64);
  out[threadIdx.x] = 1;
}
