// SPDX-License-Identifier: Apache-2.0
// The lanes of a warp take a lock one at a time: needs independent thread scheduling.
// launch: grid 1 block 32

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned lock;
  __shared__ unsigned sum;
  if (threadIdx.x == 0) {
    lock = 0;
    sum = 0;
  }
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0U, 1U) == 0U) {
      atomicAdd(&sum, in[threadIdx.x]);
      __threadfence_block();
      atomicExch(&lock, 0U);
      done = true;
    }
  }
  __syncthreads();
  out[threadIdx.x] = sum;
}
