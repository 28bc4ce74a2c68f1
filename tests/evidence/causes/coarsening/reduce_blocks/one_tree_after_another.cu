// SPDX-License-Identifier: Apache-2.0
// cause: barriers|few_loads_in_flight line=18
// says: Each of the Factor trees has its own load and its own ten barriers: load first, and let
//   one barrier serve all trees.
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
#pragma unroll 1
  for (int c = 0; c < Factor; ++c) {
    float* tree = sums + c * kPart;
    const unsigned i = (blockIdx.x * Factor + c) * kPart + threadIdx.x;
    tree[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned half = kPart / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) tree[threadIdx.x] += tree[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x * Factor + c] = tree[0];
  }
}
