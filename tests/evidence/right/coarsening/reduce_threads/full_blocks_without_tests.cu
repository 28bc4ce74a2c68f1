// SPDX-License-Identifier: Apache-2.0
// Full blocks skip the bounds checks; only the last block can be partial. Each case has its own
// function object for loads.
struct Plain {
  __device__ float operator()(const float* in, unsigned i, unsigned) const { return in[i]; }
};
struct Tested {
  __device__ float operator()(const float* in, unsigned i, unsigned n) const {
    return i < n ? in[i] : 0.0f;
  }
};

template <int Factor, class Load>
__device__ float gather(const float* in, unsigned n, Load load) {
  float v = 0;
#pragma unroll
  for (unsigned k = 0; k < Factor; ++k)
    v += load(in, blockIdx.x * 512 + k * blockDim.x + threadIdx.x, n);
  return v;
}

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  const bool full = (blockIdx.x + 1) * 512 <= n;
  sums[threadIdx.x] = full ? gather<Factor>(in, n, Plain()) : gather<Factor>(in, n, Tested());
  for (unsigned half = blockDim.x >> 1; half != 0; half >>= 1) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
