// SPDX-License-Identifier: Apache-2.0
// cause: missing_atomic line=18
// says: Lanes with the same value set their bits in one mask with a plain |=, so bits get lost:
//   use atomicOr.
// never: __syncthreads;split
// The lanes of a warp with the same value find each other by a mask in shared memory.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256], masks[8][256];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned* m = masks[warp];
  counts[threadIdx.x] = 0;
  for (unsigned v = lane; v < 256; v += 32) m[v] = 0;
  __syncthreads();
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned first = blockIdx.x * blockDim.x + warp * 32; first < n; first += threads) {
    const bool is_inside = first + lane < n;
    const unsigned v = is_inside ? in[first + lane] : 0;
    if (is_inside) m[v] |= 1u << lane;
    __syncwarp();
    const unsigned peers = m[v];
    __syncwarp();
    if (is_inside && __ffs(peers) - 1 == lane) atomicAdd(&counts[v], __popc(peers));
    if (is_inside && __ffs(peers) - 1 == lane) m[v] = 0;
    __syncwarp();
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
