// SPDX-License-Identifier: Apache-2.0
// cause: local_memory line=13
// says: The array of sums has an index that is known at run time only, so it is in local memory; unroll the
//   loop, or use one sum.

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float s[];
  float sums[16] = {};
  unsigned slot = n % 3;
  for (int k = 0; k < Factor; ++k) {
    const unsigned i = blockIdx.x * 512 + k * (512 / Factor) + threadIdx.x;
    sums[(slot + i / 37 * 5) % 16] += i < n ? in[i] : 0.f;
  }
  float v = 0;
  for (int k = 0; k < 16; ++k) v += sums[k];
  s[threadIdx.x] = v;
  for (unsigned h = blockDim.x / 2; h; h >>= 1) {
    __syncthreads();
    if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}
