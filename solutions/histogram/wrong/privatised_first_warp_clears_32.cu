// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic uninitialized_read
// cause: wrong_guard line=9
// Clears only 32 of the 256 bins, one per lane of the first warp.
constexpr unsigned kBins = 256;

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[kBins];
  if (threadIdx.x < 32) counts[threadIdx.x] = 0;
  __syncthreads();

  const unsigned stride = gridDim.x * blockDim.x;
  const unsigned* words = reinterpret_cast<const unsigned*>(in);
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = thread; i < n / 4; i += stride) {
    const unsigned word = words[i];
    for (unsigned k = 0; k < 4; ++k) atomicAdd(&counts[word >> k * 8 & 0xff], 1u);
  }
  if (thread < n % 4) atomicAdd(&counts[in[n / 4 * 4 + thread]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
