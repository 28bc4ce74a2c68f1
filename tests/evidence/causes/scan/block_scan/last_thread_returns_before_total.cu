// SPDX-License-Identifier: Apache-2.0
// cause: unwritten line=47
// says: In a partly empty last block the thread 255 has no element, returns, and never writes the total of the block.
constexpr unsigned kPart = 1024, kThreads = 256;

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned of_warp[kThreads / 32];
  const unsigned t = threadIdx.x, lane = t & 31, warp = t >> 5;
  const unsigned base = blockIdx.x * kPart + 4 * t;

  uint4 v = make_uint4(0, 0, 0, 0);
  if (base + 3 < n) {
    v = *reinterpret_cast<const uint4*>(in + base);
  } else {
    if (base < n) v.x = in[base];
    if (base + 1 < n) v.y = in[base + 1];
    if (base + 2 < n) v.z = in[base + 2];
  }
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;

  unsigned scanned = v.w;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    const unsigned from_left = __shfl_up_sync(0xffffffffu, scanned, d);
    if (lane >= d) scanned += from_left;
  }
  if (lane == 31) of_warp[warp] = scanned;
  __syncthreads();

  unsigned offset = scanned - v.w;
  for (unsigned w = 0; w < warp; ++w) offset += of_warp[w];
  v.x += offset;
  v.y += offset;
  v.z += offset;
  v.w += offset;

  if (base >= n) return;
  if (base + 3 < n) {
    *reinterpret_cast<uint4*>(out + base) = v;
  } else {
    out[base] = v.x;
    if (base + 1 < n) out[base + 1] = v.y;
    if (base + 2 < n) out[base + 2] = v.z;
  }
  if (t == kThreads - 1) totals[blockIdx.x] = v.w;
}
