// SPDX-License-Identifier: Apache-2.0
// cause: infinite_loop line=17
// says: half is unsigned, so half >= 0 is always true and the loop never ends: half > 0.
// never: barrier
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  float sum = 0;
  for (unsigned k = threadIdx.x; k < kPart; k += blockDim.x) {
    const unsigned i = blockIdx.x * kPart + k;
    sum += i < n ? in[i] : 0.0f;
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half >= 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
