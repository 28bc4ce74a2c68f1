// SPDX-License-Identifier: Apache-2.0
// A shared array with an initializer.
__global__ void kernel(int* out) {
  __shared__ int bins[4] = {0};
  atomicAdd(&bins[threadIdx.x % 4], 1);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x % 4];
}
