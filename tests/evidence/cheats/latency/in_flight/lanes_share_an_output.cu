// SPDX-License-Identifier: Apache-2.0
// tries: Lets neighbouring lanes share the 16 elements of an output by atomics, so that a thread has one load
//   and there are many threads.
// stopped by: The output does not start as zeros: adding to it reads what nothing has written
//   (common/check/global_init.cpp).
// verdict: fail diagnostic uninitialized_read, 0 points
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned j = 0; j < 16; ++j) {
    const unsigned row = (i + j * 4) % n;
    if (i < n) atomicAdd(&out[row], in[index[row + j * n]]);
  }
}
