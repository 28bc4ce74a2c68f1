// SPDX-License-Identifier: Apache-2.0
// cause: redundant_loads|imbalance line=34
// says: Every block adds up all totals before its own, although one launch could scan them once.

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned w[8];
  const unsigned t = threadIdx.x, i = blockIdx.x * 1024 + 4 * t;
  unsigned v[4];
  if (i + 3 < n) {
    const uint4 q = *(const uint4*)(in + i);
    v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
  } else {
    for (int k = 0; k < 4; ++k) v[k] = i + k < n ? in[i + k] : 0;
  }
  for (int k = 1; k < 4; ++k) v[k] += v[k - 1];
  unsigned inc = v[3];
  for (int o = 1; o < 32; o *= 2) { const unsigned p = __shfl_up_sync(~0u, inc, o); if (t % 32 >= o) inc += p; }
  if (t % 32 == 31) w[t / 32] = inc;
  __syncthreads();
  unsigned before = inc - v[3];
  for (unsigned k = 0; k < t / 32; ++k) before += w[k];
  if (i + 3 < n) *(uint4*)(out + i) = make_uint4(v[0] + before, v[1] + before, v[2] + before, v[3] + before);
  else for (int k = 0; k < 4; ++k) if (i + k < n) out[i + k] = v[k] + before;
  if (t == 255) totals[blockIdx.x] = before + v[3];
}
__global__ void scan_totals(unsigned* totals, unsigned blocks) {}
__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  const unsigned i = blockIdx.x * 1024 + 4 * threadIdx.x;
  const unsigned t = threadIdx.x;
  __shared__ unsigned sum;
  if (t == 0) sum = 0;
  __syncthreads();
  unsigned s = 0;
  for (unsigned b = t; b < blockIdx.x; b += 256) s += totals[b];
  atomicAdd(&sum, s);
  __syncthreads();
  if (i + 3 < n) {
    uint4 q = *(uint4*)(out + i);
    q.x += sum, q.y += sum, q.z += sum, q.w += sum;
    *(uint4*)(out + i) = q;
  } else for (int k = 0; k < 4; ++k) if (i + k < n) out[i + k] += sum;
}
