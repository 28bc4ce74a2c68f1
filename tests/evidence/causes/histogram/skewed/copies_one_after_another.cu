// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=21
// says: Bin b of each lane's copy is 256 words after the last, so equal bytes of all lanes meet in one bank; put
//   the copies of a bin side by side.
struct Copies {
  unsigned word[32 * 256];
  __device__ unsigned& of(unsigned lane, unsigned value) { return word[lane * 256 + value]; }
};

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ Copies copies;
  const unsigned t = threadIdx.x, lane = t & 31;
  for (unsigned k = t; k < 32 * 256; k += 256) copies.word[k] = 0;
  __syncthreads();

  const unsigned first = blockIdx.x * 256 + t, groups = n / 16;
  for (unsigned g = first; g < groups; g += gridDim.x * 256) {
    const uint4 q = reinterpret_cast<const uint4*>(in)[g];
    const unsigned w[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
    for (int k = 0; k < 16; ++k) atomicAdd(&copies.of(lane, w[k >> 2] >> (k & 3) * 8 & 255u), 1u);
  }
  if (groups * 16 + first < n) atomicAdd(&copies.of(lane, in[groups * 16 + first]), 1u);
  __syncthreads();

  unsigned total = 0;
  for (unsigned c = 0; c < 32; ++c) total += copies.of(c, t);
  if (total != 0) atomicAdd(&bins[t], total);
}
