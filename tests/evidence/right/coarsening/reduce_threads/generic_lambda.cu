// SPDX-License-Identifier: Apache-2.0
// A generic lambda takes the load as another lambda: full blocks skip the bounds checks.
template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  constexpr unsigned threads = 512 / Factor;
  const unsigned base = blockIdx.x * 512 + threadIdx.x;
  const bool full = (blockIdx.x + 1) * 512 <= n;
  const auto plain = [=](unsigned i) { return in[i]; };
  const auto tested = [=](unsigned i) { return i < n ? in[i] : 0.0f; };
  const auto gather = [&](auto load) {
    float v = 0;
#pragma unroll
    for (unsigned k = 0; k < Factor; ++k) v += load(base + k * threads);
    return v;
  };
  sums[threadIdx.x] = full ? gather(plain) : gather(tested);
  for (unsigned half = threads >> 1; half != 0; half >>= 1) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
