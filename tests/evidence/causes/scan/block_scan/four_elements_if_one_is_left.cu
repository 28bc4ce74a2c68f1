// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard line=11
// says: The load of four elements is done if the first of them exists; it needs all four, first + 3 < n, or it reads behind the end and adds what is there.
constexpr unsigned kAll = 0xffffffffu;

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned of_warp[8];
  const unsigned t = threadIdx.x, lane = t & 31, warp = t >> 5;
  const unsigned i = blockIdx.x * 1024 + 4 * t;
  uint4 v = make_uint4(0, 0, 0, 0);
  if (i < n) v = *reinterpret_cast<const uint4*>(&in[i]);
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  unsigned sum = v.w;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    const unsigned from = __shfl_up_sync(kAll, sum, d);
    if (lane >= d) sum += from;
  }
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  unsigned add = sum - v.w;
#pragma unroll
  for (unsigned w = 0; w < 7; ++w) add += w < warp ? of_warp[w] : 0;
  if (i + 3 < n) {
    *reinterpret_cast<uint4*>(&out[i]) = make_uint4(v.x + add, v.y + add, v.z + add, v.w + add);
  } else {
    if (i < n) out[i] = v.x + add;
    if (i + 1 < n) out[i + 1] = v.y + add;
    if (i + 2 < n) out[i + 2] = v.z + add;
  }
  if (t == 255) totals[blockIdx.x] = v.w + add;
}
