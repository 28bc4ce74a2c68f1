// SPDX-License-Identifier: Apache-2.0
// A shared variable with an initializer.
__global__ void kernel(int* out) {
  __shared__ int sum = 0;
  atomicAdd(&sum, 1);
  __syncthreads();
  out[threadIdx.x] = sum;
}
