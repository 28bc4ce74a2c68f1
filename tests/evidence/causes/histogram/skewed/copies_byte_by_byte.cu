// SPDX-License-Identifier: Apache-2.0
// cause: narrow_accesses|few_loads_in_flight line=13
// says: The copies are right, but each load brings one byte per lane, and a warp waits for it
//   before the next: load 16 bytes per lane.
// never: same counter;several threads load the same
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256][8];
  for (int c = 0; c < 8; ++c) counts[threadIdx.x][c] = 0;
  __syncthreads();
  const unsigned threads = gridDim.x * blockDim.x;
#pragma unroll 1
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    atomicAdd(&counts[in[i]][threadIdx.x % 8], 1u);
  }
  __syncthreads();
  unsigned sum = 0;
  for (int c = 0; c < 8; ++c) sum += counts[threadIdx.x][c];
  if (sum > 0) atomicAdd(&bins[threadIdx.x], sum);
}
