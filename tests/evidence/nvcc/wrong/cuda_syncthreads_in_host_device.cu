// SPDX-License-Identifier: Apache-2.0
// __syncthreads() in a __host__ __device__ function.
__host__ __device__ void wait() { __syncthreads(); }
__global__ void kernel(int* out) {
  wait();
  out[threadIdx.x] = 1;
}
