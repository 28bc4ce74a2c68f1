// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=loads_coalesced
// cause: uncoalesced_load line=17
// Thread t adds Factor neighbouring elements, from element t * Factor. The stride between lanes
// grows with Factor, and so do the sectors per request.
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  constexpr unsigned kThreads = kPart / Factor;
  extern __shared__ float sums[];

  float sum = 0;
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = blockIdx.x * kPart + threadIdx.x * Factor + c;
    if (i < n) sum += in[i];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
