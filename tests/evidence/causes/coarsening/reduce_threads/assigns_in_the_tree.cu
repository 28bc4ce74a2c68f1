// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=19
// says: The tree copies instead of adding: = must be +=.
// never: barrier
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  const unsigned first = blockIdx.x * kPart + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = first + c * blockDim.x;
    if (i < n) sum += in[i];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] = sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
