// SPDX-License-Identifier: Apache-2.0
// cudaMemcpy with a host direction in a kernel.
__global__ void kernel(int* out) {
  int* p;
  cudaMallocHost(&p, 64);
  out[threadIdx.x] = 1;
}
