// SPDX-License-Identifier: Apache-2.0
// A thread loads 16 bytes if it has at least four elements, 8 bytes if it has two.
template <int Words>
__device__ float sum_of_words(const float* in) {
  if (Words == 1) return *in;
  if (Words == 2) {
    const float2 v = *reinterpret_cast<const float2*>(in);
    return v.x + v.y;
  }
  const float4 v = *reinterpret_cast<const float4*>(in);
  return v.x + v.y + v.z + v.w;
}

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  constexpr int kThreads = 512 / Factor, kWords = Factor < 4 ? Factor : 4;
  const unsigned begin = blockIdx.x * 512;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < Factor / kWords; ++k) {
    const unsigned i = begin + (k * kThreads + threadIdx.x) * kWords;
    if (i + kWords <= n) {
      sum += sum_of_words<kWords>(in + i);
    } else {
      for (unsigned j = i; j < n; ++j) sum += in[j];
    }
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
