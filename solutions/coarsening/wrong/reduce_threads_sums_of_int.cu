// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=parts_1
// cause: wrong_rounding
// Adds up in int, which truncates the sum after each addition.
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  constexpr unsigned kThreads = kPart / Factor;
  extern __shared__ int whole_sums[];
  int sum = 0;
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = blockIdx.x * kPart + c * kThreads + threadIdx.x;
    if (i < n) sum += in[i];
  }
  whole_sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) whole_sums[threadIdx.x] += whole_sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = whole_sums[0];
}
