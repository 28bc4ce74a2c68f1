// SPDX-License-Identifier: Apache-2.0
// Inclusive sums of 1024 elements per block of 256 threads, in four ways. n is a multiple of 1024.

constexpr unsigned kPart = 1024;

__global__ void hillis_steele(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned sums[2][kPart];
  const unsigned begin = blockIdx.x * kPart;
  for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) sums[0][i] = in[begin + i];
  unsigned now = 0;
  for (unsigned step = 1; step < kPart; step *= 2) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) {
      sums[1 - now][i] = sums[now][i] + (i >= step ? sums[now][i - step] : 0);
    }
    now = 1 - now;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) out[begin + i] = sums[now][i];
  if (threadIdx.x == 0) totals[blockIdx.x] = sums[now][kPart - 1];
}

// Blelloch's tree: on the way up sums of 2, 4, 8 ... elements, on the way down the middles between.
template <bool Padded>
__global__ void tree(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned sums[kPart + kPart / 32];
  const auto at = [](unsigned i) { return Padded ? i + i / 32 : i; };
  const unsigned begin = blockIdx.x * kPart;
  for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) sums[at(i)] = in[begin + i];
  for (unsigned step = 1; step < kPart; step *= 2) {
    __syncthreads();
    for (unsigned k = threadIdx.x; k < kPart / 2 / step; k += blockDim.x) {
      const unsigned i = (k + 1) * 2 * step - 1;
      sums[at(i)] += sums[at(i - step)];
    }
  }
  for (unsigned step = kPart / 4; step > 0; step /= 2) {
    __syncthreads();
    for (unsigned k = threadIdx.x; k + 1 < kPart / 2 / step; k += blockDim.x) {
      const unsigned i = (k + 1) * 2 * step - 1;
      sums[at(i + step)] += sums[at(i)];
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) out[begin + i] = sums[at(i)];
  if (threadIdx.x == 0) totals[blockIdx.x] = sums[at(kPart - 1)];
}

__global__ void four_per_thread(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned warp_totals[8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned group = blockIdx.x * (kPart / 4) + threadIdx.x;
  uint4 sums = reinterpret_cast<const uint4*>(in)[group];
  sums.y += sums.x;
  sums.z += sums.y;
  sums.w += sums.z;
  unsigned inclusive = sums.w;
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffffu, inclusive, step);
    if (lane >= step) inclusive += left;
  }
  if (lane == 31) warp_totals[warp] = inclusive;
  __syncthreads();
  unsigned before = inclusive - sums.w;
  for (unsigned w = 0; w < warp; ++w) before += warp_totals[w];
  reinterpret_cast<uint4*>(out)[group] = {before + sums.x, before + sums.y, before + sums.z,
                                          before + sums.w};
  if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = before + sums.w;
}
