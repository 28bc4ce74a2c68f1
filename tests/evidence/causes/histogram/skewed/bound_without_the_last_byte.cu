// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard line=12
// says: A bound of n - 1 leaves out the last byte.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned own[8][256];
  for (unsigned b = threadIdx.x; b < 8 * 256; b += blockDim.x) own[0][b] = 0;
  __syncthreads();
  unsigned* mine = own[threadIdx.x / 32];
  const unsigned stride = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned end = n;
  if (i < n) end = n - 1;
  for (; i < end; i += stride) atomicAdd(mine + in[i], 1u);
  __syncthreads();
  unsigned sum = 0;
  for (int w = 0; w < 8; ++w) sum += own[w][threadIdx.x];
  if (sum != 0) atomicAdd(bins + threadIdx.x, sum);
}
