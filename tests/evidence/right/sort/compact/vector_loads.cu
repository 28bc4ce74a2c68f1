// SPDX-License-Identifier: Apache-2.0
// A thread owns four neighbouring keys and loads them at once as uint4; the piece passes through
// shared memory, so that stores are in order.
__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  __shared__ unsigned totals[8], begin, piece[1024];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x * 4;
  uint4 keys = {0, 0, 0, 0};
  if (first + 4 <= n) {
    keys = *reinterpret_cast<const uint4*>(in + first);
  } else {
    if (first < n) keys.x = in[first];
    if (first + 1 < n) keys.y = in[first + 1];
    if (first + 2 < n) keys.z = in[first + 2];
  }
  const bool is_kept[4] = {first < n && keys.x >= least, first + 1 < n && keys.y >= least,
                           first + 2 < n && keys.z >= least, first + 3 < n && keys.w >= least};
  const unsigned kept = is_kept[0] + is_kept[1] + is_kept[2] + is_kept[3];
  unsigned sums = kept;
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(~0u, sums, step);
    if (lane >= step) sums += left;
  }
  if (lane == 31) totals[warp] = sums;
  __syncthreads();
  unsigned to = sums - kept, total = 0;
  for (unsigned w = 0; w < 8; ++w) {
    if (w < warp) to += totals[w];
    total += totals[w];
  }
  if (threadIdx.x == 0) begin = atomicAdd(count, total);
  if (is_kept[0]) piece[to++] = keys.x;
  if (is_kept[1]) piece[to++] = keys.y;
  if (is_kept[2]) piece[to++] = keys.z;
  if (is_kept[3]) piece[to++] = keys.w;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < total; i += 256) out[begin + i] = piece[i];
}
