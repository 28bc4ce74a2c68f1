// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 64 --arg out:f32:128 --arg in:f32:128:iota
// | uninitialized_shared.cu:12:3: uninitialized_read: thread (0, 0, 0) reads tile[0], which no thread of the block has written yet. Shared memory is not zero-initialized: store to it first, with a __syncthreads() in between if another thread stores. This happened 4 times.
// |    12 |   out[i] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];  // no halo
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[66];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x + 1] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];  // no halo
}
