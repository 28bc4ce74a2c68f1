// SPDX-License-Identifier: Apache-2.0
// Each warp sums one part: four float4 per lane, then shuffles. It needs no shared memory and no
// barrier. With Factor below 16, some warps are idle.
__device__ float total(const float4& v) { return (v.x + v.y) + (v.z + v.w); }

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp >= Factor) return;
  const unsigned part = blockIdx.x * Factor + warp, begin = part * 512;
  float sum = 0;
  if (begin + 512 <= n) {
    const float4* p = reinterpret_cast<const float4*>(in + begin) + lane;
    const float4 a = p[0], b = p[32], c = p[64], d = p[96];
    sum = (total(a) + total(b)) + (total(c) + total(d));
  } else {
    for (unsigned i = begin + lane; i < n; i += 32) sum += in[i];
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0) partial[part] = sum;
}
