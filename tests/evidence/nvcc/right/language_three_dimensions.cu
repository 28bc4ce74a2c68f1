// SPDX-License-Identifier: Apache-2.0
// Three-dimensional blocks and grids.
// launch: --kernel places --grid 2,2,2 --block 4,2,2 --arg out:i32:128
__global__ void places(int* out) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * 16 + thread] = blockIdx.x * 100 + blockIdx.y * 10 + blockIdx.z + thread * 1000;
}
