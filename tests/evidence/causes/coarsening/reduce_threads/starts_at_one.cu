// SPDX-License-Identifier: Apache-2.0
// cause: wrong_start|wrong_operation line=9
// says: The sum starts at 1 instead of 0.
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_threads(float* result, const float* data, unsigned count) {
  extern __shared__ float scratch[];
  float mine = 1.0f; 
  const float* p = data + blockIdx.x * kPart + threadIdx.x;
  const float* end = data + count;
  for (int c = 0; c < Factor; ++c, p += blockDim.x)
    if (p < end) mine += *p;
  scratch[threadIdx.x] = mine;
  for (unsigned s = blockDim.x >> 1; s != 0; s >>= 1) {
    __syncthreads();
    if (threadIdx.x < s) scratch[threadIdx.x] += scratch[threadIdx.x + s];
  }
  if (threadIdx.x == 0) result[blockIdx.x] = scratch[0];
}
