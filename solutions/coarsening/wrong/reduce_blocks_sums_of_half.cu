// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=parts_1
// cause: wrong_rounding
// Keeps the sums in half precision: 11 significant bits hold an element, but not a sum of 512.
#include <cuda_fp16.h>

constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ __half narrow_sums[];
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * kPart + threadIdx.x;
    narrow_sums[c * kPart + threadIdx.x] = __float2half(i < n ? in[i] : 0.0f);
  }
  __syncthreads();
  for (unsigned half = kPart / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      for (int c = 0; c < Factor; ++c) {
        __half* sums = narrow_sums + c * kPart;
        sums[threadIdx.x] = __hadd(sums[threadIdx.x], sums[threadIdx.x + half]);
      }
    }
    __syncthreads();
  }
  if (threadIdx.x < Factor) {
    partial[blockIdx.x * Factor + threadIdx.x] = __half2float(narrow_sums[threadIdx.x * kPart]);
  }
}
