// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=17
// says: Byte b of a word begins at bit 8 b, but the word is shifted by b bits only.
#define COPIES 4

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned count[COPIES * 256];
  for (int i = threadIdx.x; i < COPIES * 256; i += 256) count[i] = 0;
  __syncthreads();

  unsigned c = threadIdx.x % COPIES;
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned* words = reinterpret_cast<const unsigned*>(in);
  for (unsigned i = id; i < n / 4; i += gridDim.x * blockDim.x) {
    unsigned word = words[i];
    for (int b = 0; b < 4; ++b) {
      unsigned value = (word >> b) & 0xff;
      atomicAdd(&count[value * COPIES + c], 1u);
    }
  }
  for (unsigned i = n / 4 * 4 + id; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&count[in[i] * COPIES + c], 1u);
  }
  __syncthreads();

  unsigned total = 0;
  for (int k = 0; k < COPIES; ++k) total += count[threadIdx.x * COPIES + k];
  if (total) atomicAdd(&bins[threadIdx.x], total);
}
