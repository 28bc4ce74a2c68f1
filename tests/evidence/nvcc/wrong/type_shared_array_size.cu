// SPDX-License-Identifier: Apache-2.0
// A shared array whose size is known only at run time.
__global__ void kernel(int* out, int n) {
  __shared__ int tile[n];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}
