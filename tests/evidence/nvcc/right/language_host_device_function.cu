// SPDX-License-Identifier: Apache-2.0
// A __host__ __device__ function that tests __CUDA_ARCH__.
// launch: --kernel places --grid 1 --block 32 --arg out:i32:32
__host__ __device__ inline int which() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__ >= 700 ? 7 : 3;
#else
  return -1;
#endif
}
__global__ void places(int* out) { out[threadIdx.x] = which() + threadIdx.x; }
