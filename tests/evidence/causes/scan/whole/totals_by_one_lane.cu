// SPDX-License-Identifier: Apache-2.0
// cause: few_blocks|few_loads_in_flight line=39
// says: One thread adds up all totals, one after another, while the card is idle.
__global__ void scan_blocks(unsigned* out, unsigned* sums, const unsigned* in, unsigned n) {
  __shared__ unsigned part[8];
  const unsigned lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  const unsigned i = blockIdx.x * 1024 + threadIdx.x * 4;
  uint4 q = {0, 0, 0, 0};
  if (i + 3 < n) q = *(const uint4*)(in + i);
  else {
    if (i < n) q.x = in[i];
    if (i + 1 < n) q.y = in[i + 1];
    if (i + 2 < n) q.z = in[i + 2];
  }
  q.y += q.x;
  q.z += q.y;
  q.w += q.z;
  unsigned up = q.w;
  for (unsigned d = 1; d < 32; d <<= 1) {
    const unsigned other = __shfl_up_sync(~0u, up, d);
    if (lane >= d) up += other;
  }
  if (lane == 31) part[w] = up;
  __syncthreads();
  unsigned before = up - q.w;
  for (unsigned k = 0; k < w; ++k) before += part[k];
  q.x += before, q.y += before, q.z += before, q.w += before;
  if (i + 3 < n) *(uint4*)(out + i) = q;
  else {
    if (i < n) out[i] = q.x;
    if (i + 1 < n) out[i + 1] = q.y;
    if (i + 2 < n) out[i + 2] = q.z;
  }
  if (threadIdx.x == 255) sums[blockIdx.x] = q.w;
}

__global__ void scan_totals(unsigned* sums, unsigned count) {
  if (threadIdx.x == 0)
    for (unsigned b = 1; b < count; ++b) sums[b] += sums[b - 1]; 
}

__global__ void add_totals(unsigned* out, const unsigned* sums, unsigned n) {
  if (blockIdx.x == 0) return;
  const unsigned more = sums[blockIdx.x - 1];
  const unsigned i = blockIdx.x * 1024 + threadIdx.x * 4;
  if (i + 3 < n) {
    uint4 q = *(uint4*)(out + i);
    q.x += more, q.y += more, q.z += more, q.w += more;
    *(uint4*)(out + i) = q;
  } else {
    for (unsigned k = i; k < n; ++k) out[k] += more;
  }
}
