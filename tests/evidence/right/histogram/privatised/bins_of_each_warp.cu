// SPDX-License-Identifier: Apache-2.0
// Each warp has its own bins. Each thread loads four bytes at a time.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[8][257];
  for (unsigned i = threadIdx.x; i < 8 * 257; i += 256) (&counts[0][0])[i] = 0;
  __syncthreads();
  unsigned* const mine = counts[threadIdx.x / 32];
  const unsigned stride = gridDim.x * 256;
  const unsigned* const words = reinterpret_cast<const unsigned*>(in);
  for (unsigned w = blockIdx.x * 256 + threadIdx.x; w < n / 4; w += stride) {
    const unsigned four = words[w];
    atomicAdd(&mine[four & 255], 1u);
    atomicAdd(&mine[four >> 8 & 255], 1u);
    atomicAdd(&mine[four >> 16 & 255], 1u);
    atomicAdd(&mine[four >> 24], 1u);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 4) atomicAdd(&mine[in[n - 1 - threadIdx.x]], 1u);
  __syncthreads();
  unsigned sum = 0;
  for (unsigned c = 0; c < 8; ++c) sum += counts[c][threadIdx.x];
  atomicAdd(bins + threadIdx.x, sum);
}
