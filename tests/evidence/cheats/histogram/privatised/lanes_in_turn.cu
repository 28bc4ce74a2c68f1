// SPDX-License-Identifier: Apache-2.0
// tries: Counts without atomics in bins of each warp. Lanes add one after another in a loop,
//   ordered only by the compiler's branches.
// stopped by: Unordered accesses within a warp are a race (common/check/shared_race.cpp).
// verdict: fail diagnostic race, 0 points
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ volatile unsigned counts[8][256];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned i = 0; i < 8; ++i) counts[i][threadIdx.x] = 0;
  __syncthreads();
  for (unsigned first = blockIdx.x * 256 + warp * 32; first < n; first += gridDim.x * 256) {
    for (unsigned turn = 0; turn < 32; ++turn) {
      if (lane == turn && first + lane < n) counts[warp][in[first + lane]] += 1;
    }
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned i = 0; i < 8; ++i) sum += counts[i][threadIdx.x];
  atomicAdd(&bins[threadIdx.x], sum);
}
