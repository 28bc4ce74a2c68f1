// SPDX-License-Identifier: Apache-2.0
// cause: missing_atomic line=20
// says: Several threads of the block increment the same bin at once and lose counts; use atomicAdd on the shared
//   bins.
union Pack {
  uint4 wide;
  unsigned char byte[16];
};

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();

  const unsigned id = blockIdx.x * 256 + threadIdx.x, all = gridDim.x * 256;
  for (unsigned g = id; g < n / 16; g += all) {
    Pack p;
    p.wide = reinterpret_cast<const uint4*>(in)[g];
#pragma unroll
    for (int k = 0; k < 16; ++k) mine[p.byte[k]]++;
  }
  const unsigned last = n / 16 * 16 + id;
  if (last < n) atomicAdd(mine + in[last], 1u);
  __syncthreads();
  if (mine[threadIdx.x]) atomicAdd(bins + threadIdx.x, mine[threadIdx.x]);
}
