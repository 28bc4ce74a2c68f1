// SPDX-License-Identifier: Apache-2.0
// cause: infinite_loop line=18
// says: half is unsigned, so `half >= 0` always holds, and the loop goes on with half = 0 for ever; stop at half >
//   0.

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  const unsigned t = threadIdx.x;
  const unsigned start = blockIdx.x * 512 + t;
  float mine = 0;
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = start + c * blockDim.x;
    if (i < n) mine += in[i];
  }
  sums[t] = mine;
  __syncthreads();
  for (unsigned half = blockDim.x >> 1; half >= 0; half >>= 1) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = sums[0];
}
