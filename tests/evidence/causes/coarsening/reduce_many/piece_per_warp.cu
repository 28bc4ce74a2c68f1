// SPDX-License-Identifier: Apache-2.0
// cause: misaligned_rows|uncoalesced_load line=14
// says: The piece of a warp has 993 elements, so it begins inside a sector, and each load
//   touches five sectors instead of four: round pieces up to multiples of 32.
// never: several threads
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float of_warps[32];
  const unsigned lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned piece = (n + warps - 1) / warps;
  const unsigned begin = min(warp * piece, n), end = min(begin + piece, n);
  float sum = 0;
#pragma unroll 4
  for (unsigned i = begin + lane; i < end; i += 32) sum += in[i];
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) total += of_warps[w];
    partial[blockIdx.x] = total;
  }
}
