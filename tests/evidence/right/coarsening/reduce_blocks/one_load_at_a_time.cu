// SPDX-License-Identifier: Apache-2.0
// Fills shared memory in a loop of load and store, so each thread has only one load in flight. The
// result is right, but slow on a TITAN Black.
// deserves: fail performance, 7 points; as on an H200, see below
// deserves on a GPU: fail performance, 6 points; 0.376 of copy on an H200, bound 0.46: each thread
//   has one load in flight
template <int Factor>
__global__ void reduce_blocks(float *partial, const float *in, unsigned n)
{
  extern __shared__ float s[];
  const unsigned t = threadIdx.x;
  #pragma unroll 1
  for (unsigned k = t; k < 512 * Factor; k += 512) {
    const unsigned i = blockIdx.x * 512 * Factor + k;
    s[k] = i < n ? in[i] : 0.0f;
  }
  __syncthreads();
  for (unsigned half = 256; half > 0; half /= 2) {
    if (t < half)
      for (int c = 0; c < Factor; c++) s[c * 512 + t] += s[c * 512 + t + half];
    __syncthreads();
  }
  if (t == 0)
    for (int c = 0; c < Factor; c++) partial[blockIdx.x * Factor + c] = s[c * 512];
}
