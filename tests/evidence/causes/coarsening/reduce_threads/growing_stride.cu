// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=25
// says: In the step with stride s the lanes access words 2 s apart, so up to 32 of them are in
//   one bank: let thread t add sums[t + half].
// never: Neighbouring lanes must load
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  constexpr unsigned kThreads = kPart / Factor;
  float value[Factor];
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = blockIdx.x * kPart + c * kThreads + threadIdx.x;
    value[c] = i < n ? in[i] : 0.0f;
  }
  float sum = 0;
#pragma unroll
  for (int c = 0; c < Factor; ++c) sum += value[c];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned s = 1; s < kThreads; s *= 2) {
    const unsigned at = 2 * s * threadIdx.x;
    if (at < kThreads) sums[at] += sums[at + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
