// SPDX-License-Identifier: Apache-2.0
// tries: Each thread adds one element to each of 16 outputs by atomics, instead of 16 elements to
//   its own output.
// stopped by: The output does not start as zeros, so the additions read uninitialised memory
//   (common/check/uninitialized_reads.cpp).
// verdict: fail diagnostic uninitialized_read, 0 points
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned j = 0; j < 16; ++j) {
    const unsigned row = (i + j * 4) % n;
    if (i < n) atomicAdd(&out[row], in[index[row + j * n]]);
  }
}
