// SPDX-License-Identifier: Apache-2.0
// dim3 and uint3 as values.
// launch: --kernel places --grid 2,2 --block 8,4 --arg out:i32:128
__device__ int flat(uint3 at, dim3 extent) { return (at.z * extent.y + at.y) * extent.x + at.x; }
__global__ void places(int* out) {
  const dim3 block(blockDim.x, blockDim.y);
  const int i = flat(blockIdx, gridDim) * 32 + flat(threadIdx, block);
  out[i] = i * 2;
}
