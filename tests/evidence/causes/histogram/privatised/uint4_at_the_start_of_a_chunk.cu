// SPDX-License-Identifier: Apache-2.0
// cause: misaligned line=14
// says: The chunk of a block begins at any byte, but a load of uint4 needs an address that is a multiple of 16;
//   round the chunk up to 16 bytes.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();

  const unsigned chunk = (n + gridDim.x - 1) / gridDim.x;
  const unsigned begin = min(blockIdx.x * chunk, n), length = min(chunk, n - begin);
  const unsigned char* const p = in + begin;
  for (unsigned i = threadIdx.x * 16; i + 16 <= length; i += 256 * 16) {
    const uint4 q = *reinterpret_cast<const uint4*>(p + i);
    const unsigned w[] = {q.x, q.y, q.z, q.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int s = 0; s < 32; s += 8) atomicAdd(&local[w[k] >> s & 0xffu], 1u);
    }
  }
  const unsigned tail = length / 16 * 16 + threadIdx.x;
  if (tail < length) atomicAdd(&local[p[tail]], 1u);
  __syncthreads();
  if (local[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
