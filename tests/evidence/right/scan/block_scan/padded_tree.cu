// SPDX-License-Identifier: Apache-2.0
// A Brent-Kung tree over the sums of 256 threads, with one word of padding per 32.
#define AT(i) ((i) + ((i) >> 5))

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned tree[AT(256)];
  const unsigned t = threadIdx.x, first = blockIdx.x * 1024 + t * 4;
  const bool full = first + 4 <= n;
  uint4 v = make_uint4(0, 0, 0, 0);
  if (full) {
    v = reinterpret_cast<const uint4*>(in)[first / 4];
  } else {
    if (first < n) v.x = in[first];
    if (first + 1 < n) v.y = in[first + 1];
    if (first + 2 < n) v.z = in[first + 2];
  }
  v.y += v.x, v.z += v.y, v.w += v.z;
  tree[AT(t)] = v.w;
  for (unsigned d = 1; d < 256; d *= 2) {
    __syncthreads();
    const unsigned i = (t + 1) * 2 * d - 1;
    if (i < 256) tree[AT(i)] += tree[AT(i - d)];
  }
  for (unsigned d = 64; d > 0; d /= 2) {
    __syncthreads();
    const unsigned i = (t + 1) * 2 * d - 1;
    if (i + d < 256) tree[AT(i + d)] += tree[AT(i)];
  }
  __syncthreads();
  const unsigned before = t > 0 ? tree[AT(t - 1)] : 0;
  v.x += before, v.y += before, v.z += before, v.w += before;
  if (full) {
    reinterpret_cast<uint4*>(out)[first / 4] = v;
  } else {
    if (first < n) out[first] = v.x;
    if (first + 1 < n) out[first + 1] = v.y;
    if (first + 2 < n) out[first + 2] = v.z;
  }
  if (t == 255) totals[blockIdx.x] = tree[AT(255)];
}
