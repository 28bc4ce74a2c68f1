// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_load|partial_sectors line=13
// says: A thread adds Factor neighbouring elements, so the lanes of a load are Factor words
//   apart: stride by the number of threads.
// never: several threads
template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  const unsigned t = threadIdx.x, first = (blockIdx.x * blockDim.x + t) * Factor;
  float sum = 0;
#pragma unroll
  for (unsigned i = first; i < first + Factor; ++i)
    if (i < n) sum += in[i];
  sums[t] = sum;
  __syncthreads();
  for (unsigned half = 256 / Factor; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = sums[0];
}
