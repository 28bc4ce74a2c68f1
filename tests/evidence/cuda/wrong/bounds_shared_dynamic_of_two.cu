// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --shared 128 --arg out:i32:64
// | bounds_shared_dynamic_of_two.cu:9:3: out_of_bounds: writes mine[32], but mine has elements 0 to 31; the launch sets the size of an extern array: pass more bytes, or check the index
// |     9 |   mine[threadIdx.x] = threadIdx.x;
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out) {
  extern __shared__ int mine[];
  mine[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = mine[threadIdx.x];
}
__global__ void other(float* out) {
  extern __shared__ float theirs[];
  theirs[threadIdx.x] = 1;
  out[threadIdx.x] = theirs[threadIdx.x];
}
