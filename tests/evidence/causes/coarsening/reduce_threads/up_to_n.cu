// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard|out_of_bounds line=12
// says: The guard is i <= n, but element n does not exist: i < n.
template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  const unsigned threads = 512 / Factor, t = threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = blockIdx.x * 512 + c * threads + t;
    sum += i <= n ? in[i] : 0.0f;
  }
  sums[t] = sum;
  __syncthreads();
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = sums[0];
}
