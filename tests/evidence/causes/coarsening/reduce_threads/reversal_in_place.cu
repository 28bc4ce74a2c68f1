// SPDX-License-Identifier: Apache-2.0
// cause: race line=10
// says: Thread t and thread 511 - t both exchange the same two words at once; only the lower half may.
constexpr unsigned kPart = 512;
template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float s[];
  for (unsigned j = threadIdx.x; j < kPart; j += blockDim.x) s[j] = blockIdx.x * kPart + j < n ? in[blockIdx.x * kPart + j] : 0.0f;
  __syncthreads();
  for (unsigned j = threadIdx.x; j < kPart; j += blockDim.x) { float v = s[kPart - 1 - j]; s[kPart - 1 - j] = s[j]; s[j] = v; }
  __syncthreads();
  float sum = 0;
  for (unsigned j = threadIdx.x; j < kPart; j += blockDim.x) sum += s[j];
  __syncthreads();
  s[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}
