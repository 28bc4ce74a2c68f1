// SPDX-License-Identifier: Apache-2.0
// All lanes compare their byte with lane 0's. Lane 0 adds the number of equal bytes, and lanes with
// other bytes add 1 each.
constexpr unsigned kAll = 0xffffffff;

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32;
  const unsigned groups = (n + 15) / 16;
  const unsigned warps = gridDim.x * blockDim.x / 32;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (unsigned w = warp; w * 32 < groups; w += warps) {
    const unsigned first = (w * 32 + lane) * 16;
    unsigned words[4] = {0, 0, 0, 0};
    const unsigned valid = first < n ? min(n - first, 16u) : 0;
    if (valid == 16) {
      const uint4 group = *reinterpret_cast<const uint4*>(in + first);
      words[0] = group.x, words[1] = group.y, words[2] = group.z, words[3] = group.w;
    } else {
#pragma unroll
      for (unsigned k = 0; k < 16; ++k) {
        if (k < valid) words[k / 4] |= in[first + k] << k % 4 * 8;
      }
    }
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned value = words[k / 4] >> k % 4 * 8 & 0xff;
      const unsigned common = __shfl_sync(kAll, value, 0);
      const unsigned equal = __ballot_sync(kAll, k < valid && value == common);
      if (lane == 0 && equal != 0) atomicAdd(&counts[common], __popc(equal));
      if (k < valid && value != common) atomicAdd(&counts[value], 1u);
    }
  }
  __syncthreads();

  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
