// SPDX-License-Identifier: Apache-2.0
// A recursive template does the tree. All loads go to an array first.
template <int Half>
__device__ __forceinline__ void fold(float* s) {
  if (threadIdx.x < Half) s[threadIdx.x] += s[threadIdx.x + Half];
  __syncthreads();
  fold<Half / 2>(s);
}
template <>
__device__ __forceinline__ void fold<0>(float*) {}

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float s[];
  const float* mine = in + blockIdx.x * size_t(512) + threadIdx.x;
  const int left = int(min(n - blockIdx.x * 512, 512u)) - int(threadIdx.x);
  float v[Factor] = {};
#pragma unroll
  for (int k = 0; k < Factor; ++k)
    if (k * (512 / Factor) < left) v[k] = __ldg(mine + k * (512 / Factor));
#pragma unroll
  for (int k = 1; k < Factor; ++k) v[0] += v[k];
  s[threadIdx.x] = v[0];
  __syncthreads();
  fold<256 / Factor>(s);
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}
