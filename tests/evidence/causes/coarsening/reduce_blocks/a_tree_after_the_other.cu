// SPDX-License-Identifier: Apache-2.0
// cause: barriers line=9
// says: The trees run one after another, with nine barriers each; do a step for all Factor sums between two
//   barriers.

__device__ void sum_tree(float* tree) {
  for (unsigned half = 256; half > 0; half /= 2) {
    if (threadIdx.x < half) tree[threadIdx.x] += tree[threadIdx.x + half];
    __syncthreads();
  }
}

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float trees[];
  float loaded[Factor];
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * 512 + threadIdx.x;
    loaded[c] = i < n ? in[i] : 0.0f;
  }
#pragma unroll
  for (int c = 0; c < Factor; ++c) trees[512 * c + threadIdx.x] = loaded[c];
  __syncthreads();
#pragma unroll 1
  for (int c = 0; c < Factor; ++c) sum_tree(trees + 512 * c);
  if (threadIdx.x == 0) {
    for (int c = 0; c < Factor; ++c) partial[blockIdx.x * Factor + c] = trees[512 * c];
  }
}
