// SPDX-License-Identifier: Apache-2.0
// cause: divergence line=12
// says: The lanes of a warp take turns, so that each byte costs 32 passes in which one lane works
//   and 31 wait; let all lanes add at once by atomics, in copies of the bins.
// No atomics at all: every warp has its own bins, and its lanes use them one after another.
struct WarpBins {
  unsigned count[256];

  __device__ void add(unsigned byte, bool valid) {
    const unsigned lane = threadIdx.x & 31;
    for (unsigned turn = 0; turn < 32; ++turn) {
      if (lane == turn && valid) ++count[byte];
      __syncwarp();
    }
  }
};

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ WarpBins warps[8];
  const unsigned lane = threadIdx.x & 31;
  for (int w = 0; w < 8; ++w) warps[w].count[threadIdx.x] = 0;
  __syncthreads();

  WarpBins& mine = warps[threadIdx.x >> 5];
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const unsigned groups = n / 16;
  for (unsigned base = thread - lane; base < groups; base += threads) {  // the same for all lanes
    const bool valid = base + lane < groups;
    const uint4 v = valid ? reinterpret_cast<const uint4*>(in)[base + lane] : make_uint4(0, 0, 0, 0);
    for (unsigned shift = 0; shift < 32; shift += 8) {
      mine.add(v.x >> shift & 0xff, valid);
      mine.add(v.y >> shift & 0xff, valid);
      mine.add(v.z >> shift & 0xff, valid);
      mine.add(v.w >> shift & 0xff, valid);
    }
  }
  const unsigned rest = groups * 16 + thread;
  mine.add(rest < n ? in[rest] : 0, rest < n);
  __syncthreads();

  unsigned sum = 0;
  for (int w = 0; w < 8; ++w) sum += warps[w].count[threadIdx.x];
  if (sum != 0) atomicAdd(&bins[threadIdx.x], sum);
}
