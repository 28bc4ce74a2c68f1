// SPDX-License-Identifier: Apache-2.0
// Eight replicas of the histogram, with a word of padding after each, so that the replicas of a
// counter are in different banks. The addend is a variable, not the constant 1.
#define R 8

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned hist[R * 257];
  for (unsigned i = threadIdx.x; i < R * 257; i += blockDim.x) hist[i] = 0;
  __syncthreads();

  const unsigned offset = threadIdx.x % R * 257;
  const uint4* in4 = (const uint4*)in;
  const unsigned whole = n / 16;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i <= whole; i += gridDim.x * blockDim.x) {
    uint4 v = make_uint4(0, 0, 0, 0);
    unsigned valid = 16;
    if (i < whole) {
      v = in4[i];
    } else {
      valid = n - 16 * whole;
      unsigned* w = &v.x;
      for (unsigned k = 0; k < valid; k++) w[k / 4] |= (unsigned)in[16 * whole + k] << (8 * (k % 4));
    }
    const unsigned* w = &v.x;
    for (unsigned k = 0; k < 16; k++) {
      atomicAdd(&hist[offset + ((w[k / 4] >> (8 * (k % 4))) & 255)], k < valid ? 1 : 0);
    }
  }
  __syncthreads();

  unsigned total = 0;
  for (unsigned r = 0; r < R; r++) total += hist[r * 257 + threadIdx.x];
  if (total > 0) atomicAdd(&bins[threadIdx.x], total);
}
